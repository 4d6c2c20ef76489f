"""Tables of a data set, for a terminal or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from libdrift.cli.tables import print_table
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.analysis.datasets import DataTable, SuiteStatistics, TableCell

_SHOWN = 40  # rows of a table on a terminal


def print_statistics(found: SuiteStatistics) -> None:
    from rich.table import Table

    print(_heading(found))
    for table in found.tables:
        print(f"\n{table.title}")
        shown = Table(*table.columns[: table.keys])
        for column in table.columns[table.keys :]:
            shown.add_column(column, justify="right")
        for row in table.rows[:_SHOWN]:
            shown.add_row(*map(written, row))
        print_table(shown)
        if len(table.rows) > _SHOWN:
            rest = counted(len(table.rows) - _SHOWN, "more row")
            print(f"… and {rest}; --json and --markdown have all")


def markdown(found: SuiteStatistics) -> str:
    """All tables, one below the other."""
    parts = [f"# {found.title}", _heading(found)]
    for table in found.tables:
        parts += [f"## {table.title}", _table(table)]
    return "\n\n".join(parts)


def _heading(found: SuiteStatistics) -> str:
    totals = "".join(f", {count:,} {name}" for name, count in found.totals.items())
    samples = f" of {counted(found.samples, 'sample')}" if found.samples != found.tasks else ""
    return f"{found.title}: {counted(found.tasks, 'task')}{samples}{totals}"


def _table(table: DataTable) -> str:
    numbers = len(table.columns) - table.keys
    rule = ["---"] * table.keys + ["---:"] * numbers
    rows = [table.columns, rule, *([*map(written, row)] for row in table.rows)]
    return "\n".join(map(_row, rows))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def written(cell: TableCell) -> str:
    """A number as a person reads it; nothing is a dash."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
