"""How far changes that the history tells are so: each tried by the examples that meet it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from libdrift.languages.python.usage import Use, UseKind
from libdrift.mining.examples.attributing import ExampleRelease
from libdrift.mining.examples.comparing import ExampleRun
from libdrift.mining.examples.extracting import DocExample
from libdrift.records import Change, ChangeKind, Reliability

_GONE = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED}
_LOST = {"removed", "renamed"}  # aspects of a signature after which a keyword is refused
_BOUNDS = (0.0, 0.7, 0.9, 1.0)  # stated confidence: below the next, and 1.0 alone

Runs = Mapping[tuple[str, ...], ExampleRun]


@dataclass(frozen=True, slots=True)
class Tried:
    change: Change
    confirmed: bool


def tried(
    changes: Iterable[Change],
    releases: tuple[ExampleRelease, ExampleRelease],
    runs: tuple[Runs, Runs],
) -> list[Tried]:
    """Those changes that some example meets, and whether one of them shows it."""
    old, new = releases
    wanted = [change for change in changes if _is_testable(change)]
    by_name: dict[str, list[Change]] = defaultdict(list)
    for change in wanted:
        for path in (change.path, *change.aliases):
            by_name[path.rpartition(".")[2]].append(change)
    shown: dict[Change, bool] = {}
    for example, release in _examples(old, new):
        text = "\n".join(example.key)
        met = {name for name in set(re.findall(r"\w+", text)) if name in by_name}
        if not met:
            continue
        candidates = dict.fromkeys(change for name in met for change in by_name[name])
        pair = tuple(found.get(example.key) for found in runs)
        for at, uses in enumerate(release.uses.of(example)):
            for change in candidates:
                verdict = _verdict(change, at, uses, pair, of_old=release is old)
                if verdict is not None:
                    shown[change] = shown.get(change, False) or verdict
    return [Tried(change, confirmed) for change, confirmed in shown.items()]


def _examples(
    old: ExampleRelease, new: ExampleRelease
) -> Iterator[tuple[DocExample, ExampleRelease]]:
    for release in (old, new):
        for example in release.examples.found.values():
            yield example, release


def _is_testable(change: Change) -> bool:
    if change.kind is ChangeKind.SIGNATURE:
        return change.aspect in _LOST and bool(change.parameter)
    kinds = {*_GONE, ChangeKind.DEPRECATED, ChangeKind.INTRODUCED}
    return change.kind in kinds and not change.parameter


def _verdict(
    change: Change,
    at: int,
    uses: Sequence[Use],
    pair: Sequence[ExampleRun | None],
    *,
    of_old: bool,
) -> bool | None:
    """Whether a statement shows a change; nothing where it does not meet it, or was not reached."""
    if of_old == (change.kind is ChangeKind.INTRODUCED):
        return None
    paths = {change.path, *change.aliases}
    if change.kind is ChangeKind.SIGNATURE:
        uses = [use for use in uses if use.kind is UseKind.KEYWORD and use.name == change.parameter]
    # As it is written: another name of the same thing may stay when this one goes.
    if not any((use.is_member and use.canonical in paths) or use.path in paths for use in uses):
        return None
    before, after = (
        run.statements[at] if run and at < len(run.statements) else None for run in pair
    )
    if before is None or after is None:
        return None
    if change.kind is ChangeKind.INTRODUCED:
        return None if after.failed else before.failed
    if before.failed:
        return None
    if change.kind is ChangeKind.DEPRECATED:
        return bool(after.warnings)
    return after.failed


def table(found: Sequence[Tried]) -> tuple[Reliability, ...]:
    """Stated confidence against the share that is confirmed, for each kind."""
    cells: dict[tuple[str, float, float], list[bool]] = defaultdict(list)
    for item in found:
        stated = item.change.confidence
        low = max(bound for bound in _BOUNDS if bound <= stated)
        high = min((bound for bound in _BOUNDS if bound > low), default=1.0)
        cells[item.change.kind.value, low, high].append(item.confirmed)
    order = [kind.value for kind in ChangeKind]
    return tuple(
        Reliability(kind, low, high, len(some), sum(some))
        for (kind, low, high), some in sorted(
            cells.items(), key=lambda cell: (order.index(cell[0][0]), -cell[0][1])
        )
    )
