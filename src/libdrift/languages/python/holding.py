"""Functions of a module that are methods of an object which the module makes."""

from __future__ import annotations

import re

import msgspec

from libdrift.languages.python.linking import Linker
from libdrift.languages.python.parsed import Definition

_MADE = re.compile(r"([A-Za-z_][\w.]*)\(")


def bound_method(module: str, item: Definition, linker: Linker) -> Definition:
    """``_one = Coder()`` and then ``encode = _one.encode``: what is called is the method."""
    holder, _, name = item.alias.rpartition(".")
    held = linker.dotted(module, holder) if holder else None
    if held is None or held.definition is None or held.definition.kind != "value":
        return item
    made = _MADE.match(held.definition.value)
    kind = linker.dotted(held.module, made[1]) if made else None
    if kind is None or kind.definition is None or kind.definition.kind != "class":
        return item
    found = linker.dotted(kind.module, f"{kind.name}.{name}")
    method = found.definition if found is not None else None
    if method is None or method.kind != "function":
        return item
    # Its code stays that of the method: nothing is a copy of the other.
    return msgspec.structs.replace(method, name=item.name, line=item.line, body="", sketch=())
