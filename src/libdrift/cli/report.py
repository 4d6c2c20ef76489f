from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.reports.tables import Table


_LABEL = 12  # characters of a label that even a narrow terminal shows in one line


def report_command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            help="Only this breakdown (may be repeated): source, category, change, lifecycle, "
            "access, scenario, step, difficulty, direction, language, level, year, library, "
            "version, proof.",
        ),
    ] = None,
    proven: Annotated[
        bool,
        typer.Option(
            "--proven", help="Only verdicts of tests that prove a pass (docs/verdicts.md)."
        ),
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Print what runs scored, broken down as the papers do; several runs stand side by side.

    Breakdowns by library, version and libdrift's own kinds of change come when asked for.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.reporting import report

    found = report(runs, by or (), proven=proven)
    if as_json:
        common.print_json(found.to_json())
        return
    if not found.tables:
        without = "--proven" if proven else "--by"
        raise UserError("these runs tell no tasks apart by that", f"Leave out {without}")
    for number, run in enumerate(found.runs, start=1):
        about = ", ".join(filter(None, (run.suite, run.mode, run.asked)))
        print(f"{number}: {run.name} ({about})")
    if not found.comparable:
        common.warn("these runs cover different tasks, so their numbers cannot be compared")
    for table in found.tables:
        if markdown:
            print(_markdown(table))
        else:
            print_table(table)


def _markdown(table: Table) -> str:
    head, *rows = table.cells()
    lines = [f"\n### {table.title}\n", _line(head), _line(["---"] * len(head))]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def print_table(table: Table) -> None:
    """Numbers are never cut: only labels give way to a narrow terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Rich

    head, *rows = table.cells()
    shown = Rich(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    least = 2
    for at, name in enumerate(head):
        label = at < len(table.labels)
        longest = max(len(name), *(len(row[at]) for row in rows))
        width = min(longest, _LABEL) if label else longest
        justify: Literal["left", "right"] = "left" if label else "right"
        shown.add_column(name, overflow="fold", min_width=width, justify=justify)
        least += width + 2
    for row in rows:
        shown.add_row(*row)
    console = common.stdout()
    print(f"\n{table.title}")
    console.print(shown, width=max(console.width, least), crop=False, no_wrap=True)
