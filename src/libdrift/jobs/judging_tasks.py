"""Which questions a judge is asked of tasks, and what its verdicts say of their quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from libdrift import suites
from libdrift.config import Settings
from libdrift.evals.judge import ASPECTS, of_task
from libdrift.evals.judging import JudgeResult, ModelJudge
from libdrift.execution import RunFolder
from libdrift.execution.runs import RUNS, folder_name
from libdrift.jobs.judging_plans import JudgingPlan, JudgingSummary, agreed
from libdrift.metrics.agreement import agreement
from libdrift.scoring.descriptions import tasks_left_out
from libdrift.showing import relative

_NAMES = [aspect.name for aspect in ASPECTS]


def plan_tasks(
    name: str, judge: ModelJudge, settings: Settings, limit: int | None, out: Path | None
) -> JudgingPlan:
    """The quality of tasks; beside it stands, where a suite has one, the audit's list."""
    suite = suites.load(name, settings)
    chosen = list(islice(suite.tasks.values(), limit))
    folder = RunFolder(out or Path(RUNS) / folder_name(Path(suite.name).name, judge.name))
    audited = {item.task_id: item.verified for item in suites.verified(suite).values()}

    def conclude(sitting: JudgeResult) -> JudgingSummary:
        good = {task.id: _aspects(task.id, sitting) for task in chosen}
        whole = {
            task_id: _all(aspects)
            for task_id, aspects in good.items()
            if len(aspects) == len(ASPECTS) or False in aspects.values()
        }
        listed = [task_id for task_id in whole if task_id in audited]
        verified = agreement(
            [audited[task_id] for task_id in listed], [whole[task_id] for task_id in listed]
        )
        return {
            "run": relative(folder.path),
            "suite": suite.name,
            "tasks": len(chosen),
            **tasks_left_out(suite),
            "questions": [
                *(
                    _counted(name, [one[name] for one in good.values() if name in one])
                    for name in _NAMES
                ),
                _counted("all of them", list(whole.values())),
            ],
            "audit": agreed(verified, "audit", "judge") if listed else None,
            "failing": list(_failing(good, sitting)),
        }

    return JudgingPlan([one for task in chosen for one in of_task(task)], folder, conclude)


def _aspects(task_id: str, sitting: JudgeResult) -> dict[str, bool | None]:
    """Whether each reply speaks for the task, ``None`` where it says neither."""
    found: dict[str, bool | None] = {}
    for at, aspect in enumerate(ASPECTS):
        judgement = sitting.judgements.get((task_id, at))
        if judgement is not None:
            verdict = judgement.verdict
            found[aspect.name] = None if verdict is None else verdict is aspect.good
    return found


def _all(aspects: dict[str, bool | None]) -> bool | None:
    parts = aspects.values()
    if False in parts:
        return False
    return None if None in parts else True


def _counted(name: str, good: Sequence[bool | None]) -> JudgingSummary:
    counts = Counter(good)
    return {
        "question": name,
        "pass": counts[True],
        "fail": counts[False],
        "no_verdict": counts[None],
    }


def _failing(
    good: dict[str, dict[str, bool | None]], sitting: JudgeResult
) -> Iterator[dict[str, str]]:
    for task_id, aspects in good.items():
        for name, passed in aspects.items():
            if passed is False:
                reason = sitting.judgements[task_id, _NAMES.index(name)].reason
                yield {"task_id": task_id, "question": name, "reason": reason}
