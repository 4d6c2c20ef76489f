"""From attempts to verdicts to scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from typing import Any

from libdrift.execution.answers import refusal
from libdrift.execution.jobs import Options, run_jobs
from libdrift.execution.plan import Job
from libdrift.execution.runs import RunFolder
from libdrift.metrics.rates import rate_at_k, success_rate
from libdrift.records import Attempt, Outcome, Score, Split, Suite, Task, Tests, Verdict
from libdrift.sandbox import Judgement, Program


def score_attempts(
    suite: Suite,
    attempts: Sequence[Attempt],
    folder: RunFolder,
    description: dict[str, Any],
    options: Options,
) -> list[Verdict]:
    """Judge every attempt on every split, into ``folder``; what is there already is kept.

    ``description`` goes into ``run.json``; its ``fingerprint`` tells equal runs from others.
    """
    wanted = [(attempt, tests) for attempt in attempts for tests in _task(suite, attempt).tests]
    with folder.open(description) as known:
        jobs: list[Job] = []
        for attempt, tests in wanted:
            if (attempt.task_id, attempt.sample, tests.split.value) in known:
                continue
            refused = refusal(attempt.raw) or refusal(attempt.code)
            if refused:
                folder.append(
                    Verdict(attempt.task_id, attempt.sample, tests.split, Outcome.REFUSED, refused)
                )
            else:
                jobs.append(job_for(_task(suite, attempt), tests, attempt))
        with closing(run_jobs(jobs, options)) as judged:
            for job, judgement in judged:
                folder.append(verdict_of(job, judgement))
        return folder.verdicts()


def job_for(task: Task, tests: Tests, attempt: Attempt) -> Job:
    key = (attempt.task_id, str(attempt.sample), tests.split.value)
    return Job(key, task.environment, program_for(task, tests, attempt.code), task.reference)


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
        judgement.decoys,
        judgement.uses,
    )


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


def scores(
    suite: Suite,
    verdicts: Iterable[Verdict],
    verified: Collection[str] = (),
    ks: Sequence[int] = (),
) -> list[Score]:
    """Success rates per split: over all and the verified tasks, per library, change, category.

    And pass@k for each of ``ks``, over the tasks that have as many samples.
    """
    graded = [verdict for verdict in verdicts if verdict.outcome.graded]
    groupings: list[tuple[str, Callable[[Task], str | None]]] = [
        ("", lambda _: "all"),
        ("", lambda task: "verified" if task.id in verified else None),
        ("library", lambda task: task.facts.library),
        ("change", lambda task: task.facts.change),
        ("category", lambda task: task.facts.category),
    ]
    found = []
    for split in dict.fromkeys(verdict.split for verdict in graded):
        for name, group_of in groupings:
            groups: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(
                lambda: defaultdict(list)
            )
            for verdict in graded:
                group = group_of(suite.tasks[verdict.task_id])
                if verdict.split == split and group is not None:
                    passed = verdict.outcome is Outcome.PASSED
                    groups[group][verdict.task_id].append(passed)
            for group, outcomes in sorted(groups.items()):
                label = f"{name}={group}" if name else group
                rates = {"success_rate": success_rate(outcomes)}
                rates |= {f"pass@{k}": rate_at_k(outcomes, k) for k in ks}
                found += [
                    Score(metric, rate.value, rate.stderr, rate.n, split.value, label)
                    for metric, rate in rates.items()
                ]
    return found
