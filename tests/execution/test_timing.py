"""Time limits: by the reference's own time, measured once; who was busy all along is not asked twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift import config
from libdrift.environments import Ready
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.judging import JudgingContext, PythonJudge
from libdrift.execution.timing import Timing
from libdrift.records import Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Names, Program, guests


def test_the_reference_is_timed_once_and_patiently() -> None:
    timing = Timing(Limits().with_time(2.0), 10.0)
    asked: list[float] = []

    def measure(limits: Limits) -> float:
        asked.append(limits.wall_seconds)
        return 0.5

    assert timing.alone("a", measure).wall_seconds == 5.0
    assert timing.alone("a", measure).wall_seconds == 5.0
    assert asked == [40.0]
    assert timing.alone("b", lambda _: 0.01).wall_seconds == 2.0


REFERENCE = "def f(x):\n    return x + 1\n"
TESTS = "from answer import f\n\n\ndef test_f():\n    assert f(1) == 2\n    assert f(20) == 21\n"
BUSY = "def f(x):\n    while True:\n        pass\n"
ASLEEP = "import time\ndef f(x):\n    time.sleep(600)\n"


@pytest.mark.parametrize(("answer", "again"), [(BUSY, False), (ASLEEP, True)])
def test_only_who_may_have_waited_for_a_processor_is_judged_again(
    monkeypatch: pytest.MonkeyPatch, place: Ready, bubblewrap: Backend, answer: str, *, again: bool
) -> None:
    asked = []
    alone = PythonJudge.alone

    def noted(self: PythonJudge, job: Job, place: Ready, steps: tuple[Names, ...]) -> Judgement:
        asked.append(job)
        return alone(self, job, place, steps)

    late: list[Judgement] = []
    is_settled = JudgingContext.is_settled

    def seen(self: JudgingContext, job: Job, judgement: Judgement) -> bool:
        late.append(judgement)
        return is_settled(self, job, judgement)

    monkeypatch.setattr(PythonJudge, "alone", noted)
    monkeypatch.setattr(JudgingContext, "is_settled", seen)
    program = Program(answer, TESTS, TestStyle.PYTEST)
    job = Job(("loop",), place.environment, program, REFERENCE)
    options = Options(config.load(), bubblewrap, replace(Limits(), wall_seconds=3.0), workers=1)
    # On a busy machine a loop gets a small share of a processor; who sleeps gets none.
    monkeypatch.setattr(guests, "_BUSY", 0.1)
    ((_, judgement),) = run_jobs([job], options)
    assert judgement.outcome is Outcome.TIMEOUT
    assert late[0].busy is not again
    assert bool(asked) is again
