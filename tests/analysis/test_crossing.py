from __future__ import annotations

import pytest

from libdrift.analysis.crossing import cross, facts_asked
from libdrift.errors import UserError
from tests.analysis.runs import observed_run, row

ROWS = [
    row("a", 1.0, library="numpy", year="2021", difficulty="easy"),
    row("b", 0.0, library="numpy", year="2022", difficulty="easy", error="TypeError"),
    row("c", 0.0, library="numpy", year="2022", difficulty="hard", error="KeyError"),
    row("d", 1.0, library="attrs", difficulty="hard"),
]


def values(by: str, *runs: list[object]) -> dict[tuple[str, ...], list[float | None]]:
    found = cross([observed_run(ROWS), *runs], facts_asked(by))  # type: ignore[list-item]
    return {one.values: [rates[0].value for rates in one.rated] for one in found.rows}


def test_two_facts_at_once() -> None:
    found = cross([observed_run(ROWS)], ["library", "year"])
    assert [(one.values, one.rated[0][0].value) for one in found.rows] == [
        (("numpy", "2021"), 1.0),
        (("numpy", "2022"), 0.0),
    ]
    assert found.unknown == (1,)  # of attrs no year is known
    assert found.rows[1].rated[0][0].tasks == 2


def test_versions_and_years_are_in_their_order() -> None:
    rows = [row(name, 1.0, version=name) for name in ("np 1.10", "np 1.9", "np 1.2")]
    found = cross([observed_run(rows)], ["version"])
    assert [one.values[0] for one in found.rows] == ["np 1.2", "np 1.9", "np 1.10"]


def test_errors_are_shares_of_the_answers_beside_them() -> None:
    assert values("difficulty,error") == {
        ("easy", "TypeError"): [0.5],
        ("hard", "KeyError"): [0.5],
    }
    assert values("error") == {("KeyError",): [0.25], ("TypeError",): [0.25]}
    assert values("outcome") == {("failed",): [0.5], ("passed",): [0.5]}


def test_what_is_not_run_has_no_error() -> None:
    rows = [
        row("a", 0.0, kind="migrate", error="CallError"),
        row("b", 1.0, kind="migrate"),
        row("c", 1.0, kind="locate"),
    ]
    (found,) = cross([observed_run(rows)], ["error"]).rows
    assert (found.values, found.rated[0][0].value) == (("CallError",), 0.5)


def test_runs_stand_side_by_side() -> None:
    other = observed_run([row("x", 0.5, library="flask")], "other")
    found = cross([observed_run(ROWS), other], ["library"])
    table = {one.values[0]: [rates[0].value for rates in one.rated] for one in found.rows}
    assert table == {
        "attrs": [1.0, None],
        "flask": [None, 0.5],
        "numpy": [pytest.approx(1 / 3), None],
    }
    told = found.to_json()
    assert told["by"] == ["library"]
    assert told["rows"][0]["runs"] == {
        "run": {"hidden": found.rows[0].rated[0][0].to_json()},
        "other": {},
    }


@pytest.mark.parametrize("text", ["", ",", "a,b,c,d", "year,Year"])
def test_one_to_three_facts(text: str) -> None:
    with pytest.raises(UserError, match="must be one to 3 facts"):
        facts_asked(text)


def test_an_unknown_fact_fails() -> None:
    with pytest.raises(UserError, match=r"--by mood: unknown for these answers\. Available: "):
        cross([observed_run(ROWS)], ["library", "mood"])
