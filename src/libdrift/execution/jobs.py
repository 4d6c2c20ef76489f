"""Running programs: each goes to its judge; Python's are grouped by environment and judged here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build_all
from libdrift.execution.engines import Engine, LocalEngine
from libdrift.execution.judges import Judged, StyleJudge, judge_for, with_proof
from libdrift.execution.judging import JudgingContext, PythonJudge
from libdrift.execution.plan import Job, Plan
from libdrift.execution.pool import side_by_side
from libdrift.execution.proofs import Proofs
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Backend, Judgement, Limits

logger = logging.getLogger(__name__)


class Progress(Protocol):
    """Who wants to know how far the work is: the command line's bar, or nobody."""

    def begin(self, stage: str, total: int) -> None: ...

    def environment(self, built: Ready | Failed) -> None: ...

    def job(self, outcome: Outcome) -> None: ...


class Silent:
    def begin(self, stage: str, total: int) -> None:
        pass

    def environment(self, built: Ready | Failed) -> None:
        pass

    def job(self, outcome: Outcome) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. ``limits.wall_seconds`` is the least time that an answer is given."""

    settings: Settings
    backend: Backend
    limits: Limits = field(default_factory=Limits)
    workers: int = 2
    progress: Progress = field(default_factory=Silent)
    time_factor: float = 10.0  # an answer may take this many times as long as the reference
    fresh: bool = False  # a new process for every answer, instead of a fork of a warm one
    engine: Engine = field(default_factory=LocalEngine)  # where answers are run


def run_jobs(jobs: Collection[Job], options: Options) -> Judged:
    """Judge every job, yielding each as it ends; closing it (``closing``) stops the rest."""
    return options.engine.judge(jobs, options)


def run_here(jobs: Sequence[Job], options: Options) -> Judged:
    """The same on this machine."""
    groups: dict[StyleJudge | None, list[Job]] = {}
    for job in jobs:
        groups.setdefault(judge_for(job.program.style), []).append(job)
    own = groups.pop(None, [])
    places = _places(own, options)
    options.progress.begin("answers", len(jobs))
    waiting = [_run_python(own, places, options)] if own else []
    waiting += [judge(group, options) for judge, group in groups.items() if judge is not None]
    for results in waiting:
        with closing(results):
            for job, judgement in results:
                options.progress.job(judgement.outcome)
                by_python = judge_for(job.program.style) is None
                yield job, judgement if by_python else with_proof(job, judgement)


def _run_python(
    jobs: Sequence[Job], places: dict[Environment, Ready | Failed], options: Options
) -> Judged:
    """Judge pytest modules and scripts, in forks of warm processes.

    A timeout does not count at once: when all else is done, the job is judged again, alone, with
    a limit that the reference's own time on this machine sets.
    """
    stop = threading.Event()
    proofs = Proofs(options.settings.proofs)
    bench = JudgingContext.of(options, proofs, stop)
    plan = Plan(jobs)
    late: list[Job] = []
    with closing(_side_by_side(plan, places, bench, options.workers)) as results:
        for job, judgement in results:
            if judgement.outcome is Outcome.TIMEOUT and not bench.is_settled(job, judgement):
                late.append(job)
                continue
            yield job, judgement
    with PythonJudge(bench) as judge:
        for job in late:
            place = places[job.environment]
            assert isinstance(place, Ready)  # noqa: S101  (it has run there)
            yield job, judge.alone(job, place, plan.steps(job))


def _places(jobs: Sequence[Job], options: Options) -> dict[Environment, Ready | Failed]:
    distinct = list(dict.fromkeys(job.environment for job in jobs))
    options.progress.begin("environments", len(distinct))
    return build_all(
        distinct, options.settings, workers=options.workers, on_done=options.progress.environment
    )


def _side_by_side(
    plan: Plan, places: dict[Environment, Ready | Failed], bench: JudgingContext, workers: int
) -> Judged:
    @contextmanager
    def worker() -> Iterator[Callable[[Job], list[tuple[Job, Judgement]]]]:
        # One judge a worker, in the worker's own thread: when that ends, so do its servers.
        with PythonJudge(bench) as judge:
            yield lambda job: [(job, _judge(job, places[job.environment], judge, plan))]

    return side_by_side(plan, worker, workers, bench.stop)


def _judge(job: Job, place: Ready | Failed, judge: PythonJudge, plan: Plan) -> Judgement:
    if isinstance(place, Failed):
        reason = f"no environment for {job.environment}: {place.reason}"
        return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=place.log)
    return judge.judge(job, place, plan.steps(job))
