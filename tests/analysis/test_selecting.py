from __future__ import annotations

import pytest

from libdrift.analysis.selecting import release_of, restricted, where
from libdrift.errors import UserError
from tests.analysis.runs import observed_run, row

ROWS = [
    row("a", 1.0, library="numpy", version="numpy 1.9.1", year="2021", date="2021-01-31"),
    row("b", 0.0, library="numpy", version="numpy 1.10", year="2022", date="2022-02-01"),
    row("c", 1.0, library="Flask", version="Flask 2", year="2023", date="2023-05-05"),
    row("d", 0.0, library="sympy"),
]


@pytest.mark.parametrize(
    ("conditions", "tasks"),
    [
        ([], "abcd"),
        (["library=numpy"], "ab"),
        (["library=numpy", "library=FLASK"], "abc"),  # either, whatever the case
        (["library=numpy", "year=2022"], "b"),
        (["Library = flask"], "c"),
        (["library!=numpy"], "cd"),
        (["library!=numpy", "library!=flask"], "d"),
        (["year>=2022"], "bc"),  # what is unknown is not after anything
        (["year>2021", "year<2023"], "b"),
        (["date<=2021-12"], "a"),
        (["version=1.10"], "b"),
        (["version=numpy 1.10"], "b"),
        (["version>=1.10"], "bc"),  # by its parts: 1.9 is before 1.10
        (["version!=1.10"], "acd"),
        (["outcome=passed"], "ac"),
        (["task=d"], "d"),
        (["year==2021"], "a"),
    ],
)
def test_conditions(conditions: list[str], tasks: str) -> None:
    assert "".join(one.task_id for one in where(ROWS, conditions)) == tasks


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("library", "not a condition"),
        ("library=", "not a condition"),
        ("=numpy", "not a condition"),
        ("librar=numpy", "Did you mean library"),
        ("mood=good", r"unknown for these answers\. Available: library, version"),
        ("library=nump", r"no answer has library=nump\. library is one of Flask, numpy, sympy"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(condition: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        where(ROWS, [condition])
    assert "\n" not in str(caught.value)


def test_several_runs_are_restricted_together() -> None:
    runs = restricted([observed_run(ROWS[:2], "x"), observed_run(ROWS[2:], "y")], ["year>=2022"])
    assert [(run.label, run.tasks) for run in runs] == [("x", 1), ("y", 1)]
    runs = restricted([observed_run(ROWS[:2], "x"), observed_run(ROWS[2:], "y")], ["library=sympy"])
    assert [run.tasks for run in runs] == [0, 1]


def test_a_release_has_not_its_librarys_name() -> None:
    assert release_of({"library": "numpy", "version": "numpy 1.9"}) == "1.9"
    assert release_of({"library": "numpy"}) is None
