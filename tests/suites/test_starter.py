"""The shipped suite: complete, varied, and proven by execution."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from packaging.version import Version

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.execution import Options, run_jobs
from libdrift.records import Attempt, ChangeKind, Outcome, Split, Task
from libdrift.sandbox import Backend
from libdrift.sandbox.hostile import corpus, entry_of
from libdrift.scoring import audit
from libdrift.scoring.verdicts import job_for

SUITE = suites.load("starter", config.load())
TASKS = list(SUITE.tasks.values())


def test_it_is_as_varied_as_it_claims() -> None:
    assert len(TASKS) >= 24
    assert len({task.facts.library for task in TASKS}) >= 8
    assert {task.facts.change for task in TASKS} == set(ChangeKind)
    directions = Counter(task.facts.direction for task in TASKS)
    assert min(directions["new"], directions["old"]) >= 8


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_task_is_complete(task: Task) -> None:
    assert task.wrong is not None
    assert task.wrong.environment != task.environment
    assert {tests.split for tests in task.tests} == set(Split)
    for code in (task.starter, task.reference, task.wrong.code, *(t.code for t in task.tests)):
        ast.parse(code)
    assert len(task.problem) > 80
    assert task.facts.release_date is not None


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_facts_agree_with_pins(task: Task) -> None:
    """The pin lies on the side of the change that the direction names."""
    assert task.wrong is not None
    assert task.facts.changed_in is not None
    own, change = Version(task.facts.version), Version(task.facts.changed_in)
    prefix = f"{task.facts.library}=="
    (pin,) = (r for r in task.wrong.environment.requirements if r.startswith(prefix))
    other = Version(pin.removeprefix(prefix))
    if task.facts.direction == "new":
        assert other < change <= own
    else:
        assert own < change <= other
    # An answer must not be told the tests, nor the tests contain the answer.
    assert "def test_" not in task.problem


def test_every_task_is_proven_version_sensitive(bubblewrap: Backend) -> None:
    results = audit(TASKS, Options(config.load(), bubblewrap))
    assert [result for result in results if not result.verified] == []


@pytest.mark.parametrize("name", ["forge_the_report", "read_expected_by_signal"])
def test_no_task_can_be_passed_by_an_attack_on_the_judge(name: str, bubblewrap: Backend) -> None:
    """Written against libdrift's own guest: only a decoy finds these out, on every task and split."""
    program = {item.name: item for item in corpus()}[name]
    jobs = [
        job_for(task, tests, Attempt(task.id, 0, "", program.against(entry_of(task))))
        for task in TASKS
        for tests in task.tests
    ]
    outcomes = {job.key: j for job, j in run_jobs(jobs, Options(config.load(), bubblewrap))}
    assert [k for k, j in outcomes.items() if j.outcome is Outcome.PASSED] == []
    assert len(outcomes) == 2 * len(TASKS)


def test_names_are_suggested() -> None:
    with pytest.raises(UserError, match=r"Did you mean 'starter'\?"):
        suites.load("startr", config.load())
    with pytest.raises(UserError, match="Did you mean 'numpy-batched-solve'"):
        suites.select(SUITE, ["numpy-batched-solv"])
