"""Modules in which a release keeps all of another major version: ``library.compat.v1``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libdrift.advisor.solving import rewriting
from libdrift.advisor.solving.moves import MovedLibrary
from libdrift.advisor.solving.reading import LibraryCode, imported_as
from libdrift.history.views import View
from libdrift.records import ParameterKind, Symbol, SymbolKind

# What documentation says of a function that turns a version's behaviour on or off.
_SWITCH = re.compile(r"\s*(enable|disable)s?\b[^.\n]*?\b(\d+)\.x behaviou?rs?\b", re.IGNORECASE)
_ENABLE = "enable"


@dataclass(frozen=True, slots=True)
class Mirror:
    module: str
    switch: str = ""  # a function of it that is called once, before anything else


def mirror_of(library: MovedLibrary) -> Mirror | None:
    """The target's module that keeps the origin's major version; none if it is the target's own."""
    before, after = _major(library.origin), _major(library.target)
    if before == after or not library.main:
        return None
    wanted = re.compile(rf"{re.escape(library.main)}\.\w+\.v{before}")
    module = next((one for one in library.kept_modules if wanted.fullmatch(one)), "")
    if not module:
        return None
    return Mirror(module, _switch(module, before, after, library.target))


def _major(view: View) -> int:
    found = re.match(r"\d+", view.surface.release.version)
    return int(found[0]) if found else 0


def _switch(module: str, before: int, after: int, target: View) -> str:
    """The function that makes the target behave as the origin did."""
    scope = target.find(module)
    for name in target.surface.scopes.get(scope.target if scope else "", {}):
        symbol = target.symbol(f"{module}.{name}")
        if symbol is None or symbol.kind is not SymbolKind.FUNCTION or _wants_arguments(symbol):
            continue
        match = _SWITCH.match(symbol.doc)
        if match is None:
            continue
        wanted = before if match[1].lower() == _ENABLE else after
        if int(match[2]) == wanted:
            return name
    return ""


def _wants_arguments(symbol: Symbol) -> bool:
    optional = {ParameterKind.VARIADIC, ParameterKind.KEYWORDS}
    known = symbol.signature.parameters if symbol.signature else ()
    return any(item.default is None and item.kind not in optional for item in known)


def mirrored(code: LibraryCode, library: MovedLibrary, mirror: Mirror) -> str:
    """Code that takes everything from the mirror, under the names that it has for the library."""
    root = library.main
    names = imported_as(code, root) or [root]
    text = rewriting.with_module(code.text, root, mirror.module)
    lines = "".join(f"import {mirror.module} as {name}\n" for name in names)
    if mirror.switch:
        lines += f"{names[0]}.{mirror.switch}()\n"
    return rewriting.placed_first(text, lines)
