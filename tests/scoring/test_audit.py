"""What an audit concludes, from judgements made up here; whole audits stand in test_scoring."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.records import Outcome, Task
from libdrift.sandbox import Backend, Judgement
from libdrift.scoring import AuditResult, audit
from tests.conftest import make_task

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
TASK = replace(make_task("t", 1), wrong=None)


def conclude(
    monkeypatch: pytest.MonkeyPatch, options: Options, task: Task, **outcomes: Outcome
) -> AuditResult:
    def judged(jobs: Sequence[Job], _: Options) -> Iterator[tuple[Job, Judgement]]:
        for job in jobs:
            outcome = outcomes[job.key[2]]
            yield job, Judgement(outcome, "" if outcome is PASSED else f"it {outcome}", 0.1)

    monkeypatch.setattr(sys.modules["libdrift.scoring.audit"], "run_jobs", judged)
    (result,) = audit([task], options)
    return result


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def test_without_a_wrong_answer_the_reference_is_the_proof(
    monkeypatch: pytest.MonkeyPatch, options: Options
) -> None:
    found = conclude(monkeypatch, options, TASK, hidden=PASSED, visible=PASSED)
    assert found.verified
    assert "no wrong-version answer to run" in found.reason
    assert [(item.split, item.passed, item.reason) for item in found.splits] == [
        ("hidden", True, ""),
        ("visible", True, ""),
    ]


@pytest.mark.parametrize(
    ("hidden", "visible", "words"),
    [
        (PASSED, FAILED, "the reference does not pass (visible): it failed"),
        (FAILED, PASSED, "the reference does not pass (hidden): it failed"),
        (FAILED, FAILED, "(hidden): it failed; (visible): it failed"),
        (FAILED, Outcome.INFRASTRUCTURE, "not proven: it infrastructure"),
    ],
)
def test_the_reason_names_the_split(
    hidden: Outcome,
    visible: Outcome,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    options: Options,
) -> None:
    found = conclude(monkeypatch, options, TASK, hidden=hidden, visible=visible)
    assert not found.verified
    assert words in found.reason
    assert [item.outcome for item in found.splits] == [hidden, visible]


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (replace(TASK, tests=()), "has no tests"),
        (replace(TASK, reference=" \n"), "has no reference"),
    ],
)
def test_nothing_to_run_is_nothing_proven(
    task: Task, words: str, monkeypatch: pytest.MonkeyPatch, options: Options
) -> None:
    found = conclude(monkeypatch, options, task)
    assert (found.verified, found.reason, found.splits) == (False, words, ())


def test_a_task_with_one_split_is_judged_by_it(
    monkeypatch: pytest.MonkeyPatch, options: Options
) -> None:
    task = replace(TASK, tests=TASK.tests[1:])
    assert conclude(monkeypatch, options, task, visible=PASSED).verified
