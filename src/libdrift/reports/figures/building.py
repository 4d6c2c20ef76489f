"""Charts of answers: by a fact, over time, of two facts, of pairs of runs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import AMOUNTS, rated
from libdrift.analysis.selecting import natural, value_of
from libdrift.metrics.agreement import agreement
from libdrift.metrics.uncertainty import clustered_error
from libdrift.records import Observation
from libdrift.reports.figures.charts import (
    Axes,
    BarChart,
    BoxChart,
    HeatMap,
    LineChart,
    Mark,
    ScatterChart,
    ScatterPoint,
    Series,
)
from libdrift.reports.tables import DIMENSIONS

MOST_BARS = 6  # systems that bars tell apart; of more a map is made
MOST_LINES = 5
MOST_COLUMNS = 12  # of a map, where there are rows to turn them to
MOST_LABELS = 30  # of one axis that a page holds
# Facts whose values have an order: lines lead from one to the next.
ORDERED = frozenset({"year", "quarter", "version"})
MEANINGS = {
    "hidden": "success on hidden tests",
    "visible": "success on visible tests",
    "locate": "APIs located",
    "explain": "changes explained",
    "migrate": "code migrated",
    "compile": "migrated code that compiles",
    "em": "exact match",
    "ism": "ISM",
    "pm": "PM",
    "cdc": "CDC",
    "f1": "F1 of identifiers",
    "api_hit_rate": "API hit rate",
    "api_hit_rate_released": "API hit rate, as released",
    "api_usage": "API usage accuracy",
    "coverage": "tests passed per answer",
    "documents_precision": "precision of documents",
    "documents_recall": "recall of documents",
    "documents_mrr": "MRR of documents",
}


@dataclass(frozen=True, slots=True)
class NamedRows:
    """Answers of one system, under the name that a figure has for it."""

    name: str
    rows: tuple[Observation, ...]


def named(runs: Iterable[ObservedRun]) -> list[NamedRows]:
    return [NamedRows(run.label, run.observations) for run in runs]


def meaning(metric: str) -> str:
    return MEANINGS.get(metric, metric.replace("_", " "))


def mark(rows: Iterable[Observation], metric: str) -> Mark | None:
    """A metric over some answers, as a figure has it; ``None`` without any that was measured."""
    found = rated(rows, metric)
    if found.value is None:
        return None
    return Mark(found.value, found.low, found.high, found.answers)


def overall(
    name: str, title: str, systems: Sequence[NamedRows], metrics: Sequence[str]
) -> BarChart | None:
    """A bar for each system, or one for each of several metrics that compare."""
    series = []
    for metric in metrics:
        marks = {one.name: found for one in systems if (found := mark(one.rows, metric))}
        if marks:
            series.append(Series(metric.replace("_", " "), marks))
    labels = tuple(one.name for one in systems if any(one.name in s.marks for s in series))
    axes = Axes("system", _axis(metrics), _shares(metrics))
    return BarChart(name, title, labels, tuple(series), axes) if series else None


def by_fact(
    name: str, title: str, systems: Sequence[NamedRows], metric: str, fact: str
) -> BarChart | LineChart | HeatMap | None:
    """A metric by the values of a fact: bars, lines where they have an order, a map of many."""
    cells = by_values(systems, metric, fact)
    if fact == "version":
        cells = _without_library(cells)
    labels = tuple(sorted({label for _, label in cells}, key=natural))
    if fact not in ORDERED or len(labels) > MOST_LABELS:
        labels = _labels(systems, cells, fact)
    if not labels:
        return None
    series = tuple(
        Series(one.name, {label: cells[one.name, label] for label in labels
                          if (one.name, label) in cells})
        for one in systems
    )  # fmt: skip
    series = tuple(one for one in series if one.marks)
    axes = Axes(DIMENSIONS.get(fact, fact), _axis([metric]), _shares([metric]))
    lines = fact in ORDERED and len(labels) > 2  # noqa: PLR2004 - two places are compared as bars
    if len(series) > (MOST_LINES if lines else MOST_BARS):
        names = tuple(one.name for one in series)
        return _upright(HeatMap(name, title, names, labels, cells, axes, meaning(metric)))
    return (LineChart if lines else BarChart)(name, title, labels, series, axes)


def by_values(systems: Sequence[NamedRows], metric: str, fact: str) -> dict[tuple[str, str], Mark]:
    """The metric of each system and value of the fact."""
    cells = {}
    for one in systems:
        groups: defaultdict[str, list[Observation]] = defaultdict(list)
        for row in one.rows:
            if (value := value_of(row, fact)) is not None:
                groups[value].append(row)
        for value, rows in groups.items():
            if (found := mark(rows, metric)) is not None:
                cells[one.name, value] = found
    return cells


def _without_library(cells: Mapping[tuple[str, str], Mark]) -> dict[tuple[str, str], Mark]:
    """Versions of one library without its name: ``1.5`` for ``torch 1.5``."""
    libraries = {value.rpartition(" ")[0] for _, value in cells}
    if len(libraries) > 1:
        return dict(cells)
    return {(name, value.rpartition(" ")[2]): mark for (name, value), mark in cells.items()}


def crossed(
    name: str, title: str, system: NamedRows, metric: str, facts: tuple[str, str]
) -> HeatMap | None:
    """A metric of one system by two facts."""
    groups: defaultdict[tuple[str, str], list[Observation]] = defaultdict(list)
    for row in system.rows:
        first, second = value_of(row, facts[0]), value_of(row, facts[1])
        if first is not None and second is not None:
            groups[first, second].append(row)
    cells = {key: found for key, rows in groups.items() if (found := mark(rows, metric))}
    if not cells:
        return None
    names = most_frequent(system.rows, facts[0], {first for first, _ in cells})
    columns = tuple(sorted({second for _, second in cells}, key=natural))[:MOST_LABELS]
    axes = axes_of(facts[1], DIMENSIONS.get(facts[0], facts[0]))
    return HeatMap(name, title, names, columns, cells, axes, meaning(metric))


def spread(
    name: str, title: str, system: NamedRows, metric: str, facts: tuple[str, str], least: int = 3
) -> BoxChart | None:
    """A box for each value of the first fact, of the metric at each value of the second."""
    groups: defaultdict[str, defaultdict[str, list[Observation]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in system.rows:
        first, second = value_of(row, facts[0]), value_of(row, facts[1])
        if first is not None and second is not None:
            groups[first][second].append(row)
    samples = {}
    for label in most_frequent(system.rows, facts[0], set(groups)):
        values = [mark(rows, metric) for _, rows in sorted(groups[label].items())]
        known = tuple(one.value for one in values if one is not None)
        if len(known) >= least:
            samples[label] = known
    axes = Axes(DIMENSIONS.get(facts[0], facts[0]), _axis([metric]), _shares([metric]))
    return BoxChart(name, title, samples, axes) if samples else None


def agreeing(name: str, title: str, systems: Sequence[NamedRows], metric: str) -> HeatMap | None:
    """The share of common tasks that two systems both solve, or both do not, for every pair."""
    solved = {one.name: _solved(one.rows, metric) for one in systems}
    names = tuple(one.name for one in systems if solved[one.name])
    cells = {}
    for first, second in permutations(names, 2):  # not with itself, which agrees always
        common = [task for task in solved[first] if task in solved[second]]
        found = agreement(*([solved[one][task] for task in common] for one in (first, second)))
        if found.raw is not None:
            cells[first, second] = Mark(found.raw, n=found.n)
    if len(names) < 2:  # noqa: PLR2004 - nothing agrees with itself alone
        return None
    return HeatMap(name, title, names, names, cells, Axes(), "same verdict")


def failing(name: str, title: str, systems: Sequence[NamedRows], most: int = 12) -> BarChart | None:
    """How many answers fail with which error; the rarest are left out."""
    counts = {one.name: Counter(_errors(one.rows)) for one in systems}
    total: Counter[str] = Counter()
    for found in counts.values():
        total.update(found)
    labels = tuple(label for label, _ in sorted(total.items(), key=_largest)[:most])
    series = tuple(
        Series(one.name, {label: Mark(float(counts[one.name][label])) for label in labels})
        for one in systems
    )
    return (
        BarChart(name, title, labels, series, Axes("error", "answers", percent=False))
        if total
        else None
    )


def gained(
    name: str,
    title: str,
    pairs: Mapping[str, tuple[NamedRows, NamedRows]],
    metric: str,
    fact: str,
) -> BarChart | HeatMap | None:
    """The second's metric minus the first's by a fact, on the tasks that both answered."""
    cells = {}
    for label, (before, after) in pairs.items():
        first, second = _means(before.rows, metric), _means(after.rows, metric)
        values = {row.task_id: value for row in before.rows if (value := value_of(row, fact))}
        groups: defaultdict[str, list[float]] = defaultdict(list)
        for task in sorted(first.keys() & second.keys() & values.keys()):
            groups[values[task]].append(second[task] - first[task])
        for value, found in groups.items():
            cells[label, value] = difference(found)
    if not cells:
        return None
    rows = [row for before, _ in pairs.values() for row in before.rows]
    labels = most_frequent(rows, fact, {value for _, value in cells}, 10)
    names = tuple(pairs)
    axes = Axes(DIMENSIONS.get(fact, fact), f"difference of {meaning(metric)}")
    if len(names) > MOST_BARS:
        return _upright(HeatMap(name, title, names, labels, cells, axes, axes.y))
    series = [
        Series(one, {label: cells[one, label] for label in labels if (one, label) in cells})
        for one in names
    ]
    return BarChart(name, title, labels, tuple(series), axes)


def difference(values: Sequence[float]) -> Mark:
    """The mean of differences by task, plus and minus 1.96 standard errors where it varies."""
    mean = sum(values) / len(values)
    error = clustered_error([one] for one in values)
    if error is None:
        return Mark(mean, n=len(values))
    return Mark(mean, mean - 1.96 * error, mean + 1.96 * error, len(values))


def against(
    name: str,
    title: str,
    points: Mapping[str, tuple[float, float]],
    axes: Axes,
    *,
    fit: bool = True,
) -> ScatterChart | None:
    """A point for each system; a line through them, or the diagonal."""
    found = tuple(ScatterPoint(label, x, y) for label, (x, y) in points.items())
    if not found:
        return None
    return ScatterChart(name, title, found, axes, fit=fit, diagonal=not fit)


def most_frequent(
    rows: Iterable[Observation], fact: str, values: set[str], most: int = MOST_LABELS
) -> tuple[str, ...]:
    """The values that most answers have, in their order: by name where they have one."""
    counts = Counter(value for row in rows if (value := value_of(row, fact)) in values)
    chosen = [value for value, _ in sorted(counts.items(), key=_largest)[:most]]
    return tuple(sorted(chosen, key=natural) if fact in ORDERED else chosen)


def slug(text: str) -> str:
    """A text as a file's name."""
    return re.sub(r"[^a-z0-9.]+", "-", text.casefold()).strip("-.")[:80] or "figure"


def axes_of(fact: str, rows: str) -> Axes:
    return Axes(DIMENSIONS.get(fact, fact), rows)


def _upright(chart: HeatMap) -> HeatMap:
    """A map of systems by labels, without a name for the systems; many labels are rows."""
    if len(chart.column_labels) <= MOST_COLUMNS:
        return replace(chart, axes=replace(chart.axes, y=""))
    return replace(
        chart,
        row_labels=chart.column_labels,
        column_labels=chart.row_labels,
        cells={(column, row): mark for (row, column), mark in chart.cells.items()},
        axes=replace(chart.axes, x="", y=chart.axes.x),
    )


def _labels(
    systems: Sequence[NamedRows], cells: Mapping[tuple[str, str], Mark], fact: str
) -> tuple[str, ...]:
    rows = [row for one in systems for row in one.rows]
    return most_frequent(rows, fact, {value for _, value in cells})


def _largest(item: tuple[str, int]) -> tuple[int, object]:
    name, count = item
    return -count, natural(name)


def _axis(metrics: Sequence[str]) -> str:
    return meaning(metrics[0]) if len(metrics) == 1 else "share of answers"


def _shares(metrics: Sequence[str]) -> bool:
    """Whether they are shown in per cent; a mean of reciprocal ranks is no share of anything."""
    return not any(metric in AMOUNTS or metric.endswith("mrr") for metric in metrics)


def _errors(rows: Iterable[Observation]) -> list[str]:
    return [error for row in rows if (error := row.facts.get("error"))]


def _means(rows: Iterable[Observation], metric: str) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if metric in row.values:
            found[row.task_id].append(row.values[metric])
    return {task: sum(values) / len(values) for task, values in found.items()}


def _solved(rows: Iterable[Observation], metric: str) -> dict[str, bool]:
    """Of each task, whether at least half of its answers are right."""
    return {task: mean >= 0.5 for task, mean in _means(rows, metric).items()}  # noqa: PLR2004
