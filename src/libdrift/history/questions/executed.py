"""What running examples showed, as changes and as evidence for changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences import replacements
from libdrift.history.store import Store
from libdrift.history.store import trials as kept
from libdrift.records import (
    Change,
    ChangeKind,
    ExampleFinding,
    ExampleOutcome,
    ExampleTrial,
    Surface,
    SymbolKind,
)

_LONGEST = 70  # characters of a statement or an output, in a line for people
_SURE, _LIKELY = 1.0, 0.9
_GONE = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED}
_OF_REPLACEMENTS = {ExampleOutcome.REPLACED, ExampleOutcome.REFUSED}
_OF_EXISTENCE = {  # kinds that an outcome proves; who succeeds a name is another question
    ChangeKind.REMOVED,
    ChangeKind.SIGNATURE,
    ChangeKind.DEPRECATED,
    ChangeKind.INTRODUCED,
}
_ABSENT = ("AttributeError:", "ImportError:", "ModuleNotFoundError:")
_ASPECTS = {
    ExampleOutcome.DIFFERS: "output",
    ExampleOutcome.SPELLED: "repr",
    ExampleOutcome.FAILS: "raises",
    ExampleOutcome.RUNS: "accepts",
}


@dataclass(frozen=True, slots=True)
class SeenByRunning:
    """One finding about a symbol, and between which releases."""

    old: str
    new: str
    text: str
    finding: ExampleFinding


def seen(store: Store, package: str, paths: Sequence[str]) -> tuple[SeenByRunning, ...]:
    """What examples showed of a symbol, in version order."""
    return tuple(
        SeenByRunning(trial.old, trial.new, describe(finding), finding)
        for trial in kept.trials(store, package)
        for finding in kept.findings(store, trial, paths)
    )


def findings_between(
    store: Store, package: str, order: Sequence[str]
) -> tuple[list[ExampleFinding], bool]:
    """Those between the first and the last of these versions; and whether all of it was tried."""
    tried = kept.trials(store, package)
    ends = (order[0], order[-1])
    exact = [trial for trial in tried if (trial.old, trial.new) == ends]
    chosen = exact or [trial for trial in tried if {trial.old, trial.new} <= set(order)]
    found = [finding for trial in chosen for finding in kept.findings(store, trial)]
    return found, _reaches(chosen, *ends)


def _reaches(tried: Iterable[ExampleTrial], start: str, end: str) -> bool:
    reached = {start}
    for trial in tried:  # in version order
        if trial.old in reached:
            reached.add(trial.new)
    return end in reached


def with_findings(
    changes: Sequence[Change],
    findings: Sequence[ExampleFinding],
    surfaces: tuple[Surface, Surface],
) -> list[Change]:
    """The changes with what proves them, and what only running shows."""
    changes = with_trials(changes, findings)
    findings = [finding for finding in findings if finding.outcome not in _OF_REPLACEMENTS]
    proofs: dict[int, list[ExampleFinding]] = {}
    unexplained: list[ExampleFinding] = []
    for finding in findings:
        at = [number for number, change in enumerate(changes) if _explains(change, finding)]
        for number in at:
            proofs.setdefault(number, []).append(finding)
        if not at:
            unexplained.append(finding)
    found = [
        _proven(change, proofs[number]) if number in proofs else change
        for number, change in enumerate(changes)
    ]
    return found + [_change(finding, surfaces) for finding in unexplained]


def with_trials(changes: Sequence[Change], findings: Iterable[ExampleFinding]) -> list[Change]:
    """The changes, each replacement that examples were written with as good as it was there."""
    tried: dict[tuple[str, str, str], ExampleFinding] = {}
    for finding in findings:
        if finding.outcome in _OF_REPLACEMENTS:
            parameter = finding.keywords[0][len(finding.path) + 1 : -1] if finding.keywords else ""
            tried[finding.path, parameter, finding.message] = finding
    return [_tried(change, tried) for change in changes] if tried else list(changes)


def _tried(change: Change, tried: Mapping[tuple[str, str, str], ExampleFinding]) -> Change:
    if change.how is None:
        return change
    keys = [(path, change.parameter, change.how.path) for path in (change.path, *change.aliases)]
    finding = next((tried[key] for key in keys if key in tried), None)
    if finding is None:
        return change
    is_same = finding.outcome is ExampleOutcome.REPLACED
    return replacements.with_proof(change, f"by running: {describe(finding)}", is_same=is_same)


def _explains(change: Change, finding: ExampleFinding) -> bool:
    """Whether a finding is what a change that is known would lead to."""
    paths = {change.path, *change.aliases}
    used = {finding.path, *finding.uses}
    met = any(
        path in paths or any(path.startswith(f"{whole}.") for whole in paths) for path in used
    )
    match finding.outcome:
        case ExampleOutcome.FAILS:
            if change.kind is ChangeKind.SIGNATURE and change.breaking:
                return _by_keyword(change, finding)
            return met and change.kind in _GONE
        case ExampleOutcome.RUNS:
            if change.kind is ChangeKind.SIGNATURE:
                return _by_keyword(change, finding)
            if change.kind in {ChangeKind.RENAMED, ChangeKind.MOVED}:
                return change.replacement in used
            return met and change.kind is ChangeKind.INTRODUCED
        case ExampleOutcome.WARNS:
            if change.kind is not ChangeKind.DEPRECATED:
                return False
            return _by_keyword(change, finding) if change.parameter else met
    return False


def _by_keyword(change: Change, finding: ExampleFinding) -> bool:
    paths = (change.path, *change.aliases)
    return any(f"{path}({change.parameter})" in finding.keywords for path in paths)


def _proven(change: Change, findings: Sequence[ExampleFinding]) -> Change:
    texts = tuple(f"by running: {describe(finding)}" for finding in findings[:1])
    sure = _SURE if change.kind in _OF_EXISTENCE else change.confidence
    return replace(change, evidence=(*change.evidence, *texts), confidence=sure)


def _change(finding: ExampleFinding, surfaces: tuple[Surface, Surface]) -> Change:
    """A change that only running shows."""
    old, new = surfaces
    symbol = old.resolve(finding.path) or new.resolve(finding.path)
    kind = _kind(finding)
    documented = finding.is_documented or finding.count > 1
    return Change(
        old.release.package,
        old.release.version,
        new.release.version,
        kind,
        finding.path,
        (symbol.kind if symbol else SymbolKind.UNKNOWN).value,
        aspect=_ASPECTS[finding.outcome] if kind is ChangeKind.BEHAVIOUR else "",
        before=finding.before,
        after=finding.after,
        detail=finding.message if kind is ChangeKind.DEPRECATED else describe(finding),
        breaking=finding.outcome is ExampleOutcome.FAILS,
        evidence=(
            f"example: {finding.code}",
            f"before: {finding.before}",
            f"after: {finding.after}",
        ),
        confidence=_SURE if documented else _LIKELY,
        aliases=finding.also,
    )


def _kind(finding: ExampleFinding) -> ChangeKind:
    """What running shows of a name that reading did not see go, or come."""
    match finding.outcome:
        case ExampleOutcome.WARNS:
            return ChangeKind.DEPRECATED
        case ExampleOutcome.FAILS if _misses(finding.after, finding.path):
            return ChangeKind.REMOVED
        case ExampleOutcome.RUNS if _misses(finding.before, finding.path):
            return ChangeKind.INTRODUCED
    return ChangeKind.BEHAVIOUR


def _misses(error: str, path: str) -> bool:
    """Whether an error says that a path is not there."""
    return error.startswith(_ABSENT) and path.rpartition(".")[2] in re.findall(r"\w+", error)


def describe(finding: ExampleFinding) -> str:
    """In one line: the statement, and what came of it in both releases."""
    code = _short(finding.statement or finding.code)
    before, after = _short(finding.before), _short(finding.after)
    match finding.outcome:
        case ExampleOutcome.DIFFERS:
            return f"`{code}` gives {after}, gave {before}"
        case ExampleOutcome.SPELLED:
            return f"printed as {after}, was {before}"
        case ExampleOutcome.FAILS:
            return f"`{code}` raises {after}"
        case ExampleOutcome.RUNS:
            return f"`{code}` runs, raised {before}"
        case ExampleOutcome.REPLACED:
            return f"`{code}` gives what it gave before: {after}"
        case ExampleOutcome.REFUSED:
            return f"`{code}`, written with {finding.message}, raises {after}"
    return f"`{code}` warns: {_short(finding.message)}"


def _short(text: str) -> str:
    line = " ".join(text.split()) or "nothing"
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
