"""`libdrift judge --tasks`: what a model says of the quality of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import suites
from libdrift.cli import common
from libdrift.cli.judge_run import Bench, Summary, agreed, number, percent, title
from libdrift.evals import judging
from libdrift.evals.judge import ASPECTS, of_task
from libdrift.evals.judging import Judge, Sitting
from libdrift.execution import RunFolder
from libdrift.execution.runs import RUNS, folder_name
from libdrift.metrics.agreement import agreement

if TYPE_CHECKING:
    from libdrift.config import Settings

_SHOWN = 20  # tasks that fail, on a terminal
_NAMES = [aspect.name for aspect in ASPECTS]


def tasks_of(
    name: str, judge: Judge, settings: Settings, limit: int | None, out: Path | None
) -> Bench:
    """The quality of tasks; beside it stands, where a suite has one, the audit's list."""
    suite = suites.load(name, settings)
    chosen = list(islice(suite.tasks.values(), limit))
    folder = RunFolder(out or Path(RUNS) / folder_name(Path(suite.name).name, judge.name))
    audited = {item.task_id: item.verified for item in suites.verified(suite).values()}

    def conclude(sitting: Sitting) -> Summary:
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
            "run": common.relative(folder.path),
            "suite": suite.name,
            "tasks": len(chosen),
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

    return Bench([one for task in chosen for one in of_task(task)], folder, conclude, _show_tasks)


def _aspects(task_id: str, sitting: Sitting) -> dict[str, bool | None]:
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


def _counted(name: str, good: Sequence[bool | None]) -> Summary:
    counts = Counter(good)
    return {
        "question": name,
        "pass": counts[True],
        "fail": counts[False],
        "no_verdict": counts[None],
    }


def _failing(good: dict[str, dict[str, bool | None]], sitting: Sitting) -> Iterator[dict[str, str]]:
    for task_id, aspects in good.items():
        for name, passed in aspects.items():
            if passed is False:
                reason = sitting.judgements[task_id, _NAMES.index(name)].reason
                yield {"task_id": task_id, "question": name, "reason": reason}


def _show_tasks(summary: Summary) -> None:
    from rich.table import Table

    table = Table(
        "question",
        "pass",
        "fail",
        "no verdict",
        title=title(summary),
    )
    wanted = {aspect.name: aspect.good for aspect in ASPECTS}
    for row in summary["questions"]:
        name = row["question"]
        shown = name if wanted.get(name, True) else f"{name} (no is a pass)"
        table.add_row(shown, str(row["pass"]), str(row["fail"]), str(row["no_verdict"]))
    common.stdout().print(table)
    for item in summary["failing"][:_SHOWN]:
        print(f"{item['task_id']}: {item['question']}: {item['reason']}")
    if len(summary["failing"]) > _SHOWN:
        more = len(summary["failing"]) - _SHOWN
        print(f"… and {more} more in {summary['run']}/{judging.JUDGEMENTS}")
    if summary["audit"] is not None:
        audit = summary["audit"]
        print(
            f"with the audit: agreement {percent(audit['agreement'])} % of {audit['n']}, "
            f"kappa {number(audit['kappa'])}"
        )
