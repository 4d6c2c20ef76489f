"""Finding out how the tests of a task can judge: by its reference, liars and decoys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from libdrift.execution.checks import bits_of_checks, rests_on_numbers
from libdrift.execution.decoys import decoys, sought_decoys
from libdrift.execution.liars import (
    AGREEING,
    AGREEING_METHODS,
    MARRED,
    NO_PART,
    NO_USE,
    NO_VALUE,
    TURNED,
    liars,
)
from libdrift.execution.plan import Job
from libdrift.records import Outcome
from libdrift.sandbox import Apart, Judgement, Program, Rehearsal

_DECOYS = 6  # of a task's tests
_REMOTE_DECOYS = 2  # of tests that ask the answer's objects, where no liar tells which are telling
_TRIES = 12  # to find decoys that the reference fails
_CHANCES = 3  # of a reference that was late, or was killed: the machine may have been busy

RunTogether = Callable[[Program], Judgement]
Told = TypeVar("Told", Apart, list[Judgement])


class RunApart(Protocol):
    """Runs a program apart from its tests; patiently if it is sure to be right."""

    def __call__(
        self, program: Program, learned: dict[str, Any] | None, *, patient: bool
    ) -> Apart: ...


# Runs a task's tests, apart from them, on answers that do no harm: the reference, then liars.
Rehearse = Callable[[Rehearsal], list[Judgement]]


@dataclass(frozen=True, slots=True)
class TestRunners:
    """How a task's tests can be run."""

    apart: RunApart
    together: RunTogether
    rehearse: Rehearse


@dataclass(frozen=True, slots=True)
class Decoy:
    """Tests that a right answer must fail, and the cases that it fails: as the reference did."""

    tests: str
    failed: tuple[str, ...]
    cases: int  # failed or not

    def failed_by(self, judgement: Judgement) -> bool:
        """Whether a judgement fails exactly where the reference fails."""
        theirs = {case.name for case in judgement.cases if case.outcome != "passed"}
        whole = judgement.outcome is Outcome.FAILED and len(judgement.cases) == self.cases
        return whole and theirs == set(self.failed)


@dataclass(frozen=True, slots=True)
class Proven:
    """What a task's reference proves of its tests."""

    remote: bool
    why_not: str = ""  # judged remotely
    learned: dict[str, Any] | None = None  # what the reference's values are made of
    fooled_by: tuple[str, ...] = ()  # liars that pass these tests all the same
    decoys: tuple[Decoy, ...] = ()  # for tests that are not judged remotely, or that tell nothing
    tells: bool = True  # whether a pass proves anything: decoys tell right values from others
    seconds: float | None = None  # that the reference took, as answers are judged; none: not known


class Proving:
    def __init__(self, job: Job, ways: TestRunners) -> None:
        self._program = replace(job.program, answer=job.reference)
        self._apart = ways.apart
        self._together = ways.together
        self._rehearse = ways.rehearse
        self._steady = True
        self._seconds: list[float] = []  # that the reference took together with its tests

    def prove(self) -> tuple[Proven, bool] | Judgement:
        """What is proven, and whether that would be the same at any other time."""
        try:
            proven = self._remote()
            if not proven.remote and not self._can_be_changed():
                # Nothing is proven by such tests, whether or not the reference passes them.
                return proven, self._steady
            if not proven.remote and not self._passes():
                # Of tests that no right answer is known to pass, a pass proves nothing.
                proven = replace(proven, tells=False)
            elif not proven.remote:
                found = self._decoys(self._on, _DECOYS)
                # Who reads these tests can tell which of two equal values was changed: a defence
                # against those who do not look, and no proof.
                weak = () if found else self._decoys(self._on, _DECOYS, repeated=True)
                seconds = max(self._seconds, default=None)
                proven = replace(proven, decoys=found or weak, tells=not weak, seconds=seconds)
        except MomentError as moment:
            return moment.judgement
        return proven, self._steady

    def _can_be_changed(self) -> bool:
        """Whether these tests expect anything that a decoy could change."""
        tests = self._program.tests
        return bool(decoys(tests) or decoys(tests, repeated=True))

    def _passes(self) -> bool:
        """Whether the reference passes together with its tests."""
        own = self._together(self._program)
        self._check(own)
        self._seconds.append(own.seconds)
        return own.outcome is Outcome.PASSED

    def _on(self, tests: str) -> Judgement:
        return self._together(replace(self._program, tests=tests))

    def _remote(self) -> Proven:
        judged, learned = self._surely(lambda: self._apart(self._program, None, patient=True))
        if judged.outcome is not Outcome.PASSED or learned is None:
            return Proven(remote=False, why_not=_why(judged))
        learned["guess_bits"] = min(learned["guess_bits"], bits_of_checks(self._program.tests))
        # Once more as any other answer, held to what was learned; then those who know nothing.
        lies = liars(self._program.answer, self._program.tests)
        codes = [self._program.answer, *lies.values()]
        rehearsal = Rehearsal(self._program, tuple(codes), learned)
        again, *lied = self._surely(lambda: self._rehearse(rehearsal))
        if again.outcome is not Outcome.PASSED:
            return Proven(remote=False, why_not=f"not the same twice: {_why(again)}")
        fooled = {}
        for (name, code), lie in zip(lies.items(), lied, strict=True):
            told = self._once_more(replace(self._program, answer=code), lie, learned)
            if told.outcome is Outcome.PASSED:
                fooled[name] = code
        for nothing, kinds in ((NO_VALUE, MARRED), (NO_USE, MARRED), (NO_PART, TURNED)):
            if fooled.pop(nothing, None):  # no value is used that would tell
                fooled = {name: code for name, code in fooled.items() if name not in kinds}
        asked = bool(learned.get("judged"))
        if not asked:
            fooled.pop(AGREEING_METHODS, None)  # it is the reference, but for what nobody asks
        proven = Proven(remote=True, learned=learned, seconds=judged.seconds)
        if fooled or asked:
            proven = self._tried_on_decoys(proven, fooled, learned, asked=asked)
        if rests_on_numbers(self._program.tests):
            # Who gives all numbers gives those too that a decoy looks for.
            sought = self._sought(learned)
            proven = replace(
                proven,
                decoys=tuple(dict.fromkeys((*proven.decoys, *sought))),
                tells=proven.tells and bool(sought),
            )
        return proven

    def _surely(self, run: Callable[[], Told]) -> Told:
        """What is told, the reference's judgement first; again while the machine may be why."""
        for _ in range(_CHANCES):
            told = run()
            judged: Judgement = told[0]
            if judged.outcome is not Outcome.TIMEOUT and not judged.killed:
                break
        self._check(judged)
        return told

    def _sought(self, learned: dict[str, Any]) -> tuple[Decoy, ...]:
        """Decoys that look for other numbers, which the reference fails."""
        found: list[Decoy] = []
        for tests in sought_decoys(self._program.tests)[:_TRIES]:
            program = replace(self._program, tests=tests)
            answers = (self._program.answer,)
            (tried,) = self._rehearse(Rehearsal(program, answers, learned, brief=False))
            self._check(tried)
            decoy = self._decoy(tests, tried)
            found += [decoy] if decoy is not None else []
            if len(found) == _DECOYS:
                break
        return tuple(found)

    def _tried_on_decoys(
        self, proven: Proven, fooled: dict[str, str], learned: dict[str, Any], *, asked: bool
    ) -> Proven:
        """What is proven where liars pass, or where things of the answer's are asked to judge."""
        # Who returns 0 where 0 is right fails where it is not, as the reference does. Who passes
        # there too passes anything: then every answer is tried on decoys that tell. So it is where
        # the answer's own objects are asked whether something holds: they may agree with anything.
        found = self._remote_decoys(fooled, learned)
        if not found:
            found = self._remote_decoys(fooled, learned, repeated=True)
        telling = {
            name: [decoy for decoy, unlike in found.items() if name in unlike] for name in fooled
        }
        chosen = dict.fromkeys(decoys[0] for decoys in telling.values() if decoys)
        if asked and not chosen:
            chosen = dict.fromkeys(list(found)[:_REMOTE_DECOYS])
        return replace(
            proven,
            fooled_by=tuple(fooled),
            decoys=tuple(chosen),
            tells=bool(found) and all(telling[name] for name in AGREEING if name in telling),
        )

    def _remote_decoys(
        self, fooled: dict[str, str], learned: dict[str, Any], *, repeated: bool = False
    ) -> dict[Decoy, set[str]]:
        """Decoys, each with the names of liars that do not fail it as the reference does.

        No more are looked for once each liar is found out by one.
        """
        found: dict[Decoy, set[str]] = {}
        answers = (self._program.answer, *fooled.values())

        def run(tests: str) -> Judgement:
            program = replace(self._program, tests=tests)
            own, *lied = self._rehearse(Rehearsal(program, answers, learned, brief=False))
            decoy = self._decoy(tests, own)
            if decoy is not None:
                found[decoy] = set()
                for (name, code), lie in zip(fooled.items(), lied, strict=True):
                    told = self._once_more(replace(program, answer=code), lie, learned)
                    if not decoy.failed_by(told):
                        found[decoy].add(name)
            return own

        def enough() -> bool:
            known = set().union(*found.values())
            return len(found) >= _REMOTE_DECOYS and known == set(fooled)

        self._decoys(run, _DECOYS, repeated=repeated, enough=enough)
        return found

    def _once_more(self, program: Program, lie: Judgement, learned: dict[str, Any]) -> Judgement:
        """What becomes of a liar, if it passes by what it has changed."""
        if lie.outcome is Outcome.INFRASTRUCTURE:
            raise MomentError(lie)
        if lie.killed:
            self._steady = False  # left alone, it might have passed
        if lie.outcome is Outcome.PASSED and lie.changes:
            return self._held(program, learned)
        return lie

    def _held(self, program: Program, learned: dict[str, Any]) -> Judgement:
        return run_held(program, learned, lambda p, known: self._apart(p, known, patient=False)[0])

    def _check(self, judged: Judgement) -> None:
        if judged.outcome is Outcome.INFRASTRUCTURE:
            raise MomentError(judged)
        if judged.outcome is Outcome.TIMEOUT:
            self._steady = False  # on another day it might have been quick enough
        if judged.killed:
            self._steady = False  # and nobody might have killed it

    def _decoys(
        self,
        run: Callable[[str], Judgement],
        wanted: int,
        *,
        repeated: bool = False,
        enough: Callable[[], bool] = lambda: False,
    ) -> tuple[Decoy, ...]:
        """Decoys that the reference fails, as many as wanted if there are so many."""
        found: list[Decoy] = []
        for tests in decoys(self._program.tests, repeated=repeated)[:_TRIES]:
            tried = run(tests)
            self._check(tried)
            self._seconds.append(tried.seconds)
            decoy = self._decoy(tests, tried)
            if decoy is not None:
                found.append(decoy)
            if len(found) == wanted or enough():
                break
        return tuple(found)

    @staticmethod
    def _decoy(tests: str, tried: Judgement) -> Decoy | None:
        """Changed tests, if the reference fails them."""
        failed = tuple(c.name for c in tried.cases if c.outcome != "passed")
        if tried.outcome is Outcome.FAILED and failed and not tried.stuck:
            return Decoy(tests, failed, len(tried.cases))
        return None


def run_held(
    program: Program,
    learned: dict[str, Any] | None,
    run: Callable[[Program, dict[str, Any] | None], Judgement],
) -> Judgement:
    """Run a program apart from its tests, held to what its reference needed.

    An answer that changes its arguments, as the reference does not, must pass without that too: or
    it might pass by changing what the tests compare its result with.
    """
    judgement = run(program, learned)
    if judgement.outcome is not Outcome.PASSED or not judgement.changes:
        return judgement
    again = run(program, {**(learned or {}), "ignores": True})
    if again.outcome is Outcome.FAILED:
        return replace(again, reason=f"passes only by changing its arguments: {again.reason}")
    return again


class MomentError(Exception):
    """The machine could not tell, now."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(judgement.reason)
        self.judgement = judgement


def _why(judgement: Judgement) -> str:
    return judgement.stuck or f"{judgement.outcome.value}: {judgement.reason}"
