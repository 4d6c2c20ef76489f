"""Leads to what became of old names: in the new release, in other classes, in other packages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from libdrift.history.differences import hints
from libdrift.history.views import View
from libdrift.records import Surface, Symbol, SymbolKind

_FORMER = re.compile(
    r"(?i)\b(?:(?:re)?named|changed) from\s+(?P<from>\S+)|"
    r"\b(?:formerly|previously|originally)(?: known as| named| called)?\s+(?P<was>\S+)|"
    r"\brenamed?\s+(?P<old>\S+)\s+(?:to|as|into)\s+(?P<new>\S+)"
)
_SIGNS = ("enamed", "ormerly", "reviously", "riginally", "hanged from")
_OPENING = 600  # characters of documentation
_STEM = 5  # letters that two forms of a word share
_VALUES = {SymbolKind.CONSTANT, SymbolKind.ATTRIBUTE, SymbolKind.UNKNOWN}


class Leads:
    """Looks for a name that is gone where nothing is said of it at its own place."""

    def __init__(self, old: View, new: View, releases: Sequence[Surface] = ()) -> None:
        self.old, self.new = old, new
        self.releases = releases or [old.surface]

    def imported(self, path: str) -> str:
        """Where another package has what a module only imported: it is still there."""
        name = self.old.find(path)
        symbol = self.old.symbols.get(name.target) if name else None
        if name is None or symbol is None or "external" not in symbol.traits:
            return ""
        home = name.target.replace(":", ".").rstrip(".")
        parts = home.split(".")
        is_own = parts[0] == path.partition(".")[0]
        is_offered = all(part.isidentifier() and part[0] != "_" for part in parts)
        return home if is_offered and not is_own else ""

    def elsewhere(self, path: str) -> str:
        """The member that other classes name as the successor of their member of this name."""
        owner, _, label = path.rpartition(".")
        told = self._told_members.get(label, set())
        place = f"{owner}.{next(iter(told))}" if len(told) == 1 else ""
        return place if place and place != path and self.new.find(place) else ""

    @cached_property
    def _told_members(self) -> dict[str, set[str]]:
        """By the label of a member that is deprecated: the labels that are told instead."""
        found: dict[str, set[str]] = defaultdict(set)
        for surface in self.releases:
            for identifier, symbol in surface.symbols.items():
                if "." not in identifier.partition(":")[2]:
                    continue
                label = identifier.rpartition(".")[2]
                for item in hints.own_deprecations(symbol):
                    instead = item.replacement.rpartition(".")[2]
                    if not item.conditional and instead not in {"", label}:
                        found[label].add(instead)
        return found

    def documented(self, path: str) -> str:
        """The one thing whose documentation says that it had this name before."""
        owner, _, last = path.rpartition(".")
        found = self._former.get(last, [])
        beside = [place for place in found if place.rpartition(".")[0] == owner]
        places = beside or [place for place in found if self.new.promised(place)]
        return places[0] if len(places) == 1 else ""

    @cached_property
    def _former(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for identifier, symbol in self.new.symbols.items():
            names = dict.fromkeys(_former_names(symbol))
            place = self._place(identifier) if names else ""
            for name in names if place else ():
                found[name].append(place)
        return found

    def _place(self, identifier: str) -> str:
        best = self.new.best(identifier)
        owner, dot, last = identifier.rpartition(".")
        if best or not dot or ":" not in owner:
            return best
        above = self.new.best(owner)
        return f"{above}.{last}" if above else ""

    def member(self, path: str) -> str:
        """A member of a new class that a value became: ``BLEND_OVER``, now ``Blend.OVER``."""
        symbol = self.old.symbol(path)
        module, _, last = path.rpartition(".")
        if symbol is None or symbol.kind not in _VALUES or not last.isupper():
            return ""
        found = [
            f"{module}.{label}.{member}"
            for label, target in self._new_classes(module)
            for member in self.new.members(target)
            if last == member or _spells(last, label, member)
        ]
        return found[0] if len(found) == 1 else ""

    def _new_classes(self, module: str) -> Iterator[tuple[str, str]]:
        scope = self.new.find(module)
        names = self.new.surface.scopes.get(scope.target, {}) if scope else {}
        for label, name in names.items():
            symbol = self.new.symbols.get(name.target)
            is_class = symbol is not None and symbol.kind is SymbolKind.CLASS
            if is_class and self.old.find(f"{module}.{label}") is None:
                yield label, name.target


def _spells(last: str, label: str, member: str) -> bool:
    """`APNG_BLEND_OP_OVER` is `Blend.OP_OVER`: the class's name stands before the member's."""
    before = last.removesuffix(f"_{member}")
    if before == last:
        return False
    words = before.casefold().split("_")
    # `DISPOSE` and `Disposal` are one word.
    return any(word[:_STEM] == label.casefold()[:_STEM] for word in (*words, "".join(words)))


def _former_names(symbol: Symbol) -> Iterator[str]:
    own = symbol.id.replace(":", ".").rpartition(".")[2]
    texts = [note.text for note in symbol.notes]
    texts.append(symbol.doc[:_OPENING])
    for text in texts:
        if not any(sign in text for sign in _SIGNS):
            continue
        for match in _FORMER.finditer(text):
            name = _bare(match["from"] or match["was"] or match["old"])
            to = _bare(match["new"]) if match["new"] else own
            if to == own and name != own and name.isidentifier():
                yield name


def _bare(word: str) -> str:
    """`:class:`~pkg.Thing`.` is Thing."""
    inner = re.sub(r"^\W*(?::?[\w+:-]+:)?[`'\"~.!]*", "", word)
    return inner.rstrip("`'\".,;:()").rpartition(".")[2]
