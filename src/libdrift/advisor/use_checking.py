"""What one use of a package is between two releases."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from libdrift.advisor import plain
from libdrift.advisor.binding import CallTrouble
from libdrift.advisor.deprecation_messages import is_of, level_of, was_ending
from libdrift.advisor.handing import still_takes
from libdrift.advisor.owners import Owners, owners_of
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.returning import may_be_none_now
from libdrift.advisor.variable_members import VariableMembers
from libdrift.languages.python.usage import Certainty, Reason, Span, Use
from libdrift.languages.python.wording import with_class
from libdrift.records import (
    Change,
    ChangeKind,
    Finding,
    FindingKind,
    FindingLevel,
    Symbol,
    SymbolKind,
)

_SURE = {Certainty.CERTAIN: 1.0, Certainty.LIKELY: 0.9, Certainty.GUESSED: 0.6}
_MAKING = ".__init__"
_GUESS = 0.5  # confidence in what names alone tell
_LEVELS = [FindingLevel.ERROR, FindingLevel.WARNING, FindingLevel.INFO]
_CALLABLE = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}
FUNCTIONS = {SymbolKind.FUNCTION, SymbolKind.METHOD}
_HELD = {SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE}
# Without any of these, a message is of how something will behave.
_DEPRECATED = re.compile(
    r"deprecat|remov|obsolete|renamed|replaced|moved|superseded|legacy|no longer"
    r"|\buse\b[^.]*\binstead",
    re.IGNORECASE,
)
LOST = {FindingKind.GONE, FindingKind.RENAMED, FindingKind.MOVED, FindingKind.NOT_YET}
_NAMES = {
    ChangeKind.RENAMED: FindingKind.RENAMED,
    ChangeKind.MOVED: FindingKind.MOVED,
}


class UseCheck:
    """One use between two releases."""

    def __init__(
        self,
        pair: ReleasePair,
        use: Use,
        file: str,
        keywords: Sequence[Use] = (),
        imported: Collection[str] = (),
        variable_members: VariableMembers | None = None,
    ) -> None:
        self.pair, self.use, self.file = pair, use, file
        self._keywords, self._imported = keywords, imported
        self._variable_members = variable_members
        self._owners: dict[frozenset[str], Owners] = {}

    def findings(self) -> Iterator[Finding]:
        for item in self._found():
            # What nothing runs runs as before; type checkers and documentation may still complain.
            yield replace(item, level=FindingLevel.INFO) if self.use.is_inert else item

    def _found(self) -> Iterator[Finding]:
        use = self.use
        if use.is_member and use.path.endswith(_MAKING):
            yield from self._called(use.path.removesuffix(_MAKING))  # by `super()`
            return
        if use.path and use.why is not Reason.MEMBER_NAME:
            for item in self._at(use.path):
                if not (item.kind in LOST and self._is_told_elsewhere(item.symbol)):
                    yield item
        elif use.is_member:
            told = list(self._whatever_class()) if not plain.is_usual(use) else []
            yield from told or self.of_returned()

    def _is_told_elsewhere(self, symbol: str) -> bool:
        """Where a value's class is now is nothing that the code has written.

        What another module of the project imports is told there.
        """
        use = self.use
        if f"{use.borrowed}.".startswith(f"{symbol}."):
            return True
        return use.is_member and symbol != use.path

    def guessed(self, tops: Collection[str]) -> Iterator[Finding]:
        """A member of a value that may be of another package: only what names tell is a finding.

        ``tops`` are the modules that the code imports of this package.
        """
        if plain.is_usual(self.use) or self.use.name[:1] == "_":
            return
        keywords = self.use.arguments.keywords if self.use.arguments else ()
        owners = self.owners(tops)
        if not owners.is_told:
            if self.use.arguments is None:
                return
            # Without a keyword, a name is of the package only if a class at its top has it.
            if not keywords and all(owner.count(".") > 1 for owner in owners.paths):
                return
        for item in self._by_names(tops):
            level = max(item.level, FindingLevel.WARNING, key=_LEVELS.index)
            yield replace(item, level=level, confidence=_GUESS)

    def is_lost(self, tops: Collection[str]) -> bool:
        """Whether the member, or a keyword that it is given, went from all that may be meant."""
        return any(True for _ in self._by_names(tops))

    def _by_names(self, tops: Collection[str]) -> Iterator[Finding]:
        keywords = self.use.arguments.keywords if self.use.arguments else ()
        for item in self._whatever_class(tops):
            if item.kind in LOST or item.parameter in keywords:
                yield item

    def of_returned(self) -> Iterator[Finding]:
        """A member that what a call gives now has not: it gives something of Python's own."""
        use = self.use
        found = self.pair.symbols(use.origin) if use.origin else None
        if found is None:
            return
        before, after = (one.signature.returns if one.signature else "" for one in found)
        kind = plain.class_of(after)
        other = plain.class_of(before)
        if kind is None or kind is other or hasattr(kind, use.name):
            return
        if found[1].kind not in FUNCTIONS or "overloaded" in found[1].traits:
            return
        if kind is type(None) or (other and not hasattr(other, use.name)):
            return
        text = f"{use.origin} returns {after} now, which has no {use.name}"
        yield self._finding(FindingKind.RETURN, FindingLevel.ERROR, use.origin, text)

    def _at(self, path: str) -> Iterator[Finding]:
        if not self.pair.was_there(path):
            return  # wrong before, or unknown
        gone = self.pair.lost(path)
        if gone:
            yield self._gone(gone)
            return
        found = self.pair.symbols(path)
        if found is None:
            return
        old, new = found
        told = self._deprecated(path, old, new) or self._other_kind(path, old, new)
        if told:
            yield told
        yield from self._called(path)

    def _called(self, path: str) -> Iterator[Finding]:
        """What a call meets; nothing if it is none."""
        calls = self.pair.calls(path) if self.use.arguments is not None else None
        for trouble in calls.troubles(self.use.arguments) if calls and self.use.arguments else ():
            if self.pair.is_downgrade and _is_harmless_before(trouble):
                continue
            if not (_is_swallowed(trouble) and self._hands_on(path, trouble.parameter)):
                yield self._trouble(path, trouble)

    def _hands_on(self, path: str, parameter: str) -> bool:
        found = self.pair.new.symbol(path)
        return found is not None and still_takes(found, path, parameter, self.pair.new)

    def _whatever_class(self, tops: Collection[str] = ()) -> Iterator[Finding]:
        """A member of a value of unknown class: a finding if it is one for each class it may be."""
        named = self.use.arguments is not None and self.use.arguments.keywords
        owners = self.owners(tops)
        is_told = named or owners.is_told
        if not is_told and self.pair.is_late_member(self.use.name):
            return
        told: list[list[Finding]] = []
        for owner in owners.paths:
            found = list(self._at(f"{owner}.{self.use.name}"))
            if not found or (told and {f.kind for f in found}.isdisjoint(f.kind for f in told[0])):
                return
            told.append(found)
        nearest = min(told, key=self._strangeness) if told else []
        for item in nearest:
            if item.symbol.rpartition(".")[2] != self.use.name:
                continue  # where a value's class is now is nothing that the code has written
            evidence = (*item.evidence, f"so for each of {len(owners.paths)} classes that have it")
            yield replace(item, confidence=min(item.confidence, 0.7), evidence=evidence)

    def owners(self, tops: Collection[str] = ()) -> Owners:
        key = frozenset(tops)
        if key not in self._owners:
            self._owners[key] = owners_of(self.pair, self.use, tops, self._variable_members)
        return self._owners[key]

    def _strangeness(self, found: Sequence[Finding]) -> tuple[bool, bool, int]:
        """How far a class is from what the file names: of several, the nearest one is told."""
        path = found[0].symbol
        is_of_owner = path.rpartition(".")[2] != self.use.name  # the whole class went
        is_imported = any(path.startswith(f"{place}.") for place in self._imported)
        return is_of_owner, not is_imported, path.count(".")

    # --- kinds of findings

    def _gone(self, path: str) -> Finding:
        _, new = self.pair.versions
        if self.pair.is_downgrade:
            text = f"{path} is not in {self.pair.package} {new} yet"
            return self._finding(FindingKind.NOT_YET, FindingLevel.ERROR, path, text)
        name = self.pair.old.find(path)
        canonical = self.pair.old.best(name.target) if name else ""
        change = self.pair.change(path, canonical)
        change = self.pair.beside(path, change) if change else None
        kind = _NAMES.get(change.kind, FindingKind.GONE) if change else FindingKind.GONE
        how = change.how if change else self.pair.advised(path)
        instead = change.replacement if change else how.path if how else ""
        instead = instead.removeprefix("builtins.")
        if kind is FindingKind.GONE:
            text = f"{path} is gone" + (f"; use {instead}" if instead else "")
        else:
            text = f"{path} is now {instead}"
        said = self.pair.new.surface.tombstones.get(path, "")
        evidence = (f"the error in {new}: {said}",) if said else ()
        found = self._finding(kind, FindingLevel.ERROR, path, text, evidence=evidence)
        found = replace(found, replacement=instead, how=how, is_fixable=bool(instead))
        return self._with_change(found, change)

    def _deprecated(self, path: str, old: Symbol, new: Symbol) -> Finding | None:
        told = new.deprecation
        if told is None or told.conditional or was_ending(path, old, told):
            return None
        if self.pair.is_downgrade:
            return None  # it warned before, or it will
        if not is_of(path, told):
            return None
        change = self.pair.change(path, self.pair.old.best(old.id))
        said = "warns" if told.message and not _DEPRECATED.search(told.message) else "is deprecated"
        text = f"{path} {said}" + (f": {told.message}" if told.message else "")
        found = self._finding(FindingKind.DEPRECATED, level_of(new), path, text)
        found = replace(found, since=told.since)
        return self._with_change(found, change)

    def _other_kind(self, path: str, old: Symbol, new: Symbol) -> Finding | None:
        """A method that is an attribute now, or the other way round; a coroutine."""
        is_call = self.use.arguments is not None
        if is_call and old.kind in _CALLABLE and new.kind is SymbolKind.PROPERTY:
            text = f"{path} is an attribute now, and is not called"
        elif not is_call and old.kind in _HELD and new.kind is SymbolKind.METHOD:
            text = f"{path} is a method now, and must be called"
        elif is_call and ("async" in new.traits) > ("async" in old.traits):
            text = f"{path} is a coroutine now, and must be awaited"
            return self._finding(FindingKind.RETURN, FindingLevel.ERROR, path, text)
        elif self.use.arguments and self.use.arguments.is_taken and may_be_none_now(old, new):
            text = f"{path} may return None now"
            return self._finding(FindingKind.RETURN, FindingLevel.WARNING, path, text)
        else:
            return None
        return self._finding(FindingKind.BEHAVIOUR, FindingLevel.ERROR, path, text)

    def _trouble(self, path: str, trouble: CallTrouble) -> Finding:
        kind = trouble.kind
        if self.pair.is_downgrade and kind in {
            FindingKind.PARAMETER_GONE,
            FindingKind.PARAMETER_RENAMED,
        }:
            kind = FindingKind.NOT_YET
        found = self._finding(
            kind,
            trouble.level,
            path,
            f"{path}: {trouble.message}",
            span=self._place_of(trouble.parameter),
            evidence=trouble.evidence,
        )
        return replace(
            found,
            parameter=trouble.parameter,
            replacement=trouble.replacement,
            confidence=round(found.confidence * trouble.confidence, 2),
        )

    def _place_of(self, parameter: str) -> Span:
        """Where a keyword stands; the name of what is called, of an argument by position."""
        call = self.use.call
        for item in self._keywords if call else ():
            if (
                call
                and item.name == parameter
                and item.path == self.use.path
                and _is_within(item.span, call)
            ):
                return item.span
        return self.use.span

    def _with_change(self, finding: Finding, change: Change | None) -> Finding:
        if change is None:
            return finding
        return replace(
            finding,
            replacement=change.replacement,
            how=change.how,
            evidence=(*finding.evidence, *change.evidence),
            is_fixable=bool(change.replacement),
        )

    def _finding(
        self,
        kind: FindingKind,
        level: FindingLevel,
        path: str,
        text: str,
        *,
        span: Span | None = None,
        evidence: tuple[str, ...] = (),
    ) -> Finding:
        use, place = self.use, span or self.use.span
        old, new = self.pair.versions
        return Finding(
            self.file,
            place.line,
            place.column,
            place.end_line,
            place.end_column,
            kind,
            level,
            use.package,
            old,
            new,
            path,
            use.written,
            with_class(text, path),
            evidence=evidence,
            confidence=_SURE[use.certainty],
        )


def _is_harmless_before(trouble: CallTrouble) -> bool:
    """Of an older release: it warned then, or its ``**keywords`` took what is named now."""
    return trouble.kind is FindingKind.DEPRECATED or _is_swallowed(trouble)


def _is_swallowed(trouble: CallTrouble) -> bool:
    """A parameter that ``**keywords`` take, of which nobody has warned."""
    return trouble.kind is FindingKind.PARAMETER_GONE and trouble.level is FindingLevel.INFO


def _is_within(inner: Span, outer: Span) -> bool:
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    return start and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
