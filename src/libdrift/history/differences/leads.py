"""What a new release itself tells of old names: in its documentation, and in its own names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from libdrift.history.views import View
from libdrift.records import Symbol, SymbolKind

_FORMER = re.compile(
    r"(?i)\b(?:(?:re)?named|changed) from\s+(?P<from>\S+)|"
    r"\b(?:formerly|previously|originally)(?: known as| named| called)?\s+(?P<was>\S+)|"
    r"\brenamed?\s+(?P<old>\S+)\s+(?:to|as|into)\s+(?P<new>\S+)"
)
_SIGNS = ("enamed", "ormerly", "reviously", "riginally", "hanged from")
_OPENING = 600  # characters of documentation
_VALUES = {SymbolKind.CONSTANT, SymbolKind.ATTRIBUTE, SymbolKind.UNKNOWN}


class Leads:
    """Looks from the new release back to a name that is gone."""

    def __init__(self, old: View, new: View) -> None:
        self.old, self.new = old, new

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
            names = [*_former_names(symbol)]
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
    return before != last and label.casefold() in before.replace("_", "").casefold()


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
