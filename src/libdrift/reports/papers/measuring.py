"""The number of a cell: a metric over some answers of a run, or a difference of two runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import NOTHING, RatedMetric, rated
from libdrift.analysis.selecting import value_of
from libdrift.metrics.rates import rate_at_k
from libdrift.metrics.uncertainty import clustered_error
from libdrift.records import Observation, Score
from libdrift.records.scores import CLUSTERED


def narrowed(rows: Iterable[Observation], facts: Mapping[str, str]) -> list[Observation]:
    """The answers that have some facts."""
    return [
        row for row in rows if all(value_of(row, name) == value for name, value in facts.items())
    ]


def measured(run: ObservedRun, metric: str, facts: Mapping[str, str]) -> RatedMetric:
    """A metric over the answers that have some facts; ``hidden@5`` is pass@5 on hidden tests.

    What single answers do not have is looked for in the run's summary.
    """
    rows = narrowed(run.observations, facts)
    name, _, k = metric.partition("@")
    found = rated(rows, name) if k in {"", "1"} else _at_k(rows, name, int(k))
    return found if found.value is not None else _stored(run, metric, facts)


def _at_k(rows: Sequence[Observation], name: str, k: int) -> RatedMetric:
    outcomes: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if name in row.values:
            outcomes[row.task_id].append(row.values[name] == 1)
    found = rate_at_k(outcomes, k)
    kind = found.stderr_kind if found.stderr is not None else ""
    answers = sum(map(len, outcomes.values()))
    return RatedMetric(found.value, None, None, found.stderr, kind, found.n, answers)


def _stored(run: ObservedRun, metric: str, facts: Mapping[str, str]) -> RatedMetric:
    """From the scores that the run's summary has, by level and by one fact at most."""
    summary = run.description.get("summary")
    try:
        found = (summary or {}).get("scores", ())
        scores = msgspec.convert(found, tuple[Score, ...])
    except (AttributeError, msgspec.ValidationError):
        return NOTHING
    rest = {name: value for name, value in facts.items() if name != "level"}
    group = "=".join(*rest.items()) if len(rest) == 1 else "all"
    if len(rest) > 1:
        return NOTHING
    for score in scores:
        level = facts.get("level", score.split)
        if (score.split, score.group) != (level, group) or score.metric not in {
            metric,
            f"{metric}@1",
        }:
            continue
        return RatedMetric(
            score.value, None, None, score.stderr, score.stderr_kind, score.n, score.n
        )
    return NOTHING


def compared(
    before: Sequence[Observation], after: Sequence[Observation], metric: str
) -> RatedMetric:
    """The mean difference on the tasks that both answered, with its error over tasks."""
    first, second = means(before, metric), means(after, metric)
    common = sorted(first.keys() & second.keys())
    if not common:
        return NOTHING
    differences = [second[task] - first[task] for task in common]
    mean = sum(differences) / len(differences)
    error = clustered_error([one] for one in differences)
    kind = CLUSTERED if error is not None else ""
    return RatedMetric(mean, None, None, error, kind, len(common), len(common))


def means(rows: Iterable[Observation], metric: str) -> dict[str, float]:
    """The mean over each task's answers."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if metric in row.values:
            found[row.task_id].append(row.values[metric])
    return {task: sum(values) / len(values) for task, values in found.items()}
