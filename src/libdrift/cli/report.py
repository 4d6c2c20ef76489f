from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from libdrift.cli import common
from libdrift.cli import report_figures as parts
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.jobs.papers import DrawnFigures, FigureOptions
    from libdrift.jobs.reporting import Report
    from libdrift.reports.tables import Table


_LABEL = 12  # characters of a label that even a narrow terminal shows in one line


def report_command(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN…", help="Folders of runs.")
    ] = None,
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
    failures: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Instead of tables, the first N failures: reasons and logs."
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task", help="Instead of tables, the verdicts on this task (may be repeated)."
        ),
    ] = None,
    paper: parts.PaperOption = None,
    figures: parts.FiguresOption = None,
    form: parts.FormatOption = parts.FigureFormat.SVG,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")] = False,
    latex: parts.LatexOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Print what runs scored, broken down as the papers do; several runs stand side by side.

    Breakdowns by library, version and libdrift's own kinds of change come when asked for.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.reporting import report

    drawing = parts.figure_options(figures, form)
    if paper is not None:
        parts.print_paper(
            paper, runs or (), drawing, as_json=as_json, markdown=markdown, latex=latex
        )
        return
    if not runs:
        raise UserError("no run is named", "Name folders of runs: libdrift report RUN…")
    if failures is not None or task:
        _verdicts(runs, task or (), failures, as_json=as_json)
        return
    found = report(runs, by or (), proven=proven)
    drawn = _drawn(runs, drawing, by or ())
    if as_json:
        common.print_json({**found.to_json(), **(drawn.to_json() if drawn else {})})
        return
    _print(found, by or (), proven=proven, markdown=markdown)
    if drawn is not None:
        parts.print_drawn(drawn)


def _drawn(
    runs: Sequence[Path], drawing: FigureOptions | None, by: Sequence[str]
) -> DrawnFigures | None:
    from libdrift.analysis.observing import observe_all
    from libdrift.jobs.papers import draw_runs

    if drawing is None:
        return None
    facts = [tuple(one.split(",")) for one in by]
    return draw_runs(observe_all(runs), drawing, facts)


def _print(found: Report, by: Sequence[str], *, proven: bool, markdown: bool) -> None:
    from libdrift.errors import UserError
    from libdrift.jobs.reporting import no_breakdown

    if not found.tables:
        if by:
            raise no_breakdown(by[0], found.available)
        what = "these runs have no verdict of tests that prove a pass" if proven else "no scores"
        raise UserError(what, "Leave out --proven" if proven else "Score some answers first")
    for number, run in enumerate(found.runs, start=1):
        about = ", ".join(filter(None, (run.suite, run.mode, run.asked)))
        print(f"{number}: {run.name} ({about})")
    if not found.comparable:
        common.warn("these runs cover different tasks, so their numbers cannot be compared")
    print_tables(found.tables, _print_markdown if markdown else print_table)
    for number, left_out in enumerate(found.left_out, start=1):
        which = f"run {number}: " if len(found.left_out) > 1 else ""
        counts = ", ".join(f"{count} {why}" for why, count in left_out.items())
        total = counted(sum(left_out.values()), "verdict")
        print(f"\n{which}{total} left out by --proven{f': {counts}' if counts else ''}")


def print_tables(tables: Sequence[Table], show: Callable[[Table], None]) -> None:
    """Each table; what its numbers mean is said below it, once for several that mean the same."""
    for at, table in enumerate(tables):
        show(table)
        following = tables[at + 1].notes if at + 1 < len(tables) else ()
        if table.notes != following and table.notes:
            print("\n".join(table.notes))


def _verdicts(
    runs: Sequence[Path], tasks: Sequence[str], failures: int | None, *, as_json: bool
) -> None:
    from libdrift.jobs.reporting import verdicts_of

    found = [verdicts_of(run, tasks, failures) for run in runs]
    if as_json:
        common.print_json({"runs": [one.to_json() for one in found]})
        return
    for one in found:
        print(f"{one.run}: {counted(len(one.verdicts), 'verdict')}")
        for verdict in one.verdicts:
            reason = f": {verdict.reason}" if verdict.reason else ""
            place = f"{verdict.task_id}, sample {verdict.sample}, {verdict.split.value}"
            print(f"\n{place}: {verdict.outcome.value}{reason}")
            if verdict.log.strip():
                print(textwrap.indent(verdict.log.strip("\n"), "    "))
        if one.others:
            print(f"\n… and {one.others} more")


def _print_markdown(table: Table) -> None:
    print(_markdown(table))


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
