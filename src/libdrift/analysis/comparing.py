"""Runs beside one another, on the tasks that all of them answered.

A task counts once, with the mean of its answers. Differences are paired by task: their interval is
of tasks drawn with replacement, their test McNemar's exact one. Where tasks have several answers,
or a metric has values between 0 and 1, the tasks that are better in one run are tested against
those that are better in the other, in the same way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from libdrift.analysis.measuring import Measure, chosen_measures
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import AMOUNTS, RATIOS, RatedMetric, rated_values
from libdrift.analysis.selecting import check_fact, facts_of_all, natural, release_of, value_of
from libdrift.metrics.agreement import Agreement, agreement
from libdrift.metrics.intervals import clustered_interval, varies
from libdrift.metrics.paired import difference_interval, mcnemar, signs
from libdrift.metrics.uncertainty import bootstrap, clustered_error
from libdrift.records import Observation

_HALF = 0.5
# How like the reference an answer is: neither right nor wrong, even where all are 0 or 1.
_DEGREES = frozenset("ism pm ism_unchecked pm_unchecked f1_macro edit_similarity coverage".split())
_ALL = "all"


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Second minus first, over the same tasks."""

    first: str
    second: str
    measure: Measure
    group: str  # `all`, or the values of facts
    tasks: int
    value: float
    low: float | None  # of 95 %; None of fewer than two tasks
    high: float | None
    first_better: int  # tasks
    second_better: int
    p: float  # McNemar's exact test

    def to_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "measure": str(self.measure),
            "group": self.group,
            "tasks": self.tasks,
            "difference": self.value,
            "low": self.low,
            "high": self.high,
            "first_better": self.first_better,
            "second_better": self.second_better,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True)
class DiscordantTask:
    """A task that some runs solve and others do not."""

    task_id: str
    measure: Measure
    shares: tuple[float, ...]  # by run: the share of right answers
    errors: tuple[str, ...]  # by run: of the first failed answer
    library: str
    version: str

    def to_json(self, runs: Sequence[str]) -> dict[str, Any]:
        return {
            "task_id": self.task_id,
            "measure": str(self.measure),
            "library": self.library,
            "version": self.version,
            "solved": dict(zip(runs, self.shares, strict=True)),
            "errors": dict(zip(runs, self.errors, strict=True)),
        }


@dataclass(frozen=True, slots=True)
class MeasuredRuns:
    """One measure of all runs, over the tasks that they share."""

    measure: Measure
    common: int  # tasks that every run has answered
    union: int  # tasks that some run has answered
    rated: tuple[RatedMetric, ...]  # by run, over the common tasks
    differences: tuple[PairedDifference, ...]
    agreements: tuple[tuple[str, str, Agreement], ...]  # of what is right or wrong
    discordant: tuple[DiscordantTask, ...]

    def to_json(self, runs: Sequence[str]) -> dict[str, Any]:
        return {
            "measure": str(self.measure),
            "tasks": {"common": self.common, "union": self.union},
            "runs": {run: one.to_json() for run, one in zip(runs, self.rated, strict=True)},
            "differences": [one.to_json() for one in self.differences],
            "agreement": [
                {"first": first, "second": second, **one.to_json()}
                for first, second, one in self.agreements
            ],
            "discordant": [one.to_json(runs) for one in self.discordant],
        }


@dataclass(frozen=True, slots=True)
class VisibleGap:
    """How much more answers pass of the tests that they could see than of the hidden ones."""

    run: str
    tasks: int
    visible: float
    hidden: float
    value: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "tasks": self.tasks,
            "visible": self.visible,
            "hidden": self.hidden,
            "gap": self.value,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True)
class RunComparison:
    runs: tuple[str, ...]
    facts: tuple[str, ...]  # that differences are also given by
    measured: tuple[MeasuredRuns, ...]
    gaps: tuple[VisibleGap, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": list(self.runs),
            "by": list(self.facts),
            "measures": [one.to_json(self.runs) for one in self.measured],
            "visible_gap": [gap.to_json() for gap in self.gaps],
        }


def compare_runs(
    runs: Sequence[ObservedRun], by: Sequence[str] = (), metrics: Sequence[str] = ()
) -> RunComparison:
    """Every measure that all runs have, on the tasks that all of them answered."""
    every = [row for run in runs for row in run.observations]
    known = facts_of_all(every)
    for fact in by:
        check_fact(fact, known, "--by")
    measured = []
    for measure in chosen_measures(every, metrics):
        if measure.metric in RATIOS:
            continue  # of sums over tasks: a task alone has none. f1_macro compares
        found = _measured(runs, measure, by)
        if found is not None:
            measured.append(found)
    gaps = [gap for run in runs if (gap := visible_gap(run)) is not None]
    return RunComparison(tuple(run.label for run in runs), tuple(by), tuple(measured), tuple(gaps))


def task_means(observations: Iterable[Observation], metric: str) -> dict[str, float]:
    """The mean of a metric over each task's answers."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for row in observations:
        if metric in row.values:
            values[row.task_id].append(row.values[metric])
    return {task_id: sum(found) / len(found) for task_id, found in values.items()}


def paired_interval(
    pairs: Sequence[tuple[float, float]], *, share: bool = True
) -> tuple[float | None, float | None]:
    """Of the mean of second - first: by tasks drawn with replacement, or wider.

    Few tasks do not know their own spread: no interval is narrower than Student's t makes it. Where
    no task differs from another there is nothing to draw from: of shares, the interval is that of
    two independent ones then.
    """
    differences = [second - first for first, second in pairs]
    found = bootstrap((one, 1.0) for one in differences)
    error = clustered_error([one] for one in differences)
    if found is not None and varies(error):
        mean = sum(differences) / len(differences)
        low, high = clustered_interval(mean, error, len(pairs), share=False)
        lows, highs = [found.low], [found.high]
        lows += [] if low is None else [low]
        highs += [] if high is None else [high]
        limit = 1.0 if share else math.inf
        return max(-limit, min(lows)), min(limit, max(highs))
    if not share:
        return None, None
    sides = [
        rated_values({str(at): [pair[side]] for at, pair in enumerate(pairs)}) for side in (0, 1)
    ]
    first, second = ((one.value or 0.0, one.low or 0.0, one.high or 0.0) for one in sides)
    return difference_interval(first, second)


def visible_gap(run: ObservedRun) -> VisibleGap | None:
    """``None`` of a run whose tasks have not both kinds of tests."""
    visible, hidden = (task_means(run.observations, name) for name in ("visible", "hidden"))
    both = [task_id for task_id in hidden if task_id in visible]
    if not both:
        return None
    n = len(both)
    pairs = [(hidden[task_id], visible[task_id]) for task_id in both]
    low, high = paired_interval(pairs)
    return VisibleGap(
        run.label,
        n,
        sum(visible[task_id] for task_id in both) / n,
        sum(hidden[task_id] for task_id in both) / n,
        sum(second - first for first, second in pairs) / n,
        low,
        high,
    )


def _measured(
    runs: Sequence[ObservedRun], measure: Measure, by: Sequence[str]
) -> MeasuredRuns | None:
    rows = [measure.of(run.observations) for run in runs]
    means = [task_means(found, measure.metric) for found in rows]
    if not all(means):
        return None
    union = {task_id for found in means for task_id in found}
    common = [task_id for task_id in means[0] if all(task_id in found for found in means)]
    shared = set(common)
    groups = {_ALL: common, **_groups(rows[0], common, by)}
    labels = [run.label for run in runs]
    pairs = list(combinations(range(len(runs)), 2))
    differences = [
        _difference(
            (labels[a], labels[b]), measure, group, [(means[a][t], means[b][t]) for t in ts]
        )
        for group, ts in groups.items()
        for a, b in pairs
        if ts
    ]
    judged = _is_judgement(rows, measure)
    solved = [[found[task_id] >= _HALF for task_id in common] for found in means]
    return MeasuredRuns(
        measure,
        len(common),
        len(union),
        tuple(measure.rate(row for row in found if row.task_id in shared) for found in rows),
        tuple(differences),
        tuple((labels[a], labels[b], agreement(solved[a], solved[b])) for a, b in pairs)
        if judged
        else (),
        _discordant(rows, measure, means, common) if judged else (),
    )


def _is_judgement(rows: Sequence[Sequence[Observation]], measure: Measure) -> bool:
    """Whether answers are right or wrong by it."""
    if measure.metric in AMOUNTS or measure.metric in _DEGREES:
        return False
    values = {
        row.values[measure.metric]
        for found in rows
        for row in found
        if measure.metric in row.values
    }
    return values <= {0.0, 1.0}


def _groups(
    observations: Sequence[Observation], common: Sequence[str], by: Sequence[str]
) -> dict[str, list[str]]:
    """Common tasks by the values of each fact: of those that tasks have, not single answers."""
    first: dict[str, Observation] = {}
    for row in observations:
        first.setdefault(row.task_id, row)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for fact in by:
        values: defaultdict[str, list[str]] = defaultdict(list)
        for task_id in common:
            value = value_of(first[task_id], fact)
            if value is not None:
                values[value].append(task_id)
        for value in sorted(values, key=natural):
            found[f"{fact}={value}"] = values[value]
    return dict(found)


def _difference(
    labels: tuple[str, str], measure: Measure, group: str, pairs: Sequence[tuple[float, float]]
) -> PairedDifference:
    differences = [second - first for first, second in pairs]
    low, high = paired_interval(pairs, share=measure.metric not in AMOUNTS)
    worse, better = signs(differences)
    return PairedDifference(
        *labels,
        measure,
        group,
        len(pairs),
        sum(differences) / len(pairs),
        low,
        high,
        worse,
        better,
        mcnemar(worse, better),
    )


def _discordant(
    rows: Sequence[Sequence[Observation]],
    measure: Measure,
    means: Sequence[Mapping[str, float]],
    common: Sequence[str],
) -> tuple[DiscordantTask, ...]:
    """Tasks that not all runs solve alike, those first that the runs are farthest apart on."""
    apart = [task_id for task_id in common if len({found[task_id] >= _HALF for found in means}) > 1]
    first: list[dict[str, Observation]] = []
    for found in rows:
        failed: dict[str, Observation] = {}
        for row in sorted(found, key=lambda one: (one.values.get(measure.metric, 1.0), one.sample)):
            failed.setdefault(row.task_id, row)
        first.append(failed)
    tasks = []
    for task_id in apart:
        about = first[0][task_id].facts
        tasks.append(
            DiscordantTask(
                task_id,
                measure,
                tuple(found[task_id] for found in means),
                tuple(found[task_id].facts.get("error", "") for found in first),
                about.get("library", ""),
                release_of(about) or "",
            )
        )
    return tuple(sorted(tasks, key=lambda one: min(one.shares) - max(one.shares)))
