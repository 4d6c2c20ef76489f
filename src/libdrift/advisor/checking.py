"""What in one program is true at the source version and false at the target."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.advisor.binding import CallTrouble
from libdrift.advisor.releases import CheckedPackages, ReleasePair
from libdrift.languages.python import usage
from libdrift.languages.python.usage import PLAIN_NAMES, Certainty, Reason, Span, Use, UseKind
from libdrift.records import (
    Change,
    ChangeKind,
    Deprecation,
    Finding,
    FindingKind,
    FindingLevel,
    Symbol,
    SymbolKind,
)

_SURE = {Certainty.CERTAIN: 1.0, Certainty.LIKELY: 0.9, Certainty.GUESSED: 0.6}
_CALLABLE = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}
_HELD = {SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE}
# Messages that tell of some ways to use a thing, not of the thing.
_PARTIAL = re.compile(
    r"(?:support (?:for|of)|passing|giving|providing|setting|use of|using|calling|specifying)\b"
    r"|(?:the )?(?:default|arguments?|parameters?|keywords?|options?)\b|[^.]*\bdeprecated to \w"
    r"|(?:(?!deprecat)[^.])*\b(?:arguments?|parameters?|keywords?|options?)\b(?=[^.]*deprecat)",
    re.IGNORECASE,
)
# What a message begins with, if that is the name of something: "`a.b` is deprecated".
_SUBJECT = re.compile(
    r"(?:the |a )?(?::\w+:)?[`'\"]+[~.]?([\w.]+)(?:\(\))?[`'\"]+[^.]{0,40}?"
    r"\b(?:is|was|are|were|has been|have been)\b[^.]*deprecat",
    re.IGNORECASE,
)
_LOST = {FindingKind.GONE, FindingKind.RENAMED, FindingKind.MOVED, FindingKind.NOT_YET}
_NAMES = {
    ChangeKind.RENAMED: FindingKind.RENAMED,
    ChangeKind.MOVED: FindingKind.MOVED,
}


@dataclass(frozen=True, slots=True)
class CheckedCode:
    """Findings in the order of the file, or why it could not be read."""

    findings: tuple[Finding, ...] = ()
    problem: str = ""
    uses: int = 0


class CodeChecker:
    """Checks programs between releases that are loaded once."""

    def __init__(self, pairs: Iterable[ReleasePair]) -> None:
        self.pairs: Mapping[str, ReleasePair] = {pair.package: pair for pair in pairs}
        self._packages = CheckedPackages(self.pairs.values())
        self._tops = {root.partition(".")[0] for root in self._packages.roots}

    def check(self, code: str, file: str = "") -> CheckedCode:
        if not any(top in code for top in self._tops):
            return CheckedCode()
        tree = parsed(code)
        if isinstance(tree, str):
            return CheckedCode(problem=tree)
        try:
            if not usage.imports_any(tree, self._packages):
                return CheckedCode()
            reading = usage.read(tree, self._packages, self._types)
        except RecursionError:
            return CheckedCode(problem="nested too deep to be read")
        found = list(self._findings(reading.uses, file))
        imports = {use.span for use in reading.uses if use.kind is UseKind.IMPORT}
        return CheckedCode(tuple(_once(found, imports)), uses=len(reading.uses))

    def _types(self, package: str) -> usage.ReleaseTypes | None:
        pair = self.pairs.get(package)
        return pair.old_types if pair else None

    def _findings(self, uses: Sequence[Use], file: str) -> Iterator[Finding]:
        keywords = [use for use in uses if use.kind is UseKind.KEYWORD]
        imported = {use.path for use in uses if use.kind is UseKind.IMPORT and "." in use.path}
        for use in uses:
            pair = self.pairs.get(use.package)
            if pair is None or use.guard or use.kind is UseKind.KEYWORD:
                continue
            yield from UseCheck(pair, use, file, keywords, imported).findings()


class UseCheck:
    """One use between two releases."""

    def __init__(
        self,
        pair: ReleasePair,
        use: Use,
        file: str,
        keywords: Sequence[Use] = (),
        imported: Collection[str] = (),
    ) -> None:
        self.pair, self.use, self.file = pair, use, file
        self._keywords, self._imported = keywords, imported

    def findings(self) -> Iterator[Finding]:
        use = self.use
        if use.path and use.why is not Reason.MEMBER_NAME:
            for item in self._at(use.path):
                # Where a value's class is now is nothing that the code has written.
                if not (use.is_member and item.kind in _LOST and item.symbol != use.path):
                    yield item
        elif use.is_member and use.name not in PLAIN_NAMES:
            yield from self._whatever_class()

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
        if self.use.arguments is not None:
            calls = self.pair.calls(path)
            for trouble in calls.troubles(self.use.arguments) if calls else ():
                yield self._trouble(path, trouble)

    def _whatever_class(self) -> Iterator[Finding]:
        """A member of a value of unknown class: a finding if it is one for each class it may be."""
        owners = self.pair.owners(self.use.name)
        told: list[list[Finding]] = []
        for owner in owners:
            found = list(self._at(f"{owner}.{self.use.name}"))
            if not found or (told and {f.kind for f in found}.isdisjoint(f.kind for f in told[0])):
                return
            told.append(found)
        for item in min(told, key=self._strangeness) if told else ():
            evidence = (*item.evidence, f"so for each of {len(owners)} classes that have it")
            yield replace(item, confidence=min(item.confidence, 0.7), evidence=evidence)

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
        if told is None or told.conditional or old.deprecation is not None:
            return None
        if not _is_of(path, told):
            return None
        change = self.pair.change(path, self.pair.old.best(old.id))
        text = f"{path} is deprecated" + (f": {told.message}" if told.message else "")
        found = self._finding(FindingKind.DEPRECATED, FindingLevel.WARNING, path, text)
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
            text,
            evidence=evidence,
            confidence=_SURE[use.certainty],
        )


def advised(findings: Iterable[Finding], pairs: Mapping[str, ReleasePair]) -> Iterator[Finding]:
    """Findings with what the history tells of parameters that both signatures do not tell.

    Apart from the check, because all of both releases must be compared for it.
    """
    for item in findings:
        pair = pairs.get(item.package)
        change = None
        if pair and item.kind is FindingKind.PARAMETER_GONE and not item.replacement:
            change = pair.parameter_change(item.symbol, item.parameter)
        if change is None:
            yield item
            continue
        yield replace(
            item,
            replacement=change.replacement,
            how=change.how,
            message=f"{item.message}; use {change.replacement}",
            evidence=(*item.evidence, *change.evidence),
        )


def parsed(code: str) -> ast.Module | str:
    """The tree, or why there is none, in a line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of the code that is read
            return ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "nested too deep to be read"


def _is_of(path: str, told: Deprecation) -> bool:
    """Whether a deprecation is of the name itself: not of a way to call it, nor of another name."""
    if told.source == "warning" and not told.message:
        return False
    subject = _SUBJECT.match(told.message)
    if subject:
        parts = [part for part in subject[1].split(".") if part[:2] != "__"]  # A.__init__ is A's
        if parts[-1:] != [path.rpartition(".")[2]]:
            return False
    return not _PARTIAL.match(told.message)


def _is_within(inner: Span, outer: Span) -> bool:
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    return start and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _once(found: Sequence[Finding], imports: set[Span]) -> Iterator[Finding]:
    """Of a name that an import cannot bring, only the import is told; nothing is told twice."""
    missing = {item.symbol for item in found if _span(item) in imports and item.kind in _LOST}
    seen: set[tuple[object, ...]] = set()
    for item in found:
        key = (item.line, item.column, item.kind, item.symbol, item.parameter)
        follows = item.symbol in missing and _span(item) not in imports
        if key not in seen and not (follows and item.kind in _LOST):
            seen.add(key)
            yield item


def _span(item: Finding) -> Span:
    return Span(item.line, item.column, item.end_line, item.end_column)
