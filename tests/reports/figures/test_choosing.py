"""Which figures runs allow, and the numbers in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.analysis.rating import rated
from libdrift.records import Observation, Outcome
from libdrift.reports.figures import building
from libdrift.reports.figures.charts import BarChart, BoxChart, HeatMap, LineChart, ScatterChart
from libdrift.reports.figures.choosing import charts_of
from tests.reports.observed import observed, of_rows

A = observed("openai/a", "110100101101")
B = observed("b", "010100111101", visible="110110111111")
C = observed("c", "000100101000")


def test_one_run_is_drawn_by_every_fact_and_what_is_missing_is_said() -> None:
    found = charts_of([A])
    kinds = {chart.name: type(chart) for chart in found.charts}
    assert kinds == {
        "hidden-overall": BarChart,
        "hidden-errors": BarChart,
        "hidden-by-category": BarChart,
        "hidden-by-library": BarChart,
        "hidden-by-year": LineChart,
        "hidden-library-year": HeatMap,
        "hidden-versions-numpy": LineChart,
        "hidden-versions-pandas": LineChart,
        "hidden-versions-scipy": LineChart,
        "hidden-spread": BoxChart,
    }
    assert found.missing == ("agreement, comparisons: one run; give several",)


def test_three_runs_are_compared_too() -> None:
    charts = {chart.name: chart for chart in charts_of([A, B, C]).charts}
    agreement = charts["hidden-agreement"]
    assert isinstance(agreement, HeatMap)
    same = sum(x == y for x, y in zip("110100101101", "010100111101", strict=True))
    assert agreement.cells[A.label, B.label].value == pytest.approx(same / 12)
    assert (A.label, A.label) not in agreement.cells  # it agrees always: that would say nothing
    assert isinstance(charts["hidden-and-api-hit-rate"], ScatterChart)
    assert "hidden-library-year-b-greedy" in charts  # one for each run
    assert len({chart.name for chart in charts.values()}) == len(charts)


def test_numbers_are_those_of_the_report() -> None:
    charts = {chart.name: chart for chart in charts_of([A, B]).charts}
    bars = charts["hidden-overall"]
    assert isinstance(bars, BarChart)
    hidden, visible = bars.series
    for run in (A, B):
        expected = rated(run.observations, "hidden")
        mark = hidden.marks[run.label]
        assert (mark.value, mark.low, mark.high) == (expected.value, expected.low, expected.high)
    assert visible.marks[B.label].value == pytest.approx(10 / 12)


def test_facts_that_are_asked_for() -> None:
    found = charts_of([A], [("library",), ("library", "category"), ("nothing",)])
    assert [type(chart) for chart in found.charts] == [BarChart, HeatMap]
    assert found.missing == ("success on hidden tests by nothing: unknown",)


def test_many_runs_become_a_map() -> None:
    runs = [observed(f"m{at}", "1101001011") for at in range(8)]
    charts = {chart.name: chart for chart in charts_of(runs).charts}
    assert isinstance(charts["hidden-by-library"], HeatMap)
    assert isinstance(charts["hidden-by-year"], HeatMap)


def test_many_labels_are_the_most_frequent_ones() -> None:
    rows = tuple(
        replace(row, facts={**row.facts, "library": f"l{at % 40}"}, task_id=f"x{at}")
        for at, row in enumerate(A.observations * 5)
    )
    found = charts_of([replace(A, observations=rows)])
    (bars,) = [one for one in found.charts if one.name == "hidden-by-library"]
    assert isinstance(bars, BarChart)
    assert len(bars.labels) == building.MOST_LABELS
    assert any("30 with most answers of 40" in line for line in found.missing)


def test_texts_are_drawn_by_level() -> None:
    rows = tuple(
        Observation("r", f"t{at}", 0, Outcome.PASSED, {"level": level, "library": f"l{at % 2}"},
                    {"em": float(at % 2), "cdc": 0.0})
        for level in ("token", "line")
        for at in range(4)
    )  # fmt: skip
    names = {chart.name for chart in charts_of([of_rows("m", rows, "versicode")]).charts}
    assert {"token-em-overall", "line-em-overall", "line-cdc-by-library"} <= names


def test_without_answers_nothing_is_drawn() -> None:
    found = charts_of([replace(A, observations=())])
    assert found.charts == ()
    assert found.missing == ("no figure: the runs have no answer that was judged",)
