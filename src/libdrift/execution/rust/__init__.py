"""The judge of Rust: answers whose tests are a Rust module.

An answer is compiled with its tests by the toolchain of its version, or by the newest one, which
then also tells what the version does not have. Many are compiled as modules of one crate. Who
passes by means that could forge a verdict is tried on decoys.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from libdrift.errors import LibdriftError
from libdrift.execution.plan import Job
from libdrift.execution.rust.forging import Suspects, is_suspect
from libdrift.execution.rust.judging import Done, RustJudge, Step, Task
from libdrift.execution.rust.parallel import in_parallel
from libdrift.execution.rust.places import prepare, toolchain_for
from libdrift.execution.rust.plainness import reads_as_items, sets_own_version
from libdrift.execution.rust.proving import RustProofs
from libdrift.execution.rust.tidying import brings_tests
from libdrift.execution.rust.units import Unit
from libdrift.execution.timing import Timing
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement, Limits

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options
    from libdrift.execution.judges import Judged

__all__ = ["run_jobs"]


class _Runner(Protocol):
    def __call__(self, units: Sequence[Unit], *, apart: bool) -> Iterable[Done]: ...


_CRATE = 160  # members of one crate at most: one that does not compile makes all wait
_TAMPERED = "tampered: says itself which version it is for"


def run_jobs(jobs: Sequence[Job], options: Options) -> Judged:
    """Judge every job, yielding each as it ends; closing it (``closing``) stops the rest."""
    owners: defaultdict[Unit, list[Job]] = defaultdict(list)
    for job in jobs:
        owners[Unit.of(job)].append(job)
    stop = threading.Event()
    try:
        with closing(_Session(options, stop).judge(list(owners))) as results:
            for unit, judgement in results:
                for job in owners[unit]:
                    yield job, judgement
    finally:
        stop.set()


class _Session:
    """All judges of a run, one for each toolchain and set of crates."""

    def __init__(self, options: Options, stop: threading.Event) -> None:
        self._options = options
        self._stop = stop
        self._judges: dict[Environment, RustJudge] = {}
        self._suspects: list[Unit] = []  # grows as environments are made ready
        self._timing = Timing(options.limits, options.time_factor)

    def judge(self, units: Sequence[Unit]) -> Generator[Done]:
        late: list[Unit] = []
        for unit, judgement in self._first(units):
            if judgement.outcome is Outcome.TIMEOUT:
                late.append(unit)
            elif judgement.outcome is Outcome.PASSED and is_suspect(unit):
                self._suspects.append(unit)  # what passed among others is looked at again, alone
            else:
                yield unit, judgement
        for unit, judgement in self._try_suspects():
            if judgement.outcome is Outcome.TIMEOUT:
                late.append(unit)
            else:
                yield unit, judgement
        for unit in late:
            if self._stop.is_set():
                return
            yield unit, self._again(unit)

    def _first(self, units: Sequence[Unit]) -> Iterator[Done]:
        """Judge every unit once, those of one toolchain and set of crates together."""
        groups: defaultdict[tuple[str, ...], list[Unit]] = defaultdict(list)
        for unit in units:
            tampered = _TAMPERED if sets_own_version(unit.answer) else ""
            if brings_tests(unit.answer) and not brings_tests(unit.reference):
                tampered = "tampered: brings tests that cannot be told from the task's"
            if tampered:
                yield unit, Judgement(Outcome.FAILED, tampered, 0.0)
                continue
            try:
                toolchain = toolchain_for(unit.environment)
            except LibdriftError as error:
                yield unit, Judgement(Outcome.INFRASTRUCTURE, str(error), 0.0)
                continue
            groups[toolchain.version, *unit.environment.requirements].append(unit)
        tasks = [self._opening(group) for group in groups.values()]
        yield from in_parallel(tasks, self._options.workers, self._stop)

    def _opening(self, units: Sequence[Unit]) -> Task:
        """The work that makes a group's crates ready, and then plans for its units."""

        def work() -> Step:
            judge = prepare(units, self._options, self._stop)
            if isinstance(judge, str):
                failed = Judgement(Outcome.INFRASTRUCTURE, judge, 0.0)
                return Step(done=[(unit, failed) for unit in units])
            for unit in units:
                self._judges[unit.environment] = judge
            # What the compiler will refuse needs no decoys; should it pass, it is tried after all.
            loud = [
                unit
                for unit in units
                if is_suspect(unit) and not unit.sharing.crate and reads_as_items(unit.answer)
            ]
            self._suspects += loud
            calm = [unit for unit in units if unit not in set(loud)]
            return Step(more=self._plan(judge, calm) if calm else ())

        return work

    def _plan(self, judge: RustJudge, units: Sequence[Unit]) -> list[Task]:
        # Those with the same tests side by side: what they have in common is compiled once, and
        # tests that do not compile keep few others waiting.
        ordered = sorted(units, key=lambda unit: (unit.tests, unit.answer))
        workers = max(1, self._options.workers)
        crates = math.ceil(len(units) / (_CRATE * workers)) * workers  # as many for each worker
        return judge.plan(ordered, math.ceil(len(units) / crates))

    def _planned(self, units: Sequence[Unit], *, apart: bool) -> Iterator[Done]:
        """Judge units of environments that are ready."""
        groups: defaultdict[int, list[Unit]] = defaultdict(list)
        for unit in units:
            groups[id(self._judges[unit.environment])].append(unit)
        tasks = [
            task
            for group in groups.values()
            for task in self._tasks(self._judges[group[0].environment], group, apart=apart)
        ]
        yield from in_parallel(tasks, self._options.workers, self._stop)

    def _tasks(self, judge: RustJudge, units: Sequence[Unit], *, apart: bool) -> list[Task]:
        return judge.each(units) if apart else self._plan(judge, units)

    def _try_suspects(self) -> Iterator[Done]:
        """Judge those who could forge a verdict, on their tests and on decoys."""
        if self._suspects:
            yield from self._trials(self._suspects, self._planned)

    def _trials(self, units: Sequence[Unit], run: _Runner) -> Iterator[Done]:
        proofs = RustProofs(units)
        steps = proofs.steps()
        told: dict[Unit, Judgement] | None = None
        with contextlib.suppress(StopIteration):
            while not self._stop.is_set():
                due = steps.send(told) if told is not None else next(steps)
                told = dict(run(due, apart=False))
        suspects = Suspects(units, proofs)
        while (due := suspects.due()) and not self._stop.is_set():
            # Side by side in one program, they could find out what is changed where.
            told = dict(run(due, apart=True))
            if not self._stop.is_set():
                yield from suspects.hear(told)

    def _again(self, unit: Unit) -> Judgement:
        """Judge a unit that was too slow beside others, by how long its reference takes now."""
        judge = self._judges[unit.environment]
        patient = self._timing.patient
        if unit.answer == unit.reference:
            return judge.alone(unit, patient)

        def measure(limits: Limits) -> float:
            if not unit.reference:
                return 0.0
            own = judge.alone(replace(unit, answer=unit.reference), limits)
            return own.seconds if own.outcome is Outcome.PASSED else 0.0

        limits = self._timing.alone((unit.environment, unit.tests, unit.reference), measure)
        if not is_suspect(unit):
            return judge.alone(unit, limits)

        def run(units: Sequence[Unit], *, apart: bool) -> Iterator[Done]:
            del apart  # they always are
            for one in units:
                yield one, judge.alone(one, patient if one.answer == unit.reference else limits)

        told = list(self._trials([unit], run))
        return told[0][1] if told else Judgement(Outcome.INFRASTRUCTURE, "interrupted", 0.0)
