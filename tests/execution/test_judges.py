"""Every style of tests has a judge, and jobs of several styles are judged in one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.execution import jobs, live
from libdrift.execution.jobs import Options, run_jobs
from libdrift.execution.judges import Judged, judge_for
from libdrift.execution.live import Live
from libdrift.execution.plan import Job
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Judgement, Program, Unprotected

_NOWHERE = Environment("python", "3.11", ())


def test_every_style_has_one() -> None:
    python = {style for style in TestStyle if judge_for(style) is None}
    assert python == {TestStyle.PYTEST, TestStyle.SCRIPT}


class _Count:
    def __init__(self) -> None:
        self.begun: dict[str, int] = {}
        self.outcomes: list[Outcome] = []

    def begin(self, stage: str, total: int) -> None:
        self.begun[stage] = total

    def environment(self, built: Any) -> None:
        raise AssertionError(built)

    def job(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def _judge(given: Sequence[Job], options: Options) -> Judged:
    del options
    for job in given:
        outcome = Outcome.PASSED if job.program.answer == "right" else Outcome.FAILED
        yield job, Judgement(outcome, "", 0.0, uses=True)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (jobs, live):
        monkeypatch.setattr(module, "judge_for", lambda _: _judge)


def _jobs() -> list[Job]:
    styles = (TestStyle.LABELS, TestStyle.RUST)
    return [
        Job((style.value, answer), _NOWHERE, Program(answer, "", style))
        for style in styles
        for answer in ("right", "wrong")
    ]


@pytest.mark.usefixtures("elsewhere")
def test_jobs_go_where_they_belong(settings: Settings) -> None:
    watch = _Count()
    options = Options(settings, Unprotected(), progress=watch)
    found = {job.key: judgement for job, judgement in run_jobs(_jobs(), options)}
    assert {key: one.outcome for key, one in found.items()} == {
        ("labels", "right"): Outcome.PASSED,
        ("labels", "wrong"): Outcome.FAILED,
        ("rust", "right"): Outcome.PASSED,
        ("rust", "wrong"): Outcome.FAILED,
    }
    assert watch.begun["answers"] == len(watch.outcomes) == 4


@pytest.mark.usefixtures("elsewhere")
def test_also_as_they_come(settings: Settings) -> None:
    with Live(Options(settings, Unprotected(), workers=1)) as judges:
        futures = [judges.submit(job) for job in _jobs()]
        outcomes = [future.result(timeout=60).outcome for future in futures]
    assert outcomes == [Outcome.PASSED, Outcome.FAILED] * 2
