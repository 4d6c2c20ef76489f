"""A paper's tables and figures from runs, and figures of any runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libdrift.analysis.correlating import read_leaderboard
from libdrift.analysis.datasets import SuiteStatistics
from libdrift.errors import UserError
from libdrift.jobs.analysing import Runs, observed
from libdrift.reports.figures.charts import Chart
from libdrift.reports.figures.choosing import charts_of
from libdrift.reports.figures.data_sets import charts_of_statistics
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
class PaperRequest:
    """Which paper is laid out, from which runs."""

    paper: str
    runs: tuple[str | Path, ...] = ()
    where: tuple[str, ...] = ()  # only answers that these conditions hold of
    leaderboard: Path | None = None  # what models have on another benchmark
    data: Path | None = None  # where published data is: only runs of an older libdrift need it


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
    runs: tuple[dict[str, Any], ...] = ()
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
    runs: Runs,
    options: FigureOptions,
    by: Sequence[tuple[str, ...]] = (),
    where: Sequence[str] = (),
    *,
    metrics: Sequence[str] = (),
    data: Path | None = None,
) -> DrawnFigures:
    """Every figure that runs allow, or those of metrics or by facts that are asked for."""
    found = charts_of(observed(runs, where, data), by, metrics)
    return DrawnFigures(write_figures(found.charts, options.folder, options.form), found.missing)


def draw_statistics(found: SuiteStatistics, options: FigureOptions) -> DrawnFigures:
    """Counts of a data set, as files."""
    charts = charts_of_statistics(found)
    return DrawnFigures(write_figures(charts, options.folder, options.form), ())


def report_paper(request: PaperRequest, figures: FigureOptions | None = None) -> PaperReport:
    """A paper's tables and figures in its order, filled from the runs of its suite."""
    name = request.paper
    paper = PAPERS.get(name)
    if paper is None:
        raise UserError(f"--paper {name}: unknown", f"Known: {', '.join(PAPERS)}")
    found = observed(request.runs, request.where, request.data) if request.runs else ()
    own = [asked_of(run) for run in found if run.suite == name]
    notes = [
        f"{run.name} is left out: it is a run of {run.suite}" for run in found if run.suite != name
    ]
    notes += [note for run in found for note in run.notes]
    if found and not own:
        others = ", ".join(sorted({run.suite for run in found}))
        raise UserError(
            f"no run of {name} was given (but of {others})",
            f"Make one with: libdrift eval {name} --model PROVIDER/MODEL, or "
            f"libdrift score {name} ANSWERS",
        )
    elsewhere = read_leaderboard(request.leaderboard) if request.leaderboard else {}
    entries = tuple(fill(paper, own, elsewhere))
    written: tuple[WrittenFigure, ...] = ()
    if figures is not None:
        written = write_figures(_charts(entries), figures.folder, figures.form)
    about = tuple(
        {
            "run": one.run.name,
            "model": one.model,
            "strategy": one.strategy,
            "recorded": one.recorded,
        }
        for one in own
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
