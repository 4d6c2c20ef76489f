"""What a reference proves of its tests, whatever the machine does meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from libdrift.execution import Job, proving
from libdrift.execution.proving import Proven, Proving
from libdrift.records import Case, Environment, Outcome, TestStyle
from libdrift.sandbox import Apart, Judgement, Program, Rehearsal

REFERENCE = "def count(values):\n    return sum(values)\n"
TESTS = "assert count([1, 2, 3]) == 6\n"
JOB = Job(
    ("t", "0", "hidden"),
    Environment("python", "3.11", ()),
    Program(REFERENCE, TESTS, TestStyle.SCRIPT, "answer"),
    REFERENCE,
)
PASSED = Judgement(Outcome.PASSED, "", 0.1, (Case("script", "passed"),))
FAILED = Judgement(Outcome.FAILED, "script: wrong", 0.1, (Case("script", "failed"),))
LATE = Judgement(Outcome.TIMEOUT, "over the time limit of 3 s", 3.0)
KILLED = Judgement(Outcome.ERROR, "ended before its tests did", 0.1, killed=True)
LEARNED = {"guess_bits": 60, "judged": False}


class Machine:
    """What becomes of the reference, run by run; then all goes well."""

    def __init__(
        self, apart: Sequence[Judgement] = (), rehearsed: Sequence[Judgement] = ()
    ) -> None:
        self._apart, self._rehearsed = list(apart), list(rehearsed)

    def apart(self, program: Program, learned: object, *, patient: bool) -> Apart:
        del program, learned, patient
        judged = self._apart.pop(0) if self._apart else PASSED
        return judged, dict(LEARNED) if judged is PASSED else None

    def rehearse(self, rehearsal: Rehearsal) -> list[Judgement]:
        own = self._rehearsed.pop(0) if self._rehearsed else PASSED
        return [own, *(FAILED for _ in rehearsal.answers[1:])]

    def together(self, program: Program) -> Judgement:
        return PASSED if program.tests == TESTS else FAILED

    def proven(self) -> tuple[Proven, bool]:
        found = Proving(JOB, proving.TestRunners(self.apart, self.together, self.rehearse)).prove()
        assert not isinstance(found, Judgement)
        return found


@pytest.mark.parametrize("trouble", [LATE, KILLED])
@pytest.mark.parametrize("times", [1, 2])
def test_trouble_of_the_moment_changes_no_proof(trouble: Judgement, times: int) -> None:
    proven, steady = Machine().proven()
    assert (proven.remote, proven.tells, steady) == (True, True, True)
    assert Machine(apart=[trouble] * times).proven() == (proven, True)
    assert Machine(rehearsed=[trouble] * times).proven() == (proven, True)


@pytest.mark.parametrize("trouble", [LATE, KILLED])
def test_trouble_that_stays_is_believed_and_not_kept(trouble: Judgement) -> None:
    for machine in (Machine(apart=[trouble] * 9), Machine(rehearsed=[trouble] * 9)):
        proven, steady = machine.proven()
        assert (proven.remote, steady) == (False, False)


def test_what_is_wrong_is_not_tried_again() -> None:
    machine = Machine(apart=[FAILED])
    proven, steady = machine.proven()
    assert (proven.remote, steady) == (False, True)
    assert proven.why_not == "failed: script: wrong"
