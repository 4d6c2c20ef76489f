"""Answers judged as they arrive get the verdicts that they get all at once."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError, Future
from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.execution.live import Live
from libdrift.records import Attempt, Environment, Outcome, Suite
from libdrift.sandbox import Backend, Judgement, Limits
from libdrift.scoring.verdicts import job_for


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def jobs(suite: Suite, code: str) -> list[Job]:
    return [
        job_for(task, tests, Attempt(task.id, 0, "", code.format(task.id[1:])))
        for task in suite.tasks.values()
        for tests in task.tests
    ]


def test_verdicts_come_to_who_submitted_from_any_thread(
    small_suite: Suite, options: Options
) -> None:
    right = jobs(small_suite, "def number():\n    return {}\n")
    wrong = jobs(small_suite, "def number():\n    return -1\n")
    found: list[tuple[bool, Future[Judgement]]] = []
    with Live(options) as live:

        def submit(batch: list[Job], *, good: bool) -> None:
            found.extend((good, live.submit(job)) for job in batch)

        threads = [
            threading.Thread(target=submit, args=(right,), kwargs={"good": True}),
            threading.Thread(target=submit, args=(wrong,), kwargs={"good": False}),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        outcomes = {(good, future.result().outcome) for good, future in found}
    assert outcomes == {(True, Outcome.PASSED), (False, Outcome.FAILED)}


def test_a_slow_answer_gets_its_second_look_alone(small_suite: Suite, options: Options) -> None:
    hurried = replace(options, limits=Limits().with_time(1.0), time_factor=1.0)
    endless = jobs(small_suite, "def number():\n    while True: pass\n")[:1]
    right = jobs(small_suite, "def number():\n    return {}\n")
    with Live(hurried) as live:
        slow = live.submit(endless[0])
        others = [live.submit(job) for job in right]
        assert slow.result().outcome is Outcome.TIMEOUT
        assert {future.result().outcome for future in others} == {Outcome.PASSED}


def test_leaving_ends_what_is_running_and_cancels_what_waits(
    small_suite: Suite, options: Options
) -> None:
    endless = jobs(small_suite, "def number():\n    while True: pass\n")
    with Live(replace(options, workers=1)) as live:
        running = live.submit(endless[0])
        waiting = live.submit(endless[1])
        while not running.running():
            threading.Event().wait(0.01)
    assert running.result().outcome is Outcome.INFRASTRUCTURE
    with pytest.raises(CancelledError):
        waiting.result()


def test_an_environment_that_cannot_be_had_is_the_machine_s_trouble(
    small_suite: Suite, options: Options
) -> None:
    job = jobs(small_suite, "x = 1")[0]
    nowhere = replace(job, environment=Environment("cobol", "1", ()))
    with Live(options) as live:
        judgement = live.submit(nowhere).result()
    assert judgement.outcome is Outcome.INFRASTRUCTURE
    assert "no builder for cobol" in judgement.reason
