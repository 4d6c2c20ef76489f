"""One job's judgement: in a fork or fresh, once more after trouble, and on decoys."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from libdrift.environments import Ready
from libdrift.execution.decoys import decoys
from libdrift.execution.plainness import is_plain, speaks_of_networks
from libdrift.execution.plan import Job
from libdrift.records import Case, Environment, Outcome
from libdrift.sandbox import Backend, Judgement, Limits, Names, Program, Warm, judge, judge_warm

logger = logging.getLogger(__name__)

_DECOY_TRIES = 6  # to find decoys that the reference fails
_REFERENCE_PATIENCE = 20.0  # times the least limit: what a reference may take, when it is timed

_Tests = tuple[Environment, str, str]
_PASSES_ANYTHING = "tampered: passes tests with other expectations too, as no right answer does"
_UNSTEADY = "tampered or unsteady: the same answer does not fare the same in every run"


@dataclass(frozen=True, slots=True)
class _Decoy:
    """Tests that a right answer must fail, and how: as the reference did."""

    tests: str
    cases: tuple[Case, ...]

    def failed_by(self, judgement: Judgement) -> bool:
        """Whether a judgement fails where the reference fails, and nowhere else."""
        ours = {case.name for case in self.cases if case.outcome != "passed"}
        theirs = {case.name for case in judgement.cases if case.outcome != "passed"}
        return judgement.outcome is Outcome.FAILED and theirs <= ours


class _Decoys:
    """The decoys of each task that work: proven, once, by the reference's failing them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[_Tests, threading.Lock] = {}
        self._found: dict[_Tests, tuple[_Decoy, ...]] = {}

    def find(
        self, job: Job, wanted: int, run: Callable[[Program], Judgement]
    ) -> tuple[_Decoy, ...] | Judgement:
        """Decoys for a job's tests, as many as can be made; or why the machine could not tell."""
        key = (job.environment, job.program.tests, job.reference)
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._found:
                found: list[_Decoy] = []
                for tests in decoys(job.program.tests)[:_DECOY_TRIES]:
                    tried = run(replace(job.program, answer=job.reference, tests=tests))
                    if tried.outcome is Outcome.INFRASTRUCTURE:
                        return tried
                    if tried.outcome is Outcome.FAILED:
                        found.append(_Decoy(tests, tried.cases))
                    if len(found) == wanted:
                        break
                self._found[key] = tuple(found)
            return self._found[key]


@dataclass(slots=True)
class Bench:
    """What all judges of a run share."""

    backend: Backend
    limits: Limits
    time_factor: float
    fresh: bool
    stop: threading.Event
    decoys: _Decoys = field(default_factory=_Decoys)


class Judge:
    """Judges jobs one after the other, with servers that stay warm from one to the next."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._warm = Warm(bench.backend)
        self._reference_seconds: dict[_Tests, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._warm.close()

    def judge(self, job: Job, place: Ready, steps: Sequence[Names]) -> Judgement:
        return self._judge(job, place, steps, self._bench.limits)

    def alone(self, job: Job, place: Ready, steps: Sequence[Names]) -> Judgement:
        """Judge a job that was too slow beside others, by how long its reference takes now."""
        floor = self._bench.limits
        patient = floor.with_time(_REFERENCE_PATIENCE * floor.wall_seconds)
        if job.program.answer == job.reference:
            return self._judge(job, place, steps, patient)
        key = (job.environment, job.program.tests, job.reference)
        if job.reference and key not in self._reference_seconds:
            program = replace(job.program, answer=job.reference)
            own = self._run(program, job, place, steps, patient)
            passed = own.outcome is Outcome.PASSED
            self._reference_seconds[key] = own.seconds if passed else 0.0
        seconds = self._reference_seconds.get(key, 0.0) * self._bench.time_factor
        limits = floor.with_time(max(floor.wall_seconds, seconds))
        return self._judge(job, place, steps, limits)

    def _judge(self, job: Job, place: Ready, steps: Sequence[Names], limits: Limits) -> Judgement:
        def run(program: Program) -> Judgement:
            return self._run(program, job, place, steps, limits)

        plain = bool(job.reference) and is_plain(job.program.answer, job.reference)
        network = not plain or speaks_of_networks(job.reference, job.program.tests)
        judgement = run(replace(job.program, network=network))
        if judgement.outcome is not Outcome.PASSED or plain or not job.reference:
            return judgement
        return self._try_decoy(job, judgement, run)

    def _try_decoy(
        self, job: Job, judgement: Judgement, run: Callable[[Program], Judgement]
    ) -> Judgement:
        # Whoever passes or fails at random would often get by where there is but one case: such
        # an answer must pass, and fail, twice.
        rounds = 1 if len(judgement.cases) > 1 else 2
        found = self._bench.decoys.find(job, rounds, run)
        if isinstance(found, Judgement):
            return found
        if not found:
            return replace(judgement, decoys=0)
        for number in range(rounds):
            decoy = found[number % len(found)]
            again = judgement if number == 0 else run(job.program)
            tried = run(replace(job.program, tests=decoy.tests))
            for one in (again, tried):
                if one.outcome in (Outcome.INFRASTRUCTURE, Outcome.TIMEOUT):
                    return one
            if tried.outcome is Outcome.PASSED:
                return replace(judgement, outcome=Outcome.FAILED, reason=_PASSES_ANYTHING)
            if again.outcome is not Outcome.PASSED or not decoy.failed_by(tried):
                return replace(judgement, outcome=Outcome.FAILED, reason=_UNSTEADY)
        return replace(judgement, decoys=len(found[:rounds]))

    def _run(
        self, program: Program, job: Job, place: Ready, steps: Sequence[Names], limits: Limits
    ) -> Judgement:
        """Run once, and once more (fresh) if the machine failed us."""
        judgement = self._once(program, place, steps, limits)
        if judgement.outcome is Outcome.INFRASTRUCTURE and not self._bench.stop.is_set():
            logger.warning("%s: %s; trying once more", "/".join(job.key), judgement.reason)
            judgement = self._fresh(program, place, limits)
        return judgement

    def _once(
        self, program: Program, place: Ready, steps: Sequence[Names], limits: Limits
    ) -> Judgement:
        if not self._bench.fresh:
            warm = judge_warm(program, place, self._warm, limits, steps, self._bench.stop)
            if warm is not None:
                return warm
        return self._fresh(program, place, limits)

    def _fresh(self, program: Program, place: Ready, limits: Limits) -> Judgement:
        try:
            return judge(program, place, self._bench.backend, limits, self._bench.stop)
        except OSError as error:  # no process, no memory, no descriptor left on this machine
            return Judgement(Outcome.INFRASTRUCTURE, f"cannot start a guest: {error}", 0.0)
