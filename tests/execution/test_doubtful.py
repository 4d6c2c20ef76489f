"""What the machine did to an answer is not the answer's: it is run again before it is believed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from libdrift.environments import Ready
from libdrift.execution import Job, judging
from libdrift.execution.judging import JudgingContext, PythonJudge
from libdrift.execution.proofs import Proofs
from libdrift.execution.timing import Timing
from libdrift.records import Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program
from libdrift.sandbox.backends import Launch
from libdrift.sandbox.judge import judge_apart

_PROGRAM = Program("x = 1\n", "assert x == 1\n", TestStyle.SCRIPT)
_PASSED = Judgement(Outcome.PASSED, "", 0.1)
_KILLED = Judgement(Outcome.ERROR, "ended before its tests did", 0.1, killed=True)
_FAILED = Judgement(Outcome.ERROR, "ended before its tests did", 0.1)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [(_KILLED, _PASSED, _PASSED), (_KILLED, _KILLED, _KILLED), (_FAILED, _PASSED, _FAILED)],
    ids=["killed from without", "kills itself", "ends by itself"],
)
def test_who_was_killed_is_run_once_more(
    place: Ready,
    bubblewrap: Backend,
    monkeypatch: pytest.MonkeyPatch,
    first: Judgement,
    then: Judgement,
    expected: Judgement,
) -> None:
    def warm(*_: Any) -> Judgement:
        return first

    def fresh(*_: Any) -> Judgement:
        return then

    monkeypatch.setattr(judging, "judge_warm", warm)
    monkeypatch.setattr(judging, "judge", fresh)
    job = Job(("task", "0", "hidden"), place.environment, _PROGRAM)
    bench = JudgingContext(
        backend=bubblewrap,
        timing=Timing(Limits(), 10),
        fresh=False,
        stop=threading.Event(),
        proofs=Proofs(None),
    )
    with PythonJudge(bench) as judge:
        found = judge.judge(job, place, ())
    assert replace(found, proof=None) == expected


@dataclass
class _Starved:
    """A sandbox whose first guest does not start, as where no process is left."""

    inner: Backend
    argv: list[str]
    name: str = "starved"
    isolates: bool = True
    launched: int = 0

    @contextlib.contextmanager
    def launch(self, *args: Any, **more: Any) -> Iterator[Launch]:
        with self.inner.launch(*args, **more) as launch:
            self.launched += 1
            yield replace(launch, argv=self.argv, info=None) if self.launched == 1 else launch


@pytest.mark.parametrize(
    ("argv", "answer", "expected"),
    [
        (["sh", "-c", "sleep 2; echo no fork; exit 1"], "x = 1\n", Outcome.INFRASTRUCTURE),
        ([], "import os\nos._exit(1)\n", Outcome.ERROR),
    ],
    ids=["its sandbox does not start", "it leaves"],
)
def test_an_answer_that_did_not_start_is_no_wrong_answer(
    place: Ready, bubblewrap: Backend, argv: list[str], answer: str, expected: Outcome
) -> None:
    tests = "from answer import x\n\n\ndef test_x():\n    assert x == 1\n"
    program = Program(answer, tests, TestStyle.PYTEST)
    backend = _Starved(bubblewrap, argv) if argv else bubblewrap
    found, _ = judge_apart(program, place, backend, Limits(), {})
    assert found.outcome is expected
    if argv:
        assert found.reason == "the answer's guest did not start: no fork"
