"""Time limits that follow the reference, and forks that judge as fresh processes do."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from libdrift import suites
from libdrift.config import Settings
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.judging import _judge_by, _plan
from libdrift.execution.proving import Decoy, Proven
from libdrift.records import UNPROVEN, Case, Environment, Outcome, Task, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program
from libdrift.sandbox.conformance import strangers
from libdrift.scoring.verdicts import program_for
from tests.conftest import AS_OF
from tests.published import published

PLACE = Environment("python", "3.11", ("pytest==8.3.5",), AS_OF)
TESTS = "assert wait() == 1\n"
# Three environments that are quick to build: flask, sympy and falcon.
SAMPLES = ("144", "146", "183", "184", "185", "237", "238", "239")


def waits(seconds: float, value: int = 1) -> str:
    return f"import time\n\n\ndef wait():\n    time.sleep({seconds})\n    return {value}\n"


def job(name: str, answer: str, reference: str) -> Job:
    return Job((name,), PLACE, Program(answer, TESTS, TestStyle.SCRIPT), reference)


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    limits = Limits().with_time(1.0)
    return Options(settings, bubblewrap, limits, time_factor=3.0)


@pytest.mark.parametrize("fresh", [False, True])
def test_the_reference_sets_the_limit(options: Options, fresh: bool) -> None:  # noqa: FBT001
    jobs = [
        job("as slow as the reference", waits(1.6), waits(1.5)),
        job("slow and wrong", waits(1.6, 2), waits(1.5)),
        job("the reference itself", waits(1.5), waits(1.5)),
        job("endless", waits(600), waits(0.01)),
        job("quick", waits(0.01), waits(1.5)),
    ]
    found = {
        item.key[0]: judgement for item, judgement in run_jobs(jobs, replace(options, fresh=fresh))
    }
    assert {name: judgement.outcome for name, judgement in found.items()} == {
        "as slow as the reference": Outcome.PASSED,
        "slow and wrong": Outcome.FAILED,
        "the reference itself": Outcome.PASSED,
        "endless": Outcome.TIMEOUT,
        "quick": Outcome.PASSED,
    }
    # In a fresh process three times what the reference takes may be a little over the least limit.
    assert re.fullmatch(r"over the time limit of 1(\.\d+)? s", found["endless"].reason)


def test_a_timeout_is_retried_when_nothing_else_runs(options: Options) -> None:
    jobs = [job("late", waits(1.6), waits(1.5)), *(job(f"t{n}", waits(0), "") for n in range(9))]
    order = [item.key[0] for item, _ in run_jobs(jobs, options)]
    assert order[-1] == "late"


def test_leaving_early_stops_the_rest(options: Options) -> None:
    jobs = [job(f"t{n}", waits(0.05), "") for n in range(50)]
    before = threading.active_count()
    running = run_jobs(jobs, options)
    next(running)
    assert threading.active_count() > before
    running.close()
    assert threading.active_count() == before
    assert strangers() == []


def verdicts(jobs: Sequence[Job], options: Options) -> dict[tuple[str, ...], object]:
    return {
        item.key: (judgement.outcome, judgement.reason, judgement.cases)
        for item, judgement in run_jobs(jobs, options)
    }


def both_ways(tasks: Sequence[Task]) -> list[Job]:
    jobs = []
    for task in tasks:
        wrong = task.wrong.code if task.wrong else task.starter
        for name, code in (("right", f"{task.reference}\n# right\n"), ("wrong", wrong)):
            for tests in task.tests:
                program = program_for(task, tests, code)
                key = (task.id, name, tests.split.value)
                jobs.append(Job(key, task.environment, program, task.reference))
    return jobs


def test_forks_judge_the_starter_suite_as_fresh_processes_do(
    settings: Settings, options: Options
) -> None:
    suite = suites.load("starter", settings)
    jobs = both_ways(list(suite.tasks.values()))
    patient = replace(options, limits=Limits().with_time(30))
    forked = verdicts(jobs, patient)
    assert len(forked) == 4 * len(suite.tasks)
    assert forked == verdicts(jobs, replace(patient, fresh=True))


@pytest.mark.published
def test_forks_judge_gitchameleon_as_fresh_processes_do(
    settings: Settings, options: Options
) -> None:
    data = published("gitchameleon").parent
    suite = suites.load("gitchameleon", replace(settings, data=data))
    tasks = [suite.tasks[task_id] for task_id in SAMPLES]
    patient = replace(options, limits=Limits().with_time(60))
    forked = verdicts(both_ways(tasks), patient)
    assert forked == verdicts(both_ways(tasks), replace(patient, fresh=True))
    right = [outcome for key, outcome in forked.items() if key[1] == "right"]
    assert all(outcome[0] is Outcome.PASSED for outcome in right)  # type: ignore[index]


ONE = Decoy("assert f() == 4", ("script",), 1)
PARTLY = Decoy("assert f() == 4", ("test_a",), 2)
REAL = (Case("test_a", "passed"), Case("test_b", "passed"))
CHANGED = (Case("test_a", "failed"), Case("test_b", "passed"))
RIGHT = Judgement(Outcome.PASSED, "", 0.0, REAL)
RIGHTLY_WRONG = Judgement(Outcome.FAILED, "", 0.0, CHANGED)
ALL_WRONG = Judgement(Outcome.FAILED, "", 0.0, tuple(Case(c.name, "failed") for c in REAL))
GARBLED = Judgement(Outcome.FAILED, "tampered", 0.0)
GONE = Judgement(Outcome.ERROR, "ended", 0.0)
TROUBLE = Judgement(Outcome.INFRASTRUCTURE, "no guest", 0.0)


@pytest.mark.parametrize(
    ("on_real", "on_decoy", "expected"),
    [
        (RIGHT, RIGHTLY_WRONG, Outcome.PASSED),
        (RIGHT, RIGHT, Outcome.FAILED),
        # A forger by chance fails everything, not only what was changed; garbles; or is gone.
        (RIGHT, ALL_WRONG, Outcome.FAILED),
        (RIGHT, GARBLED, Outcome.FAILED),
        (RIGHT, GONE, Outcome.FAILED),
        (ALL_WRONG, ALL_WRONG, Outcome.FAILED),
        (GONE, GONE, Outcome.ERROR),
        (RIGHT, TROUBLE, Outcome.INFRASTRUCTURE),
    ],
)
def test_an_answer_passes_exactly_the_real_tests(
    on_real: Judgement, on_decoy: Judgement, expected: Outcome
) -> None:
    task = job("t", "def f(): ...", "def f(): return 3")
    proven = Proven(remote=False, decoys=(PARTLY,))
    runs: list[str] = []

    def run(program: Program) -> Judgement:
        runs.append(program.tests)
        return on_real if program.tests == TESTS else on_decoy

    for _ in range(20):  # the order is random
        runs.clear()
        plan = _plan(proven)
        judgement = _judge_by(task, plan, run, f"decoys({plan.count(PARTLY)})")
        assert judgement.outcome is expected
        if expected is Outcome.PASSED:
            assert len(runs) == 5
            assert judgement.proof == f"decoys({runs.count(PARTLY.tests)})"
            assert 2 <= runs.count(TESTS) <= 3


def test_one_case_takes_more_runs() -> None:
    assert len(_plan(Proven(remote=False, decoys=(ONE,)))) == 8
    assert len(_plan(Proven(remote=False, decoys=(PARTLY,)))) == 5


def test_the_order_of_real_and_changed_tests_cannot_be_known() -> None:
    orders = {tuple(_plan(Proven(remote=False, decoys=(PARTLY,)))) for _ in range(100)}
    assert len(orders) > 10
    assert {order[0] for order in orders} == {None, PARTLY}
    assert {order.count(None) for order in orders} == {2, 3}


def test_nothing_is_proven_by_tests_that_the_reference_fails(options: Options) -> None:
    tests = "from answer import f\n\n\ndef test_f():\n    assert f(1) == 2\n    assert f(2) == 3\n"
    right, wrong = "def f(x):\n    return x + 1\n", "def f(x):\n    return 2 * x + 5\n"
    asked = Job(("right",), PLACE, Program(right, tests, TestStyle.PYTEST), wrong)
    ((_, judgement),) = run_jobs([asked], options)
    assert (judgement.outcome, judgement.proof) == (Outcome.PASSED, UNPROVEN)
