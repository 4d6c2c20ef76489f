"""Running programs: build what they need, group them by environment, judge each in its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Protocol

from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build_all
from libdrift.execution.decoys import decoys
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Backend, Judgement, Limits, Program, judge

logger = logging.getLogger(__name__)

_DECOYS = 2  # for each answer that passes
_DECOY_TRIES = 6  # to find that many which the reference fails


@dataclass(frozen=True, slots=True)
class Job:
    """One program to judge in one environment; ``key`` is the caller's, to know it again."""

    key: tuple[str, ...]
    environment: Environment
    program: Program
    reference: str = ""  # a right answer: with it, whoever passes is given a decoy too


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
    settings: Settings
    backend: Backend
    limits: Limits = field(default_factory=Limits)
    workers: int = 2
    progress: Progress = field(default_factory=Silent)


def run_jobs(jobs: Sequence[Job], options: Options) -> Iterator[tuple[Job, Judgement]]:
    """Judge every job, yielding each as it ends; leaving the loop early stops the rest."""
    places = _places(jobs, options)
    # Neighbours share an environment: what the kernel has cached of it is used while it is warm.
    order = {environment: index for index, environment in enumerate(places)}
    queue = sorted(jobs, key=lambda job: order[job.environment])
    stop = threading.Event()
    options.progress.begin("answers", len(jobs))
    with ThreadPoolExecutor(max_workers=max(1, options.workers)) as pool:
        decoys = _Decoys()
        futures = {pool.submit(_judge, job, places, options, stop, decoys): job for job in queue}
        try:
            for future in _completed(futures):
                job, judgement = futures[future], future.result()
                options.progress.job(judgement.outcome)
                yield job, judgement
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _completed(futures: dict[Future[Judgement], Job]) -> Iterator[Future[Judgement]]:
    pending = set(futures)
    while pending:
        finished, pending = wait(pending, return_when=FIRST_COMPLETED)
        yield from finished


def _places(jobs: Sequence[Job], options: Options) -> dict[Environment, Ready | Failed]:
    distinct = list(dict.fromkeys(job.environment for job in jobs))
    options.progress.begin("environments", len(distinct))
    return build_all(
        distinct, options.settings, workers=options.workers, on_done=options.progress.environment
    )


def _judge(
    job: Job,
    places: dict[Environment, Ready | Failed],
    options: Options,
    stop: threading.Event,
    decoys: _Decoys,
) -> Judgement:
    place = places[job.environment]
    if isinstance(place, Failed):
        reason = f"no environment for {job.environment}: {place.reason}"
        return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=place.log)

    def run(program: Program) -> Judgement:
        judgement = _once(program, place, options, stop)
        if judgement.outcome is Outcome.INFRASTRUCTURE and not stop.is_set():
            logger.warning("%s: %s; trying once more", "/".join(job.key), judgement.reason)
            judgement = _once(program, place, options, stop)
        return judgement

    judgement = run(job.program)
    if judgement.outcome is not Outcome.PASSED or job.reference in ("", job.program.answer):
        return judgement
    found = decoys.find(job, run)
    if isinstance(found, Judgement):
        return found
    for decoy in found:
        again = run(replace(job.program, tests=decoy))
        if again.outcome is Outcome.INFRASTRUCTURE:
            return again
        if again.outcome is Outcome.PASSED:
            reason = "tampered: passes tests with other expectations too, as no right answer does"
            return replace(judgement, outcome=Outcome.FAILED, reason=reason)
    return replace(judgement, decoys=len(found))


def _once(program: Program, place: Ready, options: Options, stop: threading.Event) -> Judgement:
    try:
        return judge(program, place, options.backend, options.limits, stop)
    except OSError as error:  # no process, no memory, no descriptor left on this machine
        return Judgement(Outcome.INFRASTRUCTURE, f"cannot start a guest: {error}", 0.0)


class _Decoys:
    """The decoys that work: proven, once per task, by the reference's failing them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[tuple[Environment, str, str], threading.Lock] = {}
        self._found: dict[tuple[Environment, str, str], list[str]] = {}

    def find(self, job: Job, run: Callable[[Program], Judgement]) -> list[str] | Judgement:
        """The decoys for a job's tests; the judgement of an infrastructure that failed us."""
        key = (job.environment, job.program.tests, job.reference)
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._found:
                proven: list[str] = []
                for tests in decoys(job.program.tests)[:_DECOY_TRIES]:
                    tried = run(replace(job.program, answer=job.reference, tests=tests))
                    if tried.outcome is Outcome.INFRASTRUCTURE:
                        return tried
                    if tried.outcome is Outcome.FAILED:
                        proven.append(tests)
                    if len(proven) == _DECOYS:
                        break
                self._found[key] = proven
            return self._found[key]
