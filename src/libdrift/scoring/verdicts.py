"""From attempts to verdicts: each is judged on every split, into the folder of its run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from typing import Any

from libdrift.execution import Job, Options, RunFolder, run_jobs
from libdrift.records import (
    UNPROVEN,
    Attempt,
    Outcome,
    Split,
    Suite,
    Task,
    Tests,
    TestStyle,
    Verdict,
)
from libdrift.sandbox import Judgement, Program
from libdrift.scoring.answers import refusal
from libdrift.scoring.run_tasks import write_tasks


def score_attempts(
    suite: Suite,
    attempts: Sequence[Attempt],
    folder: RunFolder,
    description: dict[str, Any],
    options: Options,
) -> list[Verdict]:
    """Judge every attempt on every split, into ``folder``; what already exists is kept.

    ``description`` goes into ``run.json``; its ``fingerprint`` tells equal runs from others.
    """
    with folder.open(description) as known:
        write_tasks(folder, suite)
        wanted: list[tuple[Attempt, Tests]] = []
        for attempt in attempts:
            for tests in _task(suite, attempt).tests:
                if (attempt.task_id, attempt.sample, tests.split.value) in known:
                    continue
                refused = refusal(attempt.raw) or refusal(attempt.code)
                if refused:
                    where = (attempt.task_id, attempt.sample, tests.split)
                    folder.append(Verdict(*where, Outcome.REFUSED, refused))
                else:
                    wanted.append((attempt, tests))
        with closing(run_jobs(_WantedJobs(suite, wanted), options)) as judged:
            for job, judgement in judged:
                folder.append(verdict_of(job, judgement))
        return folder.verdicts()


class _WantedJobs(Collection[Job]):
    """Jobs that are made as they are asked for: a cluster's driver has but a window of them."""

    def __init__(self, suite: Suite, wanted: Sequence[tuple[Attempt, Tests]]) -> None:
        self._suite = suite
        self._wanted = wanted

    def __len__(self) -> int:
        return len(self._wanted)

    def __iter__(self) -> Iterator[Job]:
        for attempt, tests in self._wanted:
            yield job_for(_task(self._suite, attempt), tests, attempt)

    def __contains__(self, job: object) -> bool:
        return any(one == job for one in self)


def job_for(task: Task, tests: Tests, attempt: Attempt) -> Job:
    key = (attempt.task_id, str(attempt.sample), tests.split.value)
    # Names may stand in words, beside a block of code that is only an example.
    answer = attempt.raw if tests.style is TestStyle.LABELS else attempt.code
    return Job(key, task.environment, program_for(task, tests, answer), whole_reference(task))


def whole_reference(task: Task) -> str:
    """The program that a right answer makes: what is missing in some code stands in it."""
    mask = task.gap.mask if task.gap is not None else ""
    return task.starter.replace(mask, task.reference) if mask else task.reference


def verdict_of(job: Job, judgement: Judgement) -> Verdict:
    """What became of a job that ``job_for`` made."""
    task_id, sample, split = job.key
    return Verdict(
        task_id,
        int(sample),
        Split(split),
        judgement.outcome,
        judgement.reason,
        judgement.seconds,
        judgement.cases,
        judgement.log,
        judgement.proof,
        judgement.uses,
    )


def proven(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts of tests that prove a pass; of the others, failures are left out as well."""
    unproven = {(v.task_id, v.split) for v in verdicts if v.proof == UNPROVEN}
    return [v for v in verdicts if (v.task_id, v.split) not in unproven]


def program_for(task: Task, tests: Tests, code: str) -> Program:
    return Program(
        code,
        tests.code,
        tests.style,
        task.module,
        expected=tests.expected,
        apis=task.facts.api_calls,
    )


def _task(suite: Suite, attempt: Attempt) -> Task:
    return suite.tasks[attempt.task_id]
