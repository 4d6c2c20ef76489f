"""Running programs: each goes to its court; Python's are grouped by environment and judged here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build_all
from libdrift.execution.courts import Court, Judged, court_of, with_proof
from libdrift.execution.judging import Bench, Judge
from libdrift.execution.plan import Job, Plan
from libdrift.execution.proofs import Proofs
from libdrift.execution.working import side_by_side
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Backend, Judgement, Limits


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


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """Judge every job, yielding each as it ends; closing it (``closing``) stops the rest."""
    groups: dict[Court | None, list[Job]] = {}
    for job in jobs:
        groups.setdefault(court_of(job.program.style), []).append(job)
    own = groups.pop(None, [])
    places = _places(own, options)
    options.progress.begin("answers", len(jobs))
    waiting = [_run_python(own, places, options)] if own else []
    waiting += [court(group, options) for court, group in groups.items() if court is not None]
    for results in waiting:
        with closing(results):
            for job, judgement in results:
                options.progress.job(judgement.outcome)
                own_court = court_of(job.program.style) is None
                yield job, judgement if own_court else with_proof(job, judgement)


def _run_python(
    jobs: Sequence[Job], places: dict[Environment, Ready | Failed], options: Options
) -> Judged:
    """Judge pytest modules and scripts, in forks of warm processes.

    A timeout does not count at once: when all else is done, the job is judged again, alone, with
    a limit that the reference's own time on this machine sets.
    """
    stop = threading.Event()
    proofs = Proofs(options.settings.proofs)
    bench = Bench(options.backend, options.limits, options.time_factor, options.fresh, stop, proofs)
    plan = Plan(jobs)
    late: list[Job] = []
    with closing(_side_by_side(plan, places, bench, options.workers)) as results:
        for job, judgement in results:
            if judgement.outcome is Outcome.TIMEOUT:
                late.append(job)
                continue
            yield job, judgement
    with Judge(bench) as judge:
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
    plan: Plan, places: dict[Environment, Ready | Failed], bench: Bench, workers: int
) -> Judged:
    def work(tell: Callable[[tuple[Job, Judgement]], None]) -> None:
        # One judge a worker, in the worker's own thread: when that ends, so do its servers.
        with Judge(bench) as judge:
            while not bench.stop.is_set():
                job = plan.next(threading.get_ident())
                if job is None:
                    break
                tell((job, _judge(job, places[job.environment], judge, plan)))

    with closing(side_by_side(work, workers, bench.stop)) as results:
        yield from results


def _judge(job: Job, place: Ready | Failed, judge: Judge, plan: Plan) -> Judgement:
    if isinstance(place, Failed):
        reason = f"no environment for {job.environment}: {place.reason}"
        return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=place.log)
    return judge.judge(job, place, plan.steps(job))
