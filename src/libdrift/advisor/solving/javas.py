"""Names of the JDK in Java code that a later release lacks or deprecates."""

from __future__ import annotations

from libdrift.advisor.solving.suspects import DEPRECATION, REPLACED, Strength, Suspect
from libdrift.languages.java import usage
from libdrift.records import Deprecation, Surface, SymbolKind


def java_suspects(code: str, origin: Surface, target: Surface) -> list[Suspect]:
    """Classes that are gone or deprecated, themselves or with what they are in; else members."""
    found: dict[str, Suspect] = {}
    for name in sorted(usage.names(code, origin)):
        path = _type_of(name, origin, target)
        one = _judged(path, origin, target) if path else None
        if one is None and path != name:
            one = _judged(name, origin, target)
        if one is not None:
            found.setdefault(one.path, one)
    return list(found.values())


def _type_of(name: str, origin: Surface, target: Surface) -> str:
    """The class that a name is, or is a member of; empty for what neither release knows."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = ".".join(parts[:length])
        for surface in (target, origin):
            symbol = surface.resolve(path)
            if symbol is not None and symbol.kind is SymbolKind.CLASS:
                return path
    return ""


def _judged(path: str, origin: Surface, target: Surface) -> Suspect | None:
    version = target.release.version
    if target.resolve(path) is None:
        gone = origin.resolve(path) is not None
        kind = "deprecated and removed"
        return Suspect(path, Strength.CHANGED, kind, version, is_lost=True) if gone else None
    told = _deprecation(path, target)
    if told is None:
        return None
    kind = REPLACED if told.replacement else DEPRECATION
    return Suspect(path, Strength.CHANGED, kind, told.since or version, told.replacement)


def _deprecation(path: str, surface: Surface) -> Deprecation | None:
    """That of a name, or of what it is in, the nearest first."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        symbol = surface.resolve(".".join(parts[:length]))
        if symbol is not None and symbol.deprecation is not None:
            return symbol.deprecation
    return None
