"""Tombstones of a release: the ids and paths of what can only raise, and what its error says."""

from __future__ import annotations

from collections.abc import Mapping

from libdrift.languages.python.inheritance import Inheritance
from libdrift.languages.python.raising import AS_BASE
from libdrift.languages.python.symbols import Symbols
from libdrift.records import Surface

_DEEP = 30  # bases above bases; more is a circle


def ended(symbols: Symbols, inheritance: Inheritance) -> dict[str, str]:
    """By id, what the error says that is all that is left of a function, member or class."""
    found = dict(symbols.gone)
    for class_id, item in symbols.definitions.items():
        said = _constructor(class_id, symbols, 0)
        if said:
            found[class_id] = said
        for name, member in item.members.items():
            inner = f"{class_id}.{name}"
            # A class's __getattr__ is asked only for what neither it nor a base has.
            if "asked" in member.traits and inheritance.is_inherited(class_id, name):
                symbols.scopes[class_id].pop(name, None)
                symbols.found.pop(inner, None)
                found.pop(inner, None)
    return found


def _constructor(class_id: str, symbols: Symbols, depth: int) -> str:
    """What the constructor of a class says, its own or inherited, where it can only raise."""
    item = symbols.definitions.get(class_id)
    if item is None or depth > _DEEP:
        return ""
    if item.gone and item.gone != AS_BASE:
        return item.gone
    if (item.constructor is not None and not item.gone) or item.fields is not None:
        return ""
    for base in symbols.bases.get(class_id, ()):
        above = symbols.definitions.get(base)
        if above is not None:
            return _constructor(base, symbols, depth + 1)
    return ""


def paths(surface: Surface, gone: Mapping[str, str]) -> dict[str, str]:
    """Ids, and every public path that reaches one, inherited members too."""
    found = dict(gone)
    if not gone:
        return found
    holders = {key.rpartition(".")[0] for key in gone if "." in key.partition(":")[2]}
    for path, name in surface.walk():
        if name.target in gone:
            found[path] = gone[name.target]
        elif ":" in name.target and holders.intersection(surface.lineage(name.target)):
            for label, member in surface.members(name.target).items():
                if member.target in gone:
                    found[f"{path}.{label}"] = gone[member.target]
    return found
