"""Proof that a task is version-sensitive: its reference passes, a wrong-version answer fails.

A task is *verified* when the reference passes every split in the task's environment, and the
wrong-version answer fails the hidden tests there while it passes every split in its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from libdrift.execution.jobs import Job, Options, run_jobs
from libdrift.execution.scoring import program_for
from libdrift.records import Outcome, Split, Task
from libdrift.sandbox import Judgement


@dataclass(frozen=True, slots=True)
class AuditResult:
    task_id: str
    verified: bool
    reason: str


def audit(tasks: Iterable[Task], options: Options) -> list[AuditResult]:
    """Prove each task by execution; every one gets a result, in suite order."""
    chosen = list(tasks)
    jobs = [job for task in chosen for job in _jobs(task)]
    judged = {job.key: judgement for job, judgement in run_jobs(jobs, options)}
    return [_conclude(task, judged) for task in chosen]


def _jobs(task: Task) -> list[Job]:
    jobs = []
    for tests in task.tests:
        own = program_for(task, tests, task.reference)
        jobs.append(Job((task.id, "reference", tests.split), task.environment, own))
        if task.wrong is not None:
            wrong = program_for(task, tests, task.wrong.code)
            if tests.split is Split.HIDDEN:
                jobs.append(Job((task.id, "wrong", tests.split), task.environment, wrong))
            jobs.append(Job((task.id, "there", tests.split), task.wrong.environment, wrong))
    return jobs


def _conclude(task: Task, judged: dict[tuple[str, ...], Judgement]) -> AuditResult:
    mine = {key[1:]: judgement for key, judgement in judged.items() if key[0] == task.id}
    for (role, split), judgement in mine.items():
        if judgement.outcome is Outcome.INFRASTRUCTURE:
            return AuditResult(task.id, verified=False, reason=f"not proven: {judgement.reason}")
        if role == "reference" and judgement.outcome is not Outcome.PASSED:
            reason = f"the reference does not pass ({split}): {judgement.reason}"
            return AuditResult(task.id, verified=False, reason=reason)
    if task.wrong is None:
        return AuditResult(task.id, verified=False, reason="has no wrong-version answer")
    for (role, split), judgement in mine.items():
        passed = judgement.outcome is Outcome.PASSED
        if role == "wrong" and (passed or judgement.outcome is Outcome.TIMEOUT):
            reason = f"the wrong-version answer does not fail here: {judgement.outcome}"
            return AuditResult(task.id, verified=False, reason=reason)
        if role == "there" and not passed:
            where = ", ".join(task.wrong.environment.requirements)
            reason = f"the wrong-version answer fails at {where} too ({split}): {judgement.reason}"
            return AuditResult(task.id, verified=False, reason=reason)
    failed = mine["wrong", Split.HIDDEN].reason
    return AuditResult(task.id, verified=True, reason=f"wrong-version answer fails: {failed}")
