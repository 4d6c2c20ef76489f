"""What a data set holds is drawn: counts as bars, of two facts as a map."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.analysis.datasets import DataTable, SuiteStatistics
from libdrift.cli.app import app
from libdrift.jobs import papers
from libdrift.reports.figures.charts import BarChart, HeatMap
from libdrift.reports.figures.data_sets import charts_of_statistics

TABLES = (
    DataTable("libraries", "Libraries", ("library", "tasks", "versions"), (("a", 3, 2), ("b", 1, 1))),
    DataTable("year", "Tasks by year", ("year", "tasks"), (("2020", 3), ("2021", 1))),
    DataTable("library by year", "Tasks by library and year", ("library", "year", "tasks"),
              (("b", "2020", 1), ("a", "2021", 2), ("a", "2020", 1)), 2),
    DataTable("lengths", "Lengths", ("level", "part", "tasks"), (("x", "y", 1),), 2),
)  # fmt: skip


def test_counts_are_drawn_and_lengths_are_not() -> None:
    found = charts_of_statistics(SuiteStatistics("s", "S", "here", 4, 4, {}, TABLES))
    assert [chart.name for chart in found] == [
        "data-libraries",
        "data-year",
        "data-library-by-year",
    ]
    versions, years, crossed = found
    assert isinstance(versions, BarChart)
    assert [row["value"] for row in versions.rows()] == [2.0, 1.0]
    assert isinstance(years, BarChart)
    assert years.labels == ("2020", "2021")
    assert isinstance(crossed, HeatMap)
    assert crossed.row_labels == ("a", "b")  # the one with most tasks first
    assert crossed.cells["a", "2021"].value == 2


def test_of_many_the_largest_are_drawn_and_that_is_said() -> None:
    rows = tuple((f"l{at}", 100 - at) for at in range(40))
    table = DataTable("library", "Tasks by library", ("library", "tasks"), rows)
    (chart,) = charts_of_statistics(SuiteStatistics("s", "S", "here", 4, 4, {}, (table,)))
    assert isinstance(chart, BarChart)
    assert len(chart.labels) == 30
    assert chart.title == "Tasks by library (the first 30 of 40)"


def test_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        papers, "charts_of_statistics", lambda found: charts_of_statistics(found)[:1]
    )
    done = CliRunner().invoke(
        app, ["suites", "stats", "starter", "--figures", "out", "--json"], catch_exceptions=False
    )
    content = json.loads(done.stdout)
    assert [one["file"] for one in content["figures"]] == ["out/data-libraries.svg"]
    assert {path.name for path in Path("out").iterdir()} == {
        "data-libraries.svg", "data-libraries.csv", "figures.json"
    }  # fmt: skip
