"""One job's judgement: apart from its tests, or together with them and on decoys.

In a fork or in a fresh process, and once more after trouble.
"""

from __future__ import annotations

import logging
import math
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from libdrift.environments import Ready
from libdrift.execution.imports import names_of_tests
from libdrift.execution.plan import Job
from libdrift.execution.proofs import Proofs
from libdrift.execution.proving import Decoy, Proven, TestRunners, run_held
from libdrift.execution.timing import Timing
from libdrift.records import REMOTE, UNPROVEN, Outcome, Proof, by_decoys
from libdrift.sandbox import (
    Apart,
    Backend,
    Judgement,
    Limits,
    Names,
    Program,
    Rehearsal,
    Warm,
    judge,
    judge_apart,
    judge_warm,
    judge_warm_apart,
    rehearse,
    rehearse_warm,
)

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

logger = logging.getLogger(__name__)

_RUNS = 5  # of an answer that shares a process with its tests, some of them on decoys
_RUNS_OF_ONE_CASE = 8  # where there is but one case, to pass or fail at random is right more often
_GUESS_BITS = 14  # what is easier to guess than once in 16,000 times is asked for again
_RUNS_APART = 10  # where tests that an answer does not meet need decoys
_APART_PATIENCE = 2.0  # times the limit of a reference apart from its tests: some wait for ever

_DICE = random.SystemRandom()
_Run = Callable[[Program], Judgement]
_PASSES_ANYTHING = "tampered: passes tests with other expectations too, as no right answer does"
_UNSTEADY = "tampered or unsteady: the same answer does not fare the same in every run"


@dataclass(slots=True)
class JudgingContext:
    """What all judges of a run share."""

    backend: Backend
    timing: Timing
    fresh: bool
    stop: threading.Event
    proofs: Proofs
    # What is drawn for a job stays drawn: who takes too long is judged again by the same tests.
    plans: dict[Job, list[Decoy | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Options, proofs: Proofs, stop: threading.Event | None = None) -> Self:
        timing = Timing(options.limits, options.time_factor)
        return cls(options.backend, timing, options.fresh, stop or threading.Event(), proofs)

    def forget(self, job: Job) -> None:
        """Drop what was drawn for a job that is judged: memory must not grow with answers."""
        self.plans.pop(replace(job, program=job.program.with_signals()), None)

    def is_settled(self, job: Job, late: Judgement) -> bool:
        """Whether a job that took too long would do so on a quiet machine, too.

        It had a processor most of its time, which is as much as its reference gives it.
        """
        known = self.proofs.reference_seconds(job) if job.reference else 0.0
        if known is None or not late.busy:
            return False
        return known * self.timing.factor <= self.timing.floor.wall_seconds


class PythonJudge:
    """Judges jobs one after the other, with servers that stay warm from one to the next."""

    def __init__(self, bench: JudgingContext) -> None:
        self._bench = bench
        self._warm = Warm(bench.backend)

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
        return self._judge(job, place, steps, self._bench.timing.floor)

    def alone(self, job: Job, place: Ready, steps: Sequence[Names]) -> Judgement:
        """Judge a job that was too slow beside others, by how long its reference takes now."""
        timing = self._bench.timing
        if job.program.answer == job.reference:
            return self._judge(job, place, steps, timing.patient)

        def measure(limits: Limits) -> float:
            if not job.reference:
                return 0.0
            program = replace(job.program, answer=job.reference)
            own = self._judge(replace(job, program=program), place, steps, limits)
            return own.seconds if own.outcome is Outcome.PASSED else 0.0

        key = (job.environment, job.program.tests, job.reference)
        return self._judge(job, place, steps, timing.alone(key, measure))

    def _judge(self, job: Job, place: Ready, steps: Sequence[Names], limits: Limits) -> Judgement:
        floor, long = self._bench.timing.floor, self._bench.timing.patient
        job = replace(job, program=job.program.with_signals())

        def together(program: Program, *, patient: bool = False) -> Judgement:
            return self._run(program, job, place, steps, long if patient else limits)

        def apart(
            program: Program, learned: dict[str, Any] | None, *, patient: bool = False
        ) -> Apart:
            within = floor.with_time(_APART_PATIENCE * limits.wall_seconds) if patient else limits
            return self._run_apart(program, job, place, steps, within, learned)

        if not job.reference:
            return _proven(together(job.program), UNPROVEN)

        def rehearsed(rehearsal: Rehearsal) -> list[Judgement]:
            within = floor.with_time(_APART_PATIENCE * limits.wall_seconds)
            return self._rehearse(rehearsal, job, place, steps, within)

        ways = TestRunners(apart, lambda p: together(p, patient=True), rehearsed)
        proven = self._bench.proofs.of(job, ways)
        if isinstance(proven, Judgement):
            return proven
        if proven.remote:
            held = partial(
                run_held, learned=proven.learned, run=lambda p, known: apart(p, known)[0]
            )
            plan = self._bench.plans.setdefault(job, _remote_plan(proven))
            return _judge_by(job, plan, held, REMOTE if proven.tells else UNPROVEN)
        if not proven.decoys:
            return _proven(together(job.program), UNPROVEN)
        plan = self._bench.plans.setdefault(job, _plan(proven))
        changed = sum(decoy is not None for decoy in plan)
        proof = by_decoys(changed) if proven.tells else UNPROVEN
        return _judge_by(job, plan, together, proof)

    def _run(
        self, program: Program, job: Job, place: Ready, steps: Sequence[Names], limits: Limits
    ) -> Judgement:
        """Run once, and once more (fresh) if the machine failed us."""
        judgement = self._once(program, place, steps, limits)
        if _doubtful(judgement) and not self._bench.stop.is_set():
            logger.warning("%s: %s; trying once more", "/".join(job.key), judgement.reason)
            judgement = self._fresh(program, place, limits)
        return judgement

    def _run_apart(
        self,
        program: Program,
        job: Job,
        place: Ready,
        steps: Sequence[Names],
        limits: Limits,
        learned: dict[str, Any] | None,
    ) -> Apart:
        """As ``_run``, with answer and tests in different processes."""
        stop = self._bench.stop
        told = None
        theirs = names_of_tests(program, job.reference)
        if not self._bench.fresh:
            ahead = (steps, theirs)
            told = judge_warm_apart(program, place, self._warm, limits, ahead, learned, stop)
        told = told or self._fresh_apart(program, place, limits, learned, theirs)
        if _doubtful(told[0]) and not stop.is_set():
            logger.warning("%s: %s; trying once more", "/".join(job.key), told[0].reason)
            told = self._fresh_apart(program, place, limits, learned, theirs)
        return told

    def _rehearse(
        self,
        rehearsal: Rehearsal,
        job: Job,
        place: Ready,
        steps: Sequence[Names],
        limits: Limits,
    ) -> list[Judgement]:
        """Answers that do no harm, apart from their tests: all in one sandbox."""
        stop, told = self._bench.stop, None
        names = names_of_tests(rehearsal.program, job.reference)
        if not self._bench.fresh:
            ahead = (*steps[:-1], names.union(*steps[:-1]))
            told = rehearse_warm(rehearsal, place, self._warm, limits, ahead, stop)
        if told and any(map(_doubtful, told)) and not stop.is_set():
            told = None
        try:
            return told or rehearse(rehearsal, place, self._bench.backend, limits, stop, names)
        except OSError as error:
            return [_no_guest(error)] * len(rehearsal.answers)

    def _fresh_apart(
        self,
        program: Program,
        place: Ready,
        limits: Limits,
        learned: dict[str, Any] | None,
        imports: Names,
    ) -> Apart:
        backend, stop = self._bench.backend, self._bench.stop
        try:
            return judge_apart(program, place, backend, limits, learned, stop, imports)
        except OSError as error:  # no process, no memory, no descriptor left on this machine
            return _no_guest(error), None

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
            return _no_guest(error)


def _doubtful(judgement: Judgement) -> bool:
    """Whether it may be the machine's doing: an answer is run again before that is believed.

    SIGKILL may come from whoever runs out of memory, or stops what he takes for leftovers; an
    answer that kills itself does so again.
    """
    return judgement.outcome is Outcome.INFRASTRUCTURE or judgement.killed


def _no_guest(error: OSError) -> Judgement:
    return Judgement(Outcome.INFRASTRUCTURE, f"cannot start a guest: {error}", 0.0)


def _proven(judgement: Judgement, proof: Proof) -> Judgement:
    """A judgement with how a pass is proven by such tests; nothing is proven by no verdict."""
    return replace(judgement, proof=proof if judgement.outcome.graded else None)


def _remote_plan(proven: Proven) -> list[Decoy | None]:
    """Tests that the answer never meets; where anything may pass them, decoys as well.

    Who returns at random what always passes, or what never does, would be right once in four times
    with one real run and one decoy: in ten runs, once in 1,000.
    """
    if not proven.decoys:
        # Two truth values are guessed once in four times: in seven runs, once in 16,000.
        bits = (proven.learned or {}).get("guess_bits") or _GUESS_BITS
        return [None] * math.ceil(_GUESS_BITS / bits)
    plan = _plan(proven, _RUNS_APART)
    # Each decoy tells of another liar: none may be missing.
    plan += [decoy for decoy in proven.decoys if decoy not in plan]
    _DICE.shuffle(plan)
    return plan


def _plan(proven: Proven, count: int = 0) -> list[Decoy | None]:
    """Runs in the answer's own process, which could forge any of them: but not know which.

    Real (``None``) and changed tests come in random order and number. The answer must pass exactly
    the real ones, and fail exactly the cases of the others that the reference fails.
    """
    several = any(decoy.cases > 1 for decoy in proven.decoys)
    count = count or (_RUNS if several else _RUNS_OF_ONE_CASE)
    changed = _DICE.randint(2, count - 2)
    plan: list[Decoy | None] = [_DICE.choice(proven.decoys) for _ in range(changed)]
    plan += [None] * (count - changed)
    _DICE.shuffle(plan)
    return plan


def _judge_by(job: Job, plan: list[Decoy | None], run: _Run, proof: Proof) -> Judgement:
    """By real tests (``None``) and decoys; what is told is of the real ones."""
    real: Judgement | None = None
    wrong = ""
    for decoy in plan:
        judgement = run(job.program if decoy is None else replace(job.program, tests=decoy.tests))
        if judgement.outcome in (Outcome.INFRASTRUCTURE, Outcome.TIMEOUT):
            return _proven(judgement, proof)
        if decoy is None:
            if real is not None and judgement.outcome is not real.outcome:
                wrong = _UNSTEADY
            real = real or judgement
            if real.outcome is not Outcome.PASSED or wrong:
                break
        elif not decoy.failed_by(judgement):
            wrong = _PASSES_ANYTHING if judgement.outcome is Outcome.PASSED else _UNSTEADY
            break
    # Found out by a decoy, or simply wrong: its real tests tell which.
    real = real or run(job.program)
    if wrong and real.outcome is Outcome.PASSED:
        real = replace(real, outcome=Outcome.FAILED, reason=wrong)
    return _proven(real, proof)
