"""Which numbers go together: metrics over the tasks of a run, over runs, and with a leaderboard."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from libdrift.analysis.comparing import task_means
from libdrift.analysis.measuring import Measure, measures_of
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import RATIOS
from libdrift.errors import UserError
from libdrift.metrics.correlation import Correlation, pearson, spearman

_LARGEST = 16 << 20  # bytes of a leaderboard


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """Two metrics over tasks or runs. ``None``: one of them does not vary, or too few points."""

    over: str  # the run whose tasks are the points, or `runs`
    first: str
    second: str
    n: int
    pearson: Correlation | None
    spearman: Correlation | None

    def to_json(self) -> dict[str, Any]:
        return {
            "over": self.over,
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "pearson": _json(self.pearson),
            "spearman": _json(self.spearman),
        }


def _json(found: Correlation | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"value": found.value, "low": found.low, "high": found.high, "p": found.p}


@dataclass(frozen=True, slots=True)
class Correlations:
    within: tuple[MetricCorrelation, ...]  # over the tasks of each run
    across: tuple[MetricCorrelation, ...]  # over runs
    leaderboard: tuple[MetricCorrelation, ...] = ()  # over runs, with the values of a file
    unmatched: tuple[str, ...] = ()  # runs that the leaderboard does not have

    def to_json(self) -> dict[str, Any]:
        return {
            "within_runs": [one.to_json() for one in self.within],
            "across_runs": [one.to_json() for one in self.across],
            "leaderboard": [one.to_json() for one in self.leaderboard],
            "not_on_the_leaderboard": list(self.unmatched),
        }


def correlate_runs(
    runs: Sequence[ObservedRun], leaderboard: Mapping[str, float] | None = None
) -> Correlations:
    """Every pair of metrics that have points in common."""
    within = tuple(one for run in runs for one in _within(run))
    values = [_values(run) for run in runs]
    names = list(dict.fromkeys(name for found in values for name in found))
    across = tuple(
        _correlated(
            "runs",
            first,
            second,
            [(one[first], one[second]) for one in values if first in one and second in one],
        )
        for first, second in combinations(names, 2)
        if sum(first in one and second in one for one in values) > 1
    )
    if leaderboard is None:
        return Correlations(within, across)
    places = [place_of(run, leaderboard) for run in runs]
    found = []
    for name in names:
        pairs = [
            (one[name], place)
            for one, place in zip(values, places, strict=True)
            if place is not None and name in one
        ]
        found.append(_correlated("runs", name, "leaderboard", pairs))
    unmatched = [run.label for run, place in zip(runs, places, strict=True) if place is None]
    if len(unmatched) == len(runs):
        raise UserError(
            "no run is on the leaderboard",
            f"Its first column must name runs, like {runs[0].label!r}",
        )
    return Correlations(within, across, tuple(found), tuple(unmatched))


def read_leaderboard(path: Path) -> dict[str, float]:
    """``name,value`` lines; a first line that has no number is a heading."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise UserError(f"{path} has over {_LARGEST >> 20} MB", "Give a file of name,value")
        lines = io.StringIO(content.decode("utf-8-sig"), newline="")
        rows = [row for row in csv.reader(lines) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"cannot read {path}: {error}", "A leaderboard is a CSV file") from error
    found: dict[str, float] = {}
    for number, row in enumerate(rows, start=1):
        try:
            name, value = row[0].strip(), float(row[1].strip().rstrip("%"))
        except (IndexError, ValueError):
            if number == 1:
                continue
            raise UserError(
                f"{path}: row {number} is not name,value", "Write a row like: gpt-4o,49.1"
            ) from None
        found[name.casefold()] = value
    if not found:
        raise UserError(f"{path} has no row", "Write rows like: gpt-4o,49.1")
    return found


def place_of(run: ObservedRun, leaderboard: Mapping[str, float]) -> float | None:
    """What the leaderboard has of a run: by its label, folder or model."""
    model = str(run.description.get("model") or "")
    for name in (run.label, run.name, model, model.rpartition("/")[2]):
        if name.casefold() in leaderboard:
            return leaderboard[name.casefold()]
    return None


def _within(run: ObservedRun) -> list[MetricCorrelation]:
    found = []
    measures = [one for one in measures_of(run.observations) if one.metric not in RATIOS]
    means = {one: task_means(one.of(run.observations), one.metric) for one in measures}
    for first, second in combinations(measures, 2):
        if not _same_tasks(first, second):
            continue
        a, b = means[first], means[second]
        pairs = [(a[task_id], b[task_id]) for task_id in a if task_id in b]
        if pairs:
            found.append(_correlated(run.label, str(first), str(second), pairs))
    return found


def _same_tasks(first: Measure, second: Measure) -> bool:
    return not first.level or not second.level or first.level == second.level


def _values(run: ObservedRun) -> dict[str, float]:
    rates = {str(one): one.rate(run.observations).value for one in measures_of(run.observations)}
    return {name: value for name, value in rates.items() if value is not None}


def _correlated(
    over: str, first: str, second: str, pairs: Sequence[tuple[float, float]]
) -> MetricCorrelation:
    a, b = [one for one, _ in pairs], [one for _, one in pairs]
    return MetricCorrelation(over, first, second, len(pairs), pearson(a, b), spearman(a, b))
