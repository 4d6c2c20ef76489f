"""What stands near an old thing and may take its place: bases, packages, classes, modules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences import hints, signatures
from libdrift.history.differences.shown import ShownCode, outer_path
from libdrift.history.views import View
from libdrift.records import Surface, SymbolKind

_TOLD = 0.9  # confidence in what is offered at another place as well
_CALLED_INSTEAD = 0.75  # in a class that a message tells to call
_BASE = 0.6  # in the base of a class that adds nothing to it, and is deprecated
_NEARLY_ALL, _MOST = 0.9, 0.5
_STATIC = {"classmethod", "staticmethod"}
_DEFINED = {SymbolKind.CLASS, SymbolKind.FUNCTION}
_CALLED = re.compile(r"(?i)\b(?:constructor|directly|initiali[sz]er|instantiat\w+)\b")


@dataclass(frozen=True, slots=True)
class Heir:
    """A path of the new release (or of another package) that may take the place."""

    path: str
    confidence: float
    evidence: tuple[str, ...]


def _module_of(outer: str, label: str, said: str) -> str:
    """Of a thing of that name, its module; or a whole package, where a message says so."""
    if outer.endswith(f".{label}"):
        return outer.removesuffix(f".{label}")
    return outer if outer and hints.is_package(outer, said) else ""


class Relatives:
    """Looks around an old thing, in both releases and in those between."""

    def __init__(self, old: View, new: View, releases: Sequence[Surface], shown: ShownCode) -> None:
        self.old, self.new = old, new
        self.releases = releases
        self._shown = shown

    def base(self, path: str) -> Heir | None:
        """``class Old(New)`` that adds nothing, and is deprecated."""
        for surface in (self.new.surface, *reversed(self.releases)):
            symbol = surface.resolve(path)
            if symbol is None or symbol.kind is not SymbolKind.CLASS or not symbol.deprecation:
                continue
            own = [name for name in surface.scopes.get(symbol.id, {}) if name[0] != "_"]
            inner = [base for base in symbol.bases if ":" in base]
            is_error = path.endswith(("Error", "Exception", "Warning"))
            if own or len(symbol.bases) != 1 or not inner or is_error:
                continue
            told = hints.named(symbol.deprecation.message)
            if told and inner[0].rpartition(":")[2] not in {
                name.rpartition(".")[2] for name in told
            }:
                continue  # something else is told
            before = self.old.best(inner[0])  # it may be defined elsewhere now
            best = self.new.best(inner[0]) or (before if self.new.find(before) else "")
            if best and not self.new.is_inner(best) and best != path:
                return Heir(best, _BASE, (f"its base in {surface.release.version}",))
        return None

    def offered_above(self, path: str) -> Heir | None:
        """The package of a module that is gone or only forwards: it offers the same names."""
        old = self.old.symbol(path)
        if old is None or old.kind is not SymbolKind.MODULE:
            return None
        parent = path.rpartition(".")[0]
        last = path.rpartition(".")[2]
        names = self.old.surface.scopes.get(old.id, {})
        shared = [
            label
            for label, name in names.items()
            if (found := self.old.find(f"{parent}.{label}")) and found.target == name.target
        ]
        enough = _MOST if old.deprecation else _NEARLY_ALL
        if len(shared) < enough * len(names):
            # Its own, or what it has from the private module that is behind it.
            shared = [
                label
                for label in shared
                if names[label].target.partition(":")[0].rpartition(".")[2].lstrip("_") == last
            ]
        kept = [
            label
            for label in shared
            if self.new.find(f"{parent}.{label}")
            and not hints.is_dying(f"{parent}.{label}", self.new)
        ]
        if not kept or 2 * len(kept) <= len(shared):
            return None
        return Heir(parent, _TOLD, ("its package offers the same names",))

    def constructor(self, path: str) -> Heir | None:
        """The class itself, where a message tells to call it instead of its other constructor."""
        owner = self._shown.owner(path)
        symbol = self.old.symbol(path) or self.new.symbol(path)
        if not owner or symbol is None:
            return None
        label = owner.rpartition(".")[2]
        is_static = not _STATIC.isdisjoint(symbol.traits)
        given = r"(?:provid|pass|giv|specif|set)\w* [^.]*"
        spoken = rf"\b{given}\b{re.escape(label)}\b[`'\"()]*(?:'s)? (?:constructor|initiali[sz]er)"
        for surface in (self.new.surface, *reversed(self.releases)):
            found = surface.resolve(path)
            for told in hints.own_deprecations(found) if found else ():
                named = told.replacement.rpartition(".")[2] == label
                is_called = bool(_CALLED.search(told.message)) and is_static and named
                is_called = is_called or re.search(spoken, told.message) is not None
                if is_called and self.new.find(owner):
                    return Heir(owner, _CALLED_INSTEAD, (f"deprecation ({told.source})",))
        return None

    def set_by_parameter(self, path: str) -> Heir | None:
        """An attribute that a constructor sets from its parameter, which has another name now."""
        owner, _, label = path.rpartition(".")
        old, new = self.old.symbol(owner), self.new.symbol(owner)
        if not self._shown.owner(path) or old is None or new is None:
            return None
        for difference in signatures.differences(old, new):
            place = f"{owner}.{difference.replacement}"
            is_it = difference.aspect == "renamed" and difference.parameter == label
            if is_it and (self.new.find(place) or hints.is_late(place, self.new)):
                return Heir(place, _CALLED_INSTEAD, ("the parameter that sets it is renamed",))
        return None

    def only_name(self, path: str) -> str:
        """The one name that a module offers of its own; what is said of that is of it all."""
        old = self.old.symbol(path)
        if old is None or old.kind is not SymbolKind.MODULE:
            return ""
        scope = self.old.surface.scopes.get(old.id, {})
        own = [name for name, found in scope.items() if found.target == f"{old.id}:{name}"]
        own = [name for name in own if name[0] != "_"]
        return f"{path}.{own[0]}" if len(own) == 1 else ""

    def forwarded(self, path: str) -> str:
        """The module of another package from which a module has all that it offers of its own."""
        module = self.old.symbol(path)
        if module is None or module.kind is not SymbolKind.MODULE:
            return ""
        homes: list[str] = []
        for label, name in self.old.surface.scopes.get(module.id, {}).items():
            symbol = self.old.symbols.get(name.target)
            if symbol is None or name.target != f"{module.id}:{label}":
                continue
            told = symbol.deprecation.replacement if symbol.deprecation else ""
            outer = outer_path(told, symbol, self.old.surface) or told
            outer = "" if outer.startswith(f"{path.partition('.')[0]}.") else outer
            said = symbol.deprecation.message if symbol.deprecation else ""
            homes.append(_module_of(outer, label, said))
        return homes[0] if len(homes) > 1 and len({*homes}) == 1 else ""

    def in_module(self, path: str, heir: Heir | None) -> Heir | None:
        """Of a module that a message names for a class or function: what it has of that name."""
        new = self.new.symbol(heir.path) if heir else None
        old = self.old.symbol(path) or self.new.symbol(path)
        if heir is None or new is None or old is None or new.kind is not SymbolKind.MODULE:
            return heir
        if old.kind is SymbolKind.MODULE:
            return heir
        inner = f"{heir.path}.{path.rpartition('.')[2]}"
        if inner == path or not self.new.find(inner) or self.is_same(inner, path):
            return None if old.kind in _DEFINED else heir
        return replace(heir, path=inner)

    def fits(self, path: str, heir: Heir) -> bool:
        """A module of several names has no class or function for its successor."""
        old, new = self.old.symbol(path), self.new.symbol(heir.path)
        if old is None or new is None or old.kind is not SymbolKind.MODULE:
            return True
        return new.kind is SymbolKind.MODULE or bool(self.only_name(path))

    def is_same(self, one: str, two: str) -> bool:
        if one == two:
            return True
        left, right = self.new.find(one), self.new.find(two)
        return left is not None and right is not None and left.target == right.target
