from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from libdrift.errors import UserError
from libdrift.records import Suite, Task
from libdrift.suites.selecting import RandomSample, drawn, selected
from tests.conftest import make_task

SUITE = Suite("small", "Small", "here", {f"t{n}": make_task(f"t{n}", n) for n in range(4)})
TASKS = list(SUITE.tasks.values())


@pytest.mark.parametrize(
    ("where", "limit", "expected"),
    [
        ((), None, ["t0", "t1", "t2", "t3"]),
        ((), 2, ["t0", "t1"]),
        (("id=t2",), None, ["t2"]),
        (("kind=generate", "python=3.11"), 1, ["t0"]),
        (("library=none", "version=1"), None, ["t0", "t1", "t2", "t3"]),
    ],
)
def test_conditions_hold_together(
    where: tuple[str, ...], limit: int | None, expected: list[str]
) -> None:
    assert list(selected(SUITE, TASKS, where, limit).tasks) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("libary=x", "unknown fact. Did you mean library=…?"),
        ("library", "not a condition"),
        ("library=numpy", "no task of small has library=numpy. library is one of none"),
        ("symbol=a.b", "Nothing is known of symbol here"),
        ("api_calls=x", "unknown fact"),
    ],
)
def test_what_selects_nothing_says_why(where: str, message: str) -> None:
    with pytest.raises(UserError) as found:
        selected(SUITE, TASKS, (where,))
    assert message in str(found.value)


def _dated(count: int) -> list[Task]:
    """Tasks of four quarters, and one without a day."""
    tasks = [make_task(f"d{n}", n) for n in range(count)]
    days = [None, *(date(2021, 1 + 3 * (n % 4), 5) for n in range(1, count))]
    return [
        replace(task, facts=replace(task.facts, release_date=day))
        for task, day in zip(tasks, days, strict=True)
    ]


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() -> None:
    tasks = _dated(40)
    first = drawn(tasks, RandomSample(10, 1))
    assert len(first) == 10
    assert [task.id for task in first] == [task.id for task in tasks if task in first]
    again = drawn(tasks[::-1], RandomSample(10, 1))
    assert {task.id for task in again} == {task.id for task in first}
    other = drawn(tasks, RandomSample(10, 2))
    assert {task.id for task in other} != {task.id for task in first}
    assert len(drawn(tasks, RandomSample(1000))) == 40


def test_so_many_of_each_quarter() -> None:
    found = drawn(_dated(40), RandomSample(3, 0, "quarter"))
    days = [task.facts.release_date for task in found]
    assert len(found) == 12
    assert None not in days
    assert [sum(day.month == month for day in days if day) for month in (1, 4, 7, 10)] == [3] * 4


def test_a_sample_is_of_what_is_chosen_otherwise() -> None:
    found = selected(SUITE, TASKS, ("id=t2",), sample=RandomSample(3))
    assert list(found.tasks) == ["t2"]
    with pytest.raises(UserError, match="Did you mean quarter"):
        drawn(TASKS, RandomSample(1, 0, "quater"))
    with pytest.raises(UserError, match="step is unknown for these tasks"):
        drawn(TASKS, RandomSample(1, 0, "step"))
