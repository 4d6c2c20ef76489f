"""Proof that a task holds: its reference passes, and a wrong-version answer fails.

A task is *verified* when the reference passes every split in the task's environment, and the
wrong-version answer fails the hidden tests there while it passes every split in its own. Of a
published benchmark, which has no wrong-version answers, only the first half can be proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from libdrift.execution.jobs import Options, run_jobs
from libdrift.execution.plan import Job
from libdrift.records import Outcome, Split, Task
from libdrift.sandbox import Judgement
from libdrift.scoring.verdicts import program_for


@dataclass(frozen=True, slots=True)
class SplitResult:
    """What became of the reference on one split; ``reason`` is empty for a pass."""

    split: Split
    outcome: Outcome
    reason: str

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED


@dataclass(frozen=True, slots=True)
class AuditResult:
    task_id: str
    verified: bool
    reason: str
    splits: tuple[SplitResult, ...] = ()


def audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    """Prove each task by execution; every one gets a result, in suite order."""
    chosen = list(tasks)
    jobs = [job for task in chosen for job in _jobs(task)]
    with closing(run_jobs(jobs, options)) as results:
        judged = {job.key: judgement for job, judgement in results}
    return [_conclude(task, judged) for task in chosen]


def _jobs(task: Task) -> list[Job]:
    if not task.reference.strip():
        return []
    jobs = []
    for tests in task.tests:
        own = program_for(task, tests, task.reference)
        place, reference = task.environment, task.reference
        jobs.append(Job((task.id, "reference", tests.split), place, own, reference))
        if task.wrong is not None:
            wrong = program_for(task, tests, task.wrong.code)
            if tests.split is Split.HIDDEN:
                jobs.append(Job((task.id, "wrong", tests.split), place, wrong, reference))
            jobs.append(Job((task.id, "there", tests.split), task.wrong.environment, wrong))
    return jobs


def _conclude(task: Task, judged: Mapping[tuple[str, ...], Judgement]) -> AuditResult:
    mine = {key[1:]: judgement for key, judgement in judged.items() if key[0] == task.id}
    splits = tuple(
        SplitResult(tests.split, found.outcome, _why(found))
        for tests in task.tests
        if (found := mine.get(("reference", tests.split)))
    )
    trouble = _trouble(task, mine, splits)
    if trouble:
        return AuditResult(task.id, verified=False, reason=trouble, splits=splits)
    if task.wrong is None:
        reason = "the reference passes; there is no wrong-version answer to run"
    else:
        reason = f"wrong-version answer fails: {mine['wrong', Split.HIDDEN].reason}"
    return AuditResult(task.id, verified=True, reason=reason, splits=splits)


def _why(judgement: Judgement) -> str:
    """A failure without words still is one: its outcome stands for the reason."""
    if judgement.outcome is Outcome.PASSED:
        return ""
    if judgement.outcome is Outcome.INFRASTRUCTURE:
        return f"not proven: {judgement.reason}"
    return judgement.reason or judgement.outcome.value


def _trouble(
    task: Task, mine: Mapping[tuple[str, ...], Judgement], splits: tuple[SplitResult, ...]
) -> str:
    """Why a task is not verified; empty if it is."""
    if not splits:
        return "has no reference" if task.tests else "has no tests"
    for judgement in mine.values():
        if judgement.outcome is Outcome.INFRASTRUCTURE:
            return f"not proven: {judgement.reason}"
    failing = [f"({item.split}): {item.reason}" for item in splits if not item.passed]
    if failing:
        return f"the reference does not pass {'; '.join(failing)}"
    if task.wrong is None:
        return ""
    for (role, split), judgement in mine.items():
        passed = judgement.outcome is Outcome.PASSED
        if role == "wrong" and (passed or judgement.outcome is Outcome.TIMEOUT):
            return f"the wrong-version answer does not fail here: {judgement.outcome}"
        if role == "there" and not passed:
            where = ", ".join(task.wrong.environment.requirements)
            return f"the wrong-version answer fails at {where} too ({split}): {judgement.reason}"
    return ""
