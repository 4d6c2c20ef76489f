"""The shipped suite: complete, varied, and proven by execution."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from packaging.version import Version

from libdrift import config, suites
from libdrift.errors import UserError
from libdrift.execution import Options, audit
from libdrift.records import ChangeKind, Split, Task
from libdrift.sandbox import Backend

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


def test_names_are_suggested() -> None:
    with pytest.raises(UserError, match=r"Did you mean 'starter'\?"):
        suites.load("startr", config.load())
    with pytest.raises(UserError, match="Did you mean 'numpy-batched-solve'"):
        suites.select(SUITE, ["numpy-batched-solv"])
