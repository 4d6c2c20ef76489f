"""Figures of what a data set holds: counts by one fact, and by two."""

from __future__ import annotations

from libdrift.analysis.datasets import DataTable, SuiteStatistics
from libdrift.analysis.selecting import natural
from libdrift.reports.figures.building import MOST_COLUMNS, MOST_LABELS, slug
from libdrift.reports.figures.charts import Axes, BarChart, Chart, HeatMap, Mark, Series
from libdrift.reports.tables import DIMENSIONS

_COUNT = "tasks"
_AMOUNTS = frozenset({"lengths", "tests"})  # how long, how many: not how often


def charts_of_statistics(found: SuiteStatistics) -> tuple[Chart, ...]:
    """A figure for each table of counts; lengths and the like stay numbers."""
    charts: list[Chart] = []
    for table in found.tables:
        if table.name == "libraries":
            charts += _bars(table, "versions", "Versions per library")
        elif table.name not in _AMOUNTS and table.columns[table.keys] == _COUNT:
            charts += _bars(table, _COUNT, table.title) if table.keys == 1 else _map(table)
    return tuple(charts)


def _bars(table: DataTable, column: str, title: str) -> list[Chart]:
    """Bars in the table's order; of very many the first, which are the largest."""
    at = table.columns.index(column)
    counts = {str(row[0]): row[at] for row in table.rows[:MOST_LABELS]}
    marks = {
        label: Mark(float(count))
        for label, count in counts.items()
        if isinstance(count, int | float)
    }
    rest = len(table.rows) - len(marks)
    more = f" (the first {len(marks)} of {len(table.rows)})" if rest > 0 else ""
    name = table.columns[0]
    axes = Axes(DIMENSIONS.get(name, name), column, percent=False)
    series = (Series(column, marks),)
    chart = BarChart(slug(f"data-{table.name}"), title + more, tuple(marks), series, axes)
    return [chart] if marks else []


def _map(table: DataTable) -> list[Chart]:
    """A map of counts: the values of the first fact that most tasks have, by the second."""
    at = table.columns.index(_COUNT)
    totals: dict[str, float] = {}
    cells: dict[tuple[str, str], Mark] = {}
    for row in table.rows:
        count = row[at]
        if isinstance(count, int | float):
            first, second = str(row[0]), str(row[1])
            totals[first] = totals.get(first, 0.0) + count
            cells[first, second] = Mark(float(count))
    rows = tuple(sorted(totals, key=lambda name: (-totals[name], natural(name)))[:MOST_LABELS])
    columns = tuple(sorted({second for _, second in cells}, key=natural))
    if not cells or len(columns) > MOST_COLUMNS:
        return []
    names = [DIMENSIONS.get(name, name) for name in table.columns[:2]]
    axes = Axes(names[1], names[0], percent=False)
    return [HeatMap(slug(f"data-{table.name}"), table.title, rows, columns, cells, axes, _COUNT)]
