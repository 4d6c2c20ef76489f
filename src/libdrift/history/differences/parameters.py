"""What to write instead of a parameter that went, has another name, or is on its way out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from libdrift.history.differences import defaults, hints
from libdrift.history.views import View
from libdrift.records import (
    ANY_NUMBER,
    BY_PLACE,
    Change,
    ChangeKind,
    Deprecation,
    Parameter,
    ParameterKind,
    Replacement,
    ReplacementShape,
    Surface,
    SymbolKind,
)

_USELESS = re.compile(
    r"(?i)no (?:longer (?:has |have )?(?:any )?|)effect|ignored|unused|not used|does nothing|"
    r"(?:don't|do not) use (?:it|this)\b(?! (?:with|for|in)\b)|"
    r"no longer (?:used|needed|necessary|required)|has no (?:purpose|function)"
)
_ELSEWHERE = re.compile(r"(?i)\bpass\b[^.]*\b(?:to|in|via|the)\b[^.]*\b(?:constructor|__init__)")
# Of a value that is given, not of the parameter as such.
_OF_A_VALUE = re.compile(
    r"(?i)^(?:pass|set|us|specify|provid|call|giv)(?:e|t?ing)?\b|=\s*\w|\bmust be\b"
)
_BY_POSITION = re.compile(r"(?i)keyword[- ]only|by position|positional")
_FEW = 3  # parameters that one may take the place of
_VALUES = {SymbolKind.ATTRIBUTE, SymbolKind.CONSTANT}
_CERTAIN, _LIKELY, _UNSURE = 0.95, 0.7, 0.5


class ParameterAdvice:
    """Says for changes of parameters what callers write."""

    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.releases = [old.surface, *between]

    def advised(self, change: Change) -> Change:
        if change.kind is ChangeKind.DEPRECATED:
            return self._deprecated(change)
        if change.kind is not ChangeKind.SIGNATURE or change.parameter.startswith("*"):
            return change
        if change.aspect == "renamed" or (change.aspect == "removed" and change.replacement):
            told = self._told(change)
            text = told.message if told else ""
            return _renamed(change, change.replacement, text, change.confidence)
        if change.aspect == "removed":
            return self._removed(change)
        by_place = change.before in {"positional", "positional-only"}
        if change.aspect == "reordered" or (change.aspect == "keyword-only" and by_place):
            return _with(change, ReplacementShape.KEYWORD, change.parameter, 1.0)
        return change

    def _removed(self, change: Change) -> Change:
        told = self._told(change)
        if told is not None:
            return self._by_message(change, told, without_a_word=_LIKELY)
        if self._is_noted(change):
            return _with(change, ReplacementShape.DROP, "", _LIKELY)
        heir = self._at_its_place(change)
        if heir:
            return _with(change, ReplacementShape.PARAMETER, heir, _LIKELY)
        elsewhere = self._told_elsewhere(change) or self._merged(change) or self._method(change)
        if elsewhere:
            return _with(change, ReplacementShape.TEMPLATE, elsewhere, _UNSURE)
        # That nothing takes its place nobody says.
        return replace(change, replacement="", how=None)

    def _is_noted(self, change: Change) -> bool:
        """Whether a note of the new release tells that it was removed: and no more than that."""
        symbol = self.new.symbol(change.path)
        named = re.compile(rf"(?<!\w){re.escape(change.parameter)}(?!\w)")
        texts = [note.text for note in symbol.notes] if symbol else []
        return any(
            named.search(text) and "emoved" in text and not hints.advises(text) for text in texts
        )

    def _at_its_place(self, change: Change) -> str:
        """A new parameter that must be given where the old one had to be."""
        old, new = (_named(view, change.path) for view in (self.old, self.new))
        if len([p for p in old if p.default is None]) != len([p for p in new if p.default is None]):
            return ""  # another call, whose parts cannot be told from their places
        for before, after in zip(old, new, strict=False):
            if before.name == change.parameter:
                given = before.default is after.default is None
                known = after.name in {item.name for item in old}
                by_place = before.kind is after.kind is ParameterKind.POSITIONAL
                return after.name if given and by_place and not known else ""
        return ""

    def _method(self, change: Change) -> str:
        """The method of its name, of a class that took by a parameter what it is told by that; or
        of the class of which a function gives an object."""
        symbol = self.new.symbol(change.path)
        owner = change.path if symbol is not None and symbol.kind is SymbolKind.CLASS else ""
        if symbol is not None and symbol.kind is SymbolKind.FUNCTION and symbol.signature:
            made = re.sub(r"\[.*|['\"]", "", symbol.signature.returns or "")
            owner = hints.resolve(made, change.path, self.new) if made else ""
        path = f"{owner}.{change.parameter}"
        views = (self.old, self.new) if owner == change.path else (self.new,)
        kinds = {found.kind if (found := view.symbol(path)) else None for view in views}
        return path if owner and kinds == {SymbolKind.METHOD} else ""

    def _merged(self, change: Change) -> str:
        """The one new parameter that stands where several stood: `(x, y)`, now `(batch)`."""
        old, new = (_parameters(view, change.path) for view in (self.old, self.new))
        before, after = [p.name for p in old], [p.name for p in new]
        gone = [name for name in before if name not in after]
        come = [item for item in new if item.name not in before]
        if change.parameter not in gone or len(come) != 1 or not 1 < len(gone) <= _FEW:
            return ""
        start = before.index(gone[0])
        if before[start : start + len(gone)] != gone or after.index(come[0].name) != start:
            return ""
        first = old[start]
        same = first.kind is come[0].kind and defaults.same(first.default, come[0].default)
        return come[0].name if same and first.kind in BY_PLACE else ""

    def _told_elsewhere(self, change: Change) -> str:
        """What other functions name instead of their parameter of this name, if this takes it."""
        taken = self._taken(change.path) - {change.parameter}
        found = self._instead.get(change.parameter, set()) & taken
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def _instead(self) -> dict[str, set[str]]:
        """By parameters that some function deprecates: the parameters that it names for them."""
        found: dict[str, set[str]] = defaultdict(set)
        for surface in self.releases:
            for symbol in surface.symbols.values():
                for told in symbol.deprecations:
                    if told.parameter and told.message:
                        found[told.parameter].update(
                            (told.replacement, *hints.advised(told.message))
                        )
        return found

    def _deprecated(self, change: Change) -> Change:
        if change.parameter == "*" or _BY_POSITION.search(change.detail):
            path = "" if change.parameter == "*" else change.parameter
            return _with(change, ReplacementShape.KEYWORD, path, 1.0)
        if change.replacement and change.replacement != change.parameter:
            return _renamed(change, change.replacement, change.detail, change.confidence)
        told = self._told(change)
        if told is None:  # its default alone says so, `scale=deprecated`, and not what to do
            return change
        return self._by_message(change, told, without_a_word=_UNSURE)

    def _by_message(self, change: Change, told: Deprecation, *, without_a_word: float) -> Change:
        text = told.message
        taken = self._taken(change.path) - {change.parameter}
        if told.replacement in taken:
            return _renamed(change, told.replacement, text, _LIKELY)
        if _USELESS.search(text) and not _ELSEWHERE.search(text):
            return _with(change, ReplacementShape.DROP, "", _CERTAIN)
        names = [told.replacement, *hints.told_after(text)]
        symbol = self.new.symbol(change.path)
        is_class = symbol is not None and symbol.kind is SymbolKind.CLASS
        # What is said to who makes an object may name its methods.
        place = f"{change.path}.__init__" if is_class else change.path
        for name in (name for name in names if name != change.parameter):
            if name in taken:
                return _renamed(change, name, text, _LIKELY)
            path = hints.resolve(name, place, self.new) if name else ""
            if path:  # what to do instead is written with something else
                return _with(change, ReplacementShape.TEMPLATE, path, _UNSURE)
        if hints.advises(text) or _ELSEWHERE.search(text) or not _is_about(change.parameter, told):
            return replace(change, replacement="", how=None)
        is_silent = told.source == "docstring" and not text
        if is_silent:
            return replace(change, replacement="", how=None)
        if told.source == "docstring" and change.kind is ChangeKind.DEPRECATED:
            return change  # that it goes is all that is said, and not that it does nothing
        return _with(change, ReplacementShape.DROP, "", without_a_word)

    def _told(self, change: Change) -> Deprecation | None:
        """What the newest release says of the parameter that says anything."""
        for surface in (self.new.surface, *reversed(self.releases)):
            symbol = surface.resolve(change.path)
            told = (
                [d for d in symbol.deprecations if d.parameter == change.parameter]
                if symbol
                else []
            )
            if told:
                return max(told, key=lambda item: (bool(item.replacement), bool(item.message)))
        return None

    def _taken(self, path: str) -> set[str]:
        taken = _parameters(self.new, path)
        found = self.new.find(path)
        symbol = self.new.symbol(path)
        is_class = symbol is not None and symbol.kind is SymbolKind.CLASS
        if found is None or not is_class or ParameterKind.KEYWORDS not in {p.kind for p in taken}:
            return {item.name for item in taken}
        # A class of traits takes by keyword what its objects have.
        have = {
            label
            for label in self.new.members(found.target)
            if (member := self.new.symbol(f"{path}.{label}")) and member.kind in _VALUES
        }
        return {item.name for item in taken} | have


def _parameters(view: View, path: str) -> tuple[Parameter, ...]:
    symbol = view.symbol(path)
    signature = symbol.signature if symbol else None
    return signature.parameters if signature else ()


def _named(view: View, path: str) -> tuple[Parameter, ...]:
    return tuple(p for p in _parameters(view, path) if p.kind not in ANY_NUMBER)


def _is_about(parameter: str, told: Deprecation) -> bool:
    """Whether the parameter as such goes, and not one of its values or another use."""
    if told.source == "decorator" or not told.message:
        return True
    if _OF_A_VALUE.search(told.message):
        return False
    named = re.search(rf"(?<!\w){re.escape(parameter)}\b", told.message)
    return told.source == "docstring" or named is not None


def _renamed(change: Change, new: str, text: str, confidence: float) -> Change:
    """`sep="-"` for `delim_whitespace=True` is another parameter, and another value."""
    with_value = re.search(rf"\b{re.escape(new)}\s*=\s*[^\s.)]", text)
    if with_value or not hints.Hint(new, text, "").is_plain:
        return _with(change, ReplacementShape.TEMPLATE, new, _UNSURE)
    return _with(change, ReplacementShape.PARAMETER, new, confidence)


def _with(change: Change, shape: ReplacementShape, path: str, confidence: float) -> Change:
    how = Replacement(
        shape,
        path,
        parameter=change.parameter,
        confidence=round(confidence, 2),
        evidence=change.evidence,
    )
    kept = change.replacement
    if shape in {ReplacementShape.PARAMETER, ReplacementShape.TEMPLATE}:
        kept = path
    elif shape is ReplacementShape.DROP:
        kept = ""
    return replace(change, replacement=kept, how=how)
