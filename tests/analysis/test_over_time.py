from __future__ import annotations

from datetime import date, timedelta

import pytest

from libdrift.analysis.measuring import Measure
from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.over_time import (
    cutoff_estimate,
    over_time_of,
    read_gap,
    two_windows,
    version_spreads,
)
from libdrift.errors import UserError
from tests.analysis.runs import observed_run, row

HIDDEN = Measure("hidden")


def monthly(until: str, months: int = 24, each: int = 3) -> ObservedRun:
    """Tasks of every month from 2021 on, solved until a day."""
    rows = []
    for month in range(months):
        day = date(2021 + month // 12, month % 12 + 1, 1).isoformat()
        for at in range(each):
            right = float(day < until) if at else 1.0  # one is always solved
            facts = {"date": day, "year": day[:4], "library": f"l{at}", "version": f"l{at} {month}"}
            rows.append(row(f"{day}-{at}", right, **facts, change="removed"))
    return observed_run(rows)


def test_a_cut_off_is_found_with_its_interval() -> None:
    found = cutoff_estimate(monthly("2022-03-01"), HIDDEN)
    assert found.date == "2022-03-01"
    assert found.low is not None
    assert found.high is not None
    assert found.low <= "2022-03-01" <= found.high
    assert found.told.startswith("worse from 2022-03-01 on (between ")
    assert found.p is not None
    assert found.p < 0.01
    assert found.p_within_libraries is not None
    assert found.p_within_libraries < 0.01


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (monthly("2030-01-01"), "no cut-off: later releases are not done worse"),
        (monthly("2021-02-01", 4), "12 tasks of 4 release dates are too few"),
        (observed_run([row("a", 1.0)]), "0 tasks of 0 release dates are too few"),
    ],
)
def test_where_it_cannot_be_told_that_is_said(run: ObservedRun, told: str) -> None:
    found = cutoff_estimate(run, HIDDEN)
    assert found.told.startswith(told)
    assert found.date is None


def test_two_windows_without_what_is_close_to_the_cut_off() -> None:
    run = monthly("2022-01-01")
    found = two_windows(run, HIDDEN, date(2022, 1, 15), timedelta(days=60))
    assert (found.until, found.since) == ("2021-11-16", "2022-03-17")
    assert (found.before.tasks, found.after.tasks, found.left_out) == (33, 27, 12)
    assert found.difference == pytest.approx(-2 / 3)
    assert found.high is not None
    assert found.high < -0.3
    assert found.p is not None
    assert found.p < 0.01
    empty = two_windows(run, HIDDEN, date(2000, 1, 1))
    assert (empty.before.value, empty.difference, empty.p) == (None, None, None)


def test_a_librarys_versions_apart() -> None:
    rows = [
        row(f"{library}{version}{at}", right, library=library, version=f"{library} {version}")
        for library, version, right in (("a", "1.9", 1.0), ("a", "1.10", 0.0), ("b", "2", 1.0))
        for at in range(8)
    ]
    (found,) = version_spreads(observed_run(rows), HIDDEN)
    assert (found.library, found.spread) == ("a", 1.0)
    assert [version for version, _ in found.versions] == ["1.9", "1.10"]
    assert found.p < 0.01


def test_all_of_it(tmp_path: object) -> None:
    found = over_time_of([monthly("2022-01-01")], cutoff=date(2022, 1, 1)).to_json()
    assert [one["by"] for one in found["years"]] == [["year"], ["change", "year"]]
    assert [one["measure"] for one in found["cutoff_estimates"]] == ["hidden"]
    assert len(found["windows"]) == 1
    with pytest.raises(UserError, match="no task of these runs has a release date"):
        over_time_of([observed_run([row("a", 1.0)])])


@pytest.mark.parametrize(
    ("text", "days"), [("90d", 90), ("90", 90), ("2W", 14), ("1y", 365), ("6m", 180)]
)
def test_gaps(text: str, days: int) -> None:
    assert read_gap(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "d", "-3d", "1.5y", "9999999d", "a week"])
def test_no_gap(text: str) -> None:
    with pytest.raises(UserError, match="not a length of time"):
        read_gap(text)
