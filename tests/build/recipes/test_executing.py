"""What the machine is to blame for is told apart from what programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from libdrift.build.recipes import executing
from libdrift.build.recipes.executing import SandboxExecutor, job_of, told
from libdrift.build.recipes.steps import MachineTrouble
from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.execution.outputs import Observed, ScriptRun
from libdrift.records import Outcome
from libdrift.sandbox import Judgement, choose
from libdrift.sandbox.commands import Ended
from tests.build.recipes.local import AFTER, BEFORE
from tests.build.recipes.test_gates import TASK


@pytest.fixture
def executor(settings: Settings) -> SandboxExecutor:
    return SandboxExecutor(Options(settings, choose("none", settings)))


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.INFRASTRUCTURE])
def test_verdicts_are_answers_and_troubles_are_none(
    executor: SandboxExecutor, monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> None:
    fresh: list[bool] = []

    def judged(jobs: Sequence[Job], options: Options) -> Iterator[tuple[Job, Judgement]]:
        fresh.append(options.fresh)
        yield from ((job, Judgement(outcome, "no space left", 0.0)) for job in jobs)

    monkeypatch.setattr(executing, "run_jobs", judged)
    job = job_of(("t", "reference"), TASK, TASK.tests[0], TASK.reference)
    if outcome is Outcome.INFRASTRUCTURE:
        with pytest.raises(MachineTrouble, match="no space left"):
            executor.judge((job,), fresh=True)
    else:
        assert executor.judge((job,), fresh=True)[job.key].outcome is outcome
    assert fresh == [True]


def test_a_script_without_an_environment_is_the_machines_trouble(
    executor: SandboxExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ScriptRun(AFTER, "print(1)")
    nowhere = Observed(Ended(None, "", "", 0.0), trouble="no wheel", absent=True)
    slow = Observed(Ended(None, "", "", 9.0, "time"), trouble="over the limit of time")
    for seen in (nowhere, slow):
        monkeypatch.setattr(executing, "observe", lambda *_, seen=seen: {run: seen})
        if seen.absent:
            with pytest.raises(MachineTrouble, match="no wheel"):
                executor.observe((run,))
        else:
            assert executor.observe((run,)) == {run: slow}


def test_only_where_it_belongs_a_reference_helps_to_judge() -> None:
    tests = TASK.tests[0]
    assert job_of(("a",), TASK, tests, "x").reference == TASK.reference
    assert job_of(("a",), TASK, tests, "x", BEFORE).reference == ""


def test_a_model_is_told_the_end_of_a_log() -> None:
    long = Judgement(Outcome.ERROR, "it fails", 0.0, log="a" * 5000 + "the end")
    assert told(long).startswith("it fails\n")
    assert told(long).endswith("the end")
    assert len(told(long)) < 2000
    assert told(Judgement(Outcome.TIMEOUT, "", 0.0)) == "timeout"
