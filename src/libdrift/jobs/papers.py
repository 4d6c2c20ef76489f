"""A paper's tables and figures from runs, and figures of any runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libdrift.analysis.observing import ObservedRun, observe_all
from libdrift.errors import UserError
from libdrift.reports.figures.charts import Chart
from libdrift.reports.figures.choosing import charts_of
from libdrift.reports.figures.files import WrittenFigure, write_figures
from libdrift.reports.papers import PAPERS
from libdrift.reports.papers.filling import FilledEntry, FilledFigure, FilledTable, fill
from libdrift.reports.papers.layout import Paper
from libdrift.reports.papers.matching import asked_of
from libdrift.showing import counted


@dataclass(frozen=True, slots=True)
class FigureOptions:
    """Where figures go, and in which form."""

    folder: Path
    form: str = "svg"  # or png, or pdf


@dataclass(frozen=True, slots=True)
class DrawnFigures:
    figures: tuple[WrittenFigure, ...]
    missing: tuple[str, ...]  # what is not drawn, and why

    def to_json(self) -> dict[str, Any]:
        return {
            "figures": [figure.to_json() for figure in self.figures],
            "not_drawn": list(self.missing),
        }


@dataclass(frozen=True, slots=True)
class PaperReport:
    paper: Paper
    entries: tuple[FilledEntry, ...]
    runs: tuple[dict[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[WrittenFigure, ...] = ()
    filled: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "paper": self.paper.name,
            "title": self.paper.title,
            "runs": list(self.runs),
            "entries": [entry.to_json() for entry in self.entries],
            "notes": list(self.notes),
            "figures": [figure.to_json() for figure in self.figures],
        }


def draw_runs(
    runs: Sequence[ObservedRun], options: FigureOptions, by: Sequence[tuple[str, ...]] = ()
) -> DrawnFigures:
    """Every figure that runs allow, or those by the facts that are asked for, as files."""
    found = charts_of(runs, by)
    return DrawnFigures(write_figures(found.charts, options.folder, options.form), found.missing)


def report_paper(
    name: str,
    runs: Iterable[str | Path],
    figures: FigureOptions | None = None,
    data: Path | None = None,
) -> PaperReport:
    """A paper's tables and figures in its order, filled from the runs of its suite."""
    paper = PAPERS.get(name)
    if paper is None:
        raise UserError(f"--paper {name}: unknown", f"Known are {', '.join(PAPERS)}")
    observed = observe_all([Path(run) for run in runs], data)
    own = [asked_of(run) for run in observed if run.suite == name]
    notes = [
        f"{run.name} is left out: it is of {run.suite}" for run in observed if run.suite != name
    ]
    notes += [note for run in observed for note in run.notes]
    if observed and not own:
        found = ", ".join(sorted({run.suite for run in observed}))
        raise UserError(
            f"no run of {name} was given (but of {found})",
            f"Make one with: libdrift eval {name} --model PROVIDER/MODEL, or libdrift score {name}",
        )
    entries = tuple(fill(paper, own))
    written: tuple[WrittenFigure, ...] = ()
    if figures is not None:
        written = write_figures(_charts(entries), figures.folder, figures.form)
    about = tuple(
        {"run": one.run.name, "model": one.model, "strategy": one.strategy} for one in own
    )
    return PaperReport(paper, entries, about, tuple(notes), written, _counts(entries))


def told(counts: dict[str, int]) -> str:
    """How much of a paper is filled, in a line."""
    tables = f"{counts['tables']} of {counted(counts['all tables'], 'table')}"
    return f"{tables} and {counts['figures']} of {counted(counts['all figures'], 'figure')} filled"


def _charts(entries: Iterable[FilledEntry]) -> list[Chart]:
    return [chart for entry in entries if isinstance(entry, FilledFigure) for chart in entry.charts]


def _counts(entries: Sequence[FilledEntry]) -> dict[str, int]:
    tables = [entry for entry in entries if isinstance(entry, FilledTable)]
    figures = [entry for entry in entries if isinstance(entry, FilledFigure)]
    return {
        "tables": sum(bool(table.rows) for table in tables),
        "all tables": len(tables),
        "figures": sum(bool(figure.charts) for figure in figures),
        "all figures": len(figures),
    }
