"""Parts of `libdrift report`: figures, and a paper's tables and figures in its order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.jobs.papers import DrawnFigures, FigureOptions
    from libdrift.reports.figures.files import WrittenFigure


class FigureFormat(StrEnum):
    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


PaperOption = Annotated[
    str | None,
    typer.Option(
        "--paper",
        metavar="NAME",
        help="Print a paper's tables and figures in its order, and the commands for missing data: "
        "gitchameleon, libevolutioneval, versicode, codemenv or rustevo.",
    ),
]
FiguresOption = Annotated[
    Path | None,
    typer.Option(
        "--figures",
        metavar="DIR",
        help="Draw the figures that the data allows into this folder, each with a CSV file of its "
        "numbers.",
    ),
]
FormatOption = Annotated[
    FigureFormat | None, typer.Option("--format", help="Format of figures; svg by default.")
]


def figure_options(folder: Path | None, form: FigureFormat | None) -> FigureOptions | None:
    from libdrift.errors import UserError
    from libdrift.jobs.papers import FigureOptions

    if folder is None and form is not None:
        raise UserError(f"--format {form.value} needs figures", "Add --figures DIR")
    return FigureOptions(folder, (form or FigureFormat.SVG).value) if folder is not None else None


def print_paper(
    name: str,
    given: tuple[tuple[Path, ...], tuple[str, ...], Path | None, Path | None],
    options: FigureOptions | None,
    form: str,
) -> None:
    """The paper, filled as far as runs go; ``given`` are runs, conditions, leaderboard, data."""
    from libdrift.jobs.papers import PaperRequest, report_paper, told
    from libdrift.reports.papers.rendering import as_latex, as_markdown, as_text, sheets
    from libdrift.reports.sheets import as_csv

    found = report_paper(PaperRequest(name, *given), options)
    for note in found.notes:
        common.note(note)
    if form == "json":
        common.print_json(found.to_json())
        return
    if form == "latex":
        print(as_latex(found.entries))
    elif form == "csv":
        print(as_csv(sheets(found.entries)), end="")
    elif form == "markdown":
        print(f"## {found.paper.title}\n{as_markdown(found.entries)}")
    else:
        print(found.paper.title)
        for run in found.runs:
            how = f"a file of answers, taken for {run['strategy']}" if run["recorded"] else ""
            print(f"  {run['run']}: {run['model']}, {how or run['strategy']}")
        print(as_text(found.entries))
    common.note(told(found.filled))
    list_figures(found.figures)


def print_drawn(drawn: DrawnFigures) -> None:
    list_figures(drawn.figures)
    for line in drawn.missing:
        common.note(f"not drawn: {line}")


def list_figures(figures: Sequence[WrittenFigure]) -> None:
    """The files, on the stream of notes: what is printed else stays a table."""
    if not figures:
        return
    common.note(f"{counted(len(figures), 'figure')}, each with its numbers as CSV:")
    for figure in figures:
        common.note(f"  {figure.drawing}: {figure.title}")
