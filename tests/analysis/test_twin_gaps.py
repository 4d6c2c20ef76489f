from __future__ import annotations

import pytest

from libdrift.analysis.measuring import Measure
from libdrift.analysis.over_time import over_time_of
from libdrift.analysis.twin_gaps import ALL, twin_gaps
from libdrift.records import Observation, Outcome
from libdrift.reports.times import time_sheets
from tests.analysis.runs import observed_run, row

HIDDEN = Measure("hidden")


def pairs(count: int, before: float, after: float) -> list[Observation]:
    """So many pairs; of each side, the first so large a share is solved."""
    rows = []
    for at in range(count):
        rows.append(row(f"old{at}", float(at < before * count), date="2021-01-01", year="2021"))
        right = float(at < after * count)
        rows.append(row(f"new{at}", right, date="2023-01-01", year="2023", twin=f"old{at}"))
    return rows


def test_a_gap_with_its_interval() -> None:
    (found,) = twin_gaps(observed_run(pairs(40, 0.8, 0.4)), [HIDDEN])
    assert (found.pairs, found.before, found.after) == (40, 0.8, 0.4)
    assert found.value == pytest.approx(-0.4)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -0.4 < found.high < 0
    assert found.p < 0.001


def test_no_gap_where_both_sides_are_alike() -> None:
    (found,) = twin_gaps(observed_run(pairs(40, 0.5, 0.5)), [HIDDEN])
    assert found.value == 0
    assert found.p == 1
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_only_pairs_count_of_which_both_were_answered() -> None:
    rows = pairs(10, 0.5, 0.5)
    missing = [one for one in rows if one.task_id != "old3"]
    (found,) = twin_gaps(observed_run(missing), [HIDDEN])
    assert found.pairs == 9
    assert twin_gaps(observed_run([row("a", 1.0), row("b", 0.0)]), [HIDDEN]) == []


def test_families_apart_and_together() -> None:
    rows = [
        Observation("run", f"{kind}-{at}", 0, Outcome.PASSED, facts, {kind: value})
        for kind, after in (("generate", 0.0), ("locate", 1.0))
        for at, facts, value in ((0, {}, 1.0), (1, {"twin": f"{kind}-0"}, after))
    ]
    found = twin_gaps(observed_run(rows), [Measure("generate"), Measure("locate")])
    assert [(one.measure, one.value) for one in found] == [
        ("generate", -1.0),
        ("locate", 0.0),
        (ALL, -0.5),
    ]


def test_a_report_over_time_has_it() -> None:
    found = over_time_of([observed_run(pairs(12, 1.0, 0.5))])
    assert found.to_json()["twins"][0]["gap"] == -0.5
    (sheet,) = [one for one in time_sheets(found, ["run"]) if "negative control" in one.title]
    assert sheet.rows[0][0] == "hidden"
    assert sheet.rows[0][3].startswith("-50.0 [")
