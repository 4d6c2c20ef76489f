"""From attempts to verdicts to scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from datetime import date
from typing import Any

from libdrift.execution.answers import refusal
from libdrift.execution.jobs import Options, run_jobs
from libdrift.execution.plan import Job
from libdrift.execution.runs import RunFolder
from libdrift.metrics.rates import rate_at_k, success_rate
from libdrift.records import (
    UNPROVEN,
    Attempt,
    Outcome,
    Score,
    Split,
    Suite,
    Task,
    TaskKind,
    Tests,
    TestStyle,
    Verdict,
)
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
    # Names may stand in words, beside a block of code that is only an example.
    answer = attempt.raw if tests.style is TestStyle.LABELS else attempt.code
    return Job(key, task.environment, program_for(task, tests, answer), task.reference)


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


def part_of(suite: Suite) -> Callable[[Verdict], str]:
    """What a verdict is counted under: its split, or the kind of task where not all are programs.

    Numbers of different kinds do not compare, and have no mean that says anything. That an answer
    compiles is less than that it works, and has a place of its own.
    """
    if not {task.kind for task in suite.tasks.values()} & {TaskKind.LOCATE, TaskKind.EXPLAIN}:
        return lambda verdict: verdict.split.value

    def part(verdict: Verdict) -> str:
        task = suite.tasks[verdict.task_id]
        compiled = any(tests.style is TestStyle.COMPILE for tests in task.tests)
        return TestStyle.COMPILE.value if compiled else task.kind.value

    return part


def _part(task: Task) -> str | None:
    """The part of a benchmark whose numbers are published apart."""
    direction = task.facts.direction
    return f"{task.facts.difficulty or task.language} {direction}" if direction else None


_GROUPINGS: tuple[tuple[str, Callable[[Task], str | None]], ...] = (
    ("", lambda _: "all"),
    ("library", lambda task: task.facts.library),
    ("change", lambda task: task.facts.change),
    ("category", lambda task: task.facts.category),
    ("difficulty", lambda task: task.facts.difficulty),
    ("direction", lambda task: task.facts.direction),
    ("part", _part),
)


def scores(
    suite: Suite,
    verdicts: Iterable[Verdict],
    verified: Collection[str] = (),
    ks: Sequence[int] = (),
    cutoff: date | None = None,
) -> list[Score]:
    """Success rates per split: over all, the verified and the proven, per library, change, …

    Proven are the verdicts of tests that prove a pass.

    And pass@k for each of ``ks``, over the tasks that have as many samples; with ``cutoff``, also
    for what was released up to that date and after.
    """
    groupings = [
        *_GROUPINGS,
        ("", lambda task: "verified" if task.id in verified else None),
        ("verified part", lambda task: _part(task) if task.id in verified else None),
    ]
    if cutoff is not None:
        groupings.append(("cutoff", lambda task: side_of(task, cutoff)))
    tables: dict[tuple[str, str], defaultdict[str, list[bool]]] = {}
    part = part_of(suite)
    graded = [verdict for verdict in verdicts if verdict.outcome.graded]
    sure = {(v.task_id, v.split) for v in proven(graded)}
    for verdict in graded:
        task = suite.tasks[verdict.task_id]
        named = [(name, group_of(task)) for name, group_of in groupings]
        if verdict.proof is not None:
            named.append(("proof", verdict.proof.partition("(")[0]))
            named.append(("", "proven" if (task.id, verdict.split) in sure else None))
        for name, group in named:
            if group is not None:
                key = (part(verdict), f"{name}={group}" if name else group)
                table = tables.setdefault(key, defaultdict(list))
                table[task.id].append(verdict.outcome is Outcome.PASSED)
    found = []
    for (split, group), outcomes in sorted(tables.items(), key=_all_first):
        rates = {"success_rate": success_rate(outcomes)}
        rates |= {f"pass@{k}": rate_at_k(outcomes, k) for k in ks}
        found += [
            Score(metric, rate.value, rate.stderr, rate.n, split, group)
            for metric, rate in rates.items()
        ]
    return found


def side_of(task: Task, cutoff: date) -> str | None:
    """Whether what a task is about was released up to a date, as far as that is known."""
    released = task.facts.release_date
    if released is None:
        return None
    return "before" if released <= cutoff else "after"


def _all_first(item: tuple[tuple[str, str], object]) -> tuple[str, bool, bool, bool, str]:
    (split, group), _ = item
    return split, group != "all", group != "verified", group != "proven", group
