"""What CODEMENV's paper looks at beside the three accuracies, from answers and verdicts.

*Parts of explanations*: of answers that explain, the share that has the kind of change right, the
version, and what takes the API's place, each for all labels of a sample (an API that is not
explained has all three wrong), and the share that explains all labels and nothing else.

*Inconsistency*: of samples that were located and migrated, the share that is located and not
migrated, and the other way. It says how little the one tells of the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from libdrift.execution import labels
from libdrift.execution.standing import PARTS
from libdrift.metrics.rates import success_rate
from libdrift.records import Attempt, Outcome, Score, Suite, Task, TaskKind, Verdict
from libdrift.scoring.measures import AnswerMeasures

LOCATED_ONLY, MIGRATED_ONLY = "located_not_migrated", "migrated_not_located"
_Values = defaultdict[str, defaultdict[str, list[bool]]]  # by group, then by task


def explain_parts(suite: Suite, attempts: Iterable[Attempt]) -> list[Score]:
    """Each part of explanations on its own, over all and by difficulty."""
    found: dict[str, _Values] = {name: _values() for name in ("named", *(part for part in PARTS))}
    for attempt, right in _explained(suite, attempts):
        task = suite.tasks[attempt.task_id]
        for name, holds in right.items():
            for group in _groups(task):
                found[name][group][task.id].append(holds)
    return [
        success_rate(outcomes).score(f"explain_{name}", TaskKind.EXPLAIN.value, group)
        for name, groups in found.items()
        for group, outcomes in groups.items()
    ]


def answer_parts(suite: Suite, attempts: Iterable[Attempt]) -> Iterator[AnswerMeasures]:
    """Whether each explanation has its parts right."""
    for attempt, right in _explained(suite, attempts):
        values = {f"explain_{name}": float(holds) for name, holds in right.items()}
        yield AnswerMeasures(attempt.task_id, attempt.sample, values)


def _explained(
    suite: Suite, attempts: Iterable[Attempt]
) -> Iterator[tuple[Attempt, dict[str, bool]]]:
    for attempt in attempts:
        task = suite.tasks[attempt.task_id]
        question = labels.of_task(task) if task.kind is TaskKind.EXPLAIN else None
        if question is not None:
            yield attempt, parts_right(labels.compare(attempt.raw, question), question.labels)


def parts_right(found: labels.ComparedLabels, wanted: Iterable[str]) -> dict[str, bool]:
    """Whether an answer names what it should, and has each part right of all of it."""
    names = list(wanted)
    explained = all(name in found.parts for name in names)
    parts = {
        part: explained and all(part not in found.parts[name] for name in names) for part in PARTS
    }
    return {"named": explained and not found.extra, **parts}


def inconsistency(suite: Suite, verdicts: Sequence[Verdict]) -> list[Score]:
    """How often one of locating and migrating works, and the other does not."""
    passed: defaultdict[tuple[str, int], dict[TaskKind, tuple[Task, bool]]] = defaultdict(dict)
    for verdict in verdicts:
        task = suite.tasks[verdict.task_id]
        if verdict.outcome.graded and task.kind in {TaskKind.LOCATE, TaskKind.MIGRATE}:
            sample = task.id.removesuffix(f"/{task.kind}")
            right = verdict.outcome is Outcome.PASSED
            passed[sample, verdict.sample][task.kind] = (task, right)
    found = {LOCATED_ONLY: _values(), MIGRATED_ONLY: _values()}
    for (sample, _), kinds in passed.items():
        if set(kinds) == {TaskKind.LOCATE, TaskKind.MIGRATE}:
            task, located = kinds[TaskKind.LOCATE]
            _, migrated = kinds[TaskKind.MIGRATE]
            for group in _groups(task):
                found[LOCATED_ONLY][group][sample].append(located and not migrated)
                found[MIGRATED_ONLY][group][sample].append(migrated and not located)
    return list(_scored(found))


def _scored(found: Mapping[str, _Values]) -> Iterator[Score]:
    for metric, groups in found.items():
        for group, outcomes in groups.items():
            yield success_rate(outcomes).score(metric, "", group)


def _groups(task: Task) -> list[str]:
    difficulty = task.facts.difficulty or task.language
    return ["all", f"difficulty={difficulty}"]


def _values() -> _Values:
    return defaultdict(lambda: defaultdict(list))
