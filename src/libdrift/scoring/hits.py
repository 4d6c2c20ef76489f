"""API hit rates of answers: read from their text, never run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from libdrift.metrics import api_hits
from libdrift.metrics.rates import success_rate
from libdrift.records import Attempt, Score, Suite, Task, TaskKind
from libdrift.scoring.answers import extract_code, refusal
from libdrift.scoring.measures import AnswerMeasures


@dataclass(frozen=True, slots=True)
class Hits:
    scores: tuple[Score, ...] = ()
    without_truth: int = 0  # answers left out of the fixed rate: their task's truth has no call
    measures: tuple[AnswerMeasures, ...] = ()  # of each answer


def hit_rates(suite: Suite, attempts: Sequence[Attempt]) -> Hits:
    """The rate, fixed and as released, for a suite that publishes what its solutions call.

    Other suites have none. Tasks of such a suite that publish no call still count in the released
    rate, as they do there.
    """
    if not attempts or not any(map(_has_calls, suite.tasks.values())):
        return Hits()
    fixed: defaultdict[str, list[bool]] = defaultdict(list)
    released: defaultdict[str, list[bool]] = defaultdict(list)
    truths: dict[str, frozenset[str]] = {}
    without_truth = 0
    measures = []
    for attempt in attempts:
        task = suite.tasks[attempt.task_id]
        if task.id not in truths:
            truths[task.id] = api_hits.truth_calls(task.starter, task.reference)
        # What is not worth running is not worth parsing either: no calls, and not parseable.
        refused = bool(refusal(attempt.raw) or refusal(attempt.code))
        values: dict[str, float] = {}
        if not truths[task.id]:
            without_truth += 1
        else:
            found = not refused and api_hits.hit(truths[task.id], attempt.code)
            fixed[task.id].append(bool(found))
            values["api_hit_rate"] = float(bool(found))
        as_released = None
        if not refused:
            code = extract_code(attempt.raw, any_fence=False)
            as_released = api_hits.released_hit(task.facts.api_calls, code)
        if as_released is not None:
            released[task.id].append(as_released)
            values["api_hit_rate_released"] = float(as_released)
        measures.append(AnswerMeasures(attempt.task_id, attempt.sample, values))
    both = {"api_hit_rate": fixed, "api_hit_rate_released": released}
    scores = tuple(success_rate(outcomes).score(metric) for metric, outcomes in both.items())
    return Hits(scores, without_truth, tuple(measures))


def _has_calls(task: Task) -> bool:
    # Other suites name the API at stake, which is not all that a solution calls.
    return (
        task.language == "python" and task.kind is TaskKind.GENERATE and any(task.facts.api_calls)
    )
