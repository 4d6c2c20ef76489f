"""A metric over some answers: its value, what it may be, and of how much it is made.

Answers to one task depend on one another, so an interval counts tasks. It has a width also of one
answer, or where all are right: Wilson's, with as many outcomes as the answers are worth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.metrics.intervals import clustered_interval, wilson
from libdrift.metrics.uncertainty import RatioSums, binomial_error
from libdrift.records import Observation
from libdrift.records.scores import BINOMIAL, CLUSTERED

COUNTS = ("tp", "fp", "fn")
# Ratios of sums over all answers: not means of what each answer has.
RATIOS: dict[str, Callable[[float, float, float], tuple[float, float]]] = {
    "f1": lambda tp, fp, fn: (2 * tp, 2 * tp + fp + fn),
    "precision": lambda tp, fp, _fn: (tp, tp + fp),
    "recall": lambda tp, _fp, fn: (tp, tp + fn),
}
# In the order that tables have them; others follow.
ORDER = (
    *"hidden visible locate explain migrate compile em ism pm cdc f1 precision recall".split(),
    *"f1_macro id_em edit_similarity api_usage coverage api_hit_rate api_hit_rate_released".split(),
)
# Of texts: numbers of different levels do not compare.
OF_TEXTS = frozenset(
    "em ism pm cdc ism_unchecked pm_unchecked f1 precision recall f1_macro id_em"
    " edit_similarity".split()
)
# Not shares of one: their intervals are not Wilson's, and they are no per cent.
AMOUNTS = frozenset({"pylint_before", "pylint_after", "rounds", "seconds", "cost"})


@dataclass(frozen=True, slots=True)
class RatedMetric:
    """A metric over some answers. No data is ``None``, never 0."""

    value: float | None
    low: float | None
    high: float | None
    stderr: float | None
    stderr_kind: str
    tasks: int
    answers: int

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "stderr": self.stderr,
            "stderr_kind": self.stderr_kind,
            "tasks": self.tasks,
            "answers": self.answers,
        }


NOTHING = RatedMetric(None, None, None, None, "", 0, 0)


def metrics_of(observations: Iterable[Observation]) -> list[str]:
    """The metrics that some answer has, in the order of the tables."""
    found: dict[str, None] = {}
    for row in observations:
        found |= dict.fromkeys(row.values)
    if not found.keys().isdisjoint(COUNTS):
        found |= dict.fromkeys(RATIOS)
    names = [name for name in found if name not in COUNTS]
    return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def rated(observations: Iterable[Observation], metric: str) -> RatedMetric:
    """A metric over answers: the mean over tasks of what each task's answers have on average.

    F1, precision and recall are ratios of sums, and the other numbers of API expressions means
    over answers, as their papers have them.
    """
    if metric in RATIOS:
        return _ratio(_counts(observations), RATIOS[metric])
    values: defaultdict[str, list[float]] = defaultdict(list)
    by_answer = False
    for row in observations:
        value = row.values.get(metric)
        if value is not None:
            values[row.task_id].append(value)
            by_answer = by_answer or "tp" in row.values
    return rated_values(values, metric, by_answer=by_answer)


def rated_values(
    values: Mapping[str, Sequence[float]], metric: str = "", *, by_answer: bool = False
) -> RatedMetric:
    """The same of numbers by task; ``by_answer`` every answer counts the same.

    The standard error of one outcome a task is binomial, and of what texts are compared by that of
    a mean, as runs have them.
    """
    groups = [group for group in values.values() if group]
    if not groups:
        return NOTHING
    answers = sum(map(len, groups))
    if by_answer:
        clusters = [(sum(group), float(len(group))) for group in groups]
    else:
        clusters = [(sum(group) / len(group), 1.0) for group in groups]
    judged = metric not in OF_TEXTS and metric not in AMOUNTS
    if judged and answers == len(groups) and all(group[0] in {0.0, 1.0} for group in groups):
        right = round(sum(above for above, _ in clusters))
        error = binomial_error(right, answers)
        return RatedMetric(
            right / answers, *wilson(right, answers), error, BINOMIAL, answers, answers
        )
    return _clustered(clusters, answers, share=metric not in AMOUNTS)


def _clustered(
    clusters: Sequence[tuple[float, float]], answers: int, *, share: bool = True
) -> RatedMetric:
    """A ratio of sums over tasks, in the same arithmetic as a run's own scores."""
    sums = RatioSums()
    for above, below in clusters:
        sums.add(above, below)
    value, error = sums.value, sums.stderr
    if value is None:
        return RatedMetric(None, None, None, None, "", len(clusters), answers)
    interval = clustered_interval(value, error, len(clusters), share=share)
    kind = CLUSTERED if error is not None else ""
    return RatedMetric(value, *interval, error, kind, len(clusters), answers)


def _counts(observations: Iterable[Observation]) -> list[list[tuple[float, float, float]]]:
    found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for row in observations:
        if "tp" in row.values:
            tp, fp, fn = (row.values[name] for name in COUNTS)
            found[row.task_id].append((tp, fp, fn))
    return list(found.values())


def _ratio(
    groups: Sequence[Sequence[tuple[float, float, float]]],
    ratio: Callable[[float, float, float], tuple[float, float]],
) -> RatedMetric:
    clusters = [ratio(*(sum(counts) for counts in zip(*group, strict=True))) for group in groups]
    return _clustered(clusters, sum(map(len, groups)))
