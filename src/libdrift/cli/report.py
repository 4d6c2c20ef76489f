from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.reports.tables import Table


_LONG = {"library", "version", "category", "source"}


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", help="Only this breakdown (may be repeated): year, source, version …"),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Print what runs scored, broken down as the papers do; several runs stand side by side."""
    from libdrift.errors import UserError
    from libdrift.reports.tables import DIMENSIONS, read_run, tables

    unknown = [name for name in by or () if name not in DIMENSIONS]
    if unknown:
        raise UserError(f"no breakdown by {unknown[0]}", f"Choose of: {', '.join(DIMENSIONS)}")
    read = [read_run(path) for path in runs]
    found = tables(read, by or ())
    if as_json:
        common.print_json(
            {
                "runs": [{"run": run.name, "suite": run.suite, "mode": run.mode} for run in read],
                "tables": [_to_json(table) for table in found],
            }
        )
        return
    if not found:
        raise UserError("these runs tell no tasks apart by that", "Leave out --by")
    for number, run in enumerate(read, start=1):
        mode = f", {run.mode}" if run.mode else ""
        print(f"{number}: {run.name} ({run.suite}{mode})")
    if markdown:
        print("\n" + "\n".join(_markdown(table) for table in found))
    else:
        for table in found:
            print_table(table)


def _to_json(table: Table) -> dict[str, object]:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows}


def _markdown(table: Table) -> str:
    lines = [f"### {table.title}", "", _line(table.columns), _line(["---"] * len(table.columns))]
    lines += [_line(row) for row in table.rows]
    return "\n".join(lines) + "\n"


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def print_table(table: Table) -> None:
    from rich.table import Table as Rich

    shown = Rich(title=table.title, title_justify="left")
    for name in table.columns:
        shown.add_column(name, no_wrap=name not in _LONG, overflow="fold")
    for row in table.rows:
        shown.add_row(*row)
    common.stdout().print(shown)
