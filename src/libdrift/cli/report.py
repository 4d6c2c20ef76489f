from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli import report_figures as parts
from libdrift.cli.sheets import print_markdown, print_sheet, print_sheets
from libdrift.showing import counted

if TYPE_CHECKING:
    from libdrift.analysis.comparing import RunComparison
    from libdrift.analysis.correlating import Correlations
    from libdrift.analysis.observing import ObservedRun
    from libdrift.analysis.over_time import TimeReport
    from libdrift.jobs.papers import DrawnFigures, FigureOptions
    from libdrift.jobs.reporting import Report
    from libdrift.reports.sheets import Sheet


_RunsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="RUN…", help="Folders of runs, or a folder that contains them."),
]
_ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="FACT[,FACT]",
        help="Only this breakdown, by one to three facts (repeatable): library, version, year, "
        "change, category, difficulty, error, …",
    ),
]
_WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FACT=VALUE",
        help="Only answers to tasks with this fact: library=numpy, 'year>=2022'. Conditions on one "
        "fact are alternatives; conditions on different facts must all hold.",
    ),
]
_MetricOption = Annotated[
    list[str] | None,
    typer.Option(help="Only this metric: hidden, visible, em, cdc, … (repeatable)."),
]
_ProvenOption = Annotated[
    bool,
    typer.Option("--proven", help="Only verdicts of tests that prove a pass (docs/verdicts.md)."),
]
_DiscordantOption = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="List N tasks that only some of the runs solve."),
]
_TimeOption = Annotated[
    bool,
    typer.Option(
        "--time",
        help="Also report success by release date: years, knowledge cut-off, spread over versions.",
    ),
]
_CutoffOption = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"], help="With --time: report releases up to this date and later ones."
    ),
]
_GapOption = Annotated[
    str, typer.Option(help="Leave out releases this close to --cutoff: 90d, 12w, 6m, 1y.")
]
_CorrelationsOption = Annotated[
    bool, typer.Option("--correlations", help="Also report correlations between metrics.")
]
_LeaderboardOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Also report correlations with these values: a CSV file of name,value."
    ),
]
_FailuresOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Instead of tables, show the first N failures with reasons and logs.",
    ),
]
_TaskOption = Annotated[
    list[str] | None,
    typer.Option("--task", help="Instead of tables, show the verdicts on this task (repeatable)."),
]
_MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")]
_LatexOption = Annotated[bool, typer.Option("--latex", help="Tables as LaTeX (booktabs).")]
_AsCsvOption = Annotated[
    bool, typer.Option("--csv", help="Write all numbers of the tables as CSV, one per row.")
]
_HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Instead of tables, write one HTML page to explore the runs in.",
    ),
]


def report_command(
    runs: _RunsArgument = None,
    by: _ByOption = None,
    where: _WhereOption = None,
    metric: _MetricOption = None,
    proven: _ProvenOption = False,
    discordant: _DiscordantOption = 0,
    time: _TimeOption = False,
    cutoff: _CutoffOption = None,
    gap: _GapOption = "0d",
    correlations: _CorrelationsOption = False,
    leaderboard: _LeaderboardOption = None,
    failures: _FailuresOption = None,
    task: _TaskOption = None,
    paper: parts.PaperOption = None,
    figures: parts.FiguresOption = None,
    form: parts.FormatOption = None,
    data: common.DataOption = None,
    markdown: _MarkdownOption = False,
    latex: _LatexOption = False,
    as_csv: _AsCsvOption = False,
    html: _HtmlOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Print the scores of runs, broken down as in the papers; several runs are shown side by side.

    Runs of one suite are also compared on the tasks that all of them answered. Breakdowns by
    library, version and kind of change are printed on request (--by).
    """
    from libdrift.cli.view import explorer_page
    from libdrift.errors import UserError
    from libdrift.jobs.reporting import report

    forms = {"json": as_json, "csv": as_csv, "latex": latex, "markdown": markdown, "text": True}
    chosen = next(name for name, wanted in forms.items() if wanted)
    drawing = parts.figure_options(figures, form)
    _refuse_unheeded(
        {
            "--html": html, "--paper": paper, "--failures": failures, "--task": task,
            "--proven": proven, "--by": by, "--where": where, "--metric": metric,
            "--figures": figures, "--discordant": discordant, "--time": time,
            "--cutoff": cutoff, "--correlations": correlations, "--leaderboard": leaderboard,
            "--csv": as_csv, "--latex": latex, "--markdown": markdown, "--json": as_json,
        }
    )  # fmt: skip
    _refuse_gap(gap, cutoff)
    if paper is not None:
        asked_of = (tuple(runs or ()), tuple(where or ()), leaderboard, data)
        parts.print_paper(paper, asked_of, drawing, chosen)
        return
    if not runs:
        raise UserError("no run is given", "Give folders of runs: libdrift report RUN…")
    if html is not None:
        explorer_page(runs, html, where or (), data, as_json=as_json)
        return
    if failures is not None or task:
        _verdicts(runs, task or (), failures, as_json=as_json)
        return
    asked = _Asked(
        tuple(by or ()), tuple(where or ()), tuple(metric or ()), discordant,
        time or cutoff is not None, cutoff, gap, correlations or leaderboard is not None,
        leaderboard,
    )  # fmt: skip
    found = report(runs, asked.by, asked.where, metrics=asked.metrics, proven=proven, data=data)
    analyses = _Analyses() if proven else _analyses(found, asked, data)
    _check(found, proven=proven)
    drawn = _drawn(runs, drawing, asked, data)
    if as_json:
        about = drawn.to_json() if drawn else {}
        common.print_json({**found.to_json(), **analyses.to_json(), **about})
        return
    sheets = [*found.sheets(), *analyses.sheets(asked, found.labels)]
    _print(found, sheets, chosen)
    if drawn is not None:
        parts.print_drawn(drawn)


_ANALYSES = ("--discordant", "--time", "--cutoff", "--correlations")
_FORMS = ("--csv", "--latex", "--markdown")
_SINGLY = ("--by", "--where", "--metric", "--proven", "--figures", "--leaderboard")
# What an option makes of its own: of the others behind it, each would be dropped without a word.
_UNHEEDED = {
    "--html": (
        "--paper", "--failures", "--task", "--by", "--figures", "--metric", "--proven",
        "--leaderboard", *_ANALYSES, *_FORMS,
    ),
    "--paper": ("--failures", "--task", "--by", "--metric", "--proven", *_ANALYSES),
    "--failures": (*_SINGLY, *_ANALYSES, *_FORMS),
    "--task": (*_SINGLY, *_ANALYSES, *_FORMS),
    "--proven": ("--figures", "--leaderboard", *_ANALYSES),
    "--json": _FORMS,
    "--csv": ("--latex", "--markdown"),
    "--latex": ("--markdown",),
}  # fmt: skip


def _refuse_unheeded(options: Mapping[str, object]) -> None:
    from libdrift.errors import UserError

    for option, others in _UNHEEDED.items():
        for other in others:
            if options[option] and options[other]:
                raise UserError(f"{option} and {other} cannot be combined", "Give one of them")


def _refuse_gap(gap: str, cutoff: datetime | None) -> None:
    from libdrift.analysis.over_time import read_gap
    from libdrift.errors import UserError

    if read_gap(gap) and cutoff is None:
        raise UserError(f"--gap {gap} needs a date", "Add --cutoff YYYY-MM-DD")


def _drawn(
    runs: Sequence[Path], drawing: FigureOptions | None, asked: _Asked, data: Path | None
) -> DrawnFigures | None:
    """Figures of the same answers that the tables are of."""
    if drawing is None:
        return None
    from libdrift.analysis.crossing import facts_asked
    from libdrift.jobs.papers import draw_runs

    by = [facts_asked(text) for text in asked.by]
    return draw_runs(runs, drawing, by, asked.where, metrics=asked.metrics, data=data)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of a report was asked for, beside its tables."""

    by: tuple[str, ...]
    where: tuple[str, ...]
    metrics: tuple[str, ...]
    discordant: int
    time: bool
    cutoff: datetime | None
    gap: str
    correlations: bool
    leaderboard: Path | None


@dataclass(slots=True)
class _Analyses:
    comparisons: list[tuple[str, RunComparison]] = field(default_factory=list)  # by suite
    time: TimeReport | None = None
    correlations: Correlations | None = None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.comparisons:
            found["comparisons"] = [
                {"suite": suite, **one.to_json()} for suite, one in self.comparisons
            ]
        if self.time is not None:
            found["time"] = self.time.to_json()
        if self.correlations is not None:
            found["correlations"] = self.correlations.to_json()
        return found

    def sheets(self, asked: _Asked, labels: Sequence[str]) -> list[Sheet]:
        from libdrift.reports.comparisons import comparison_sheets, correlation_sheets
        from libdrift.reports.times import time_sheets

        found = []
        for _, one in self.comparisons:
            found += comparison_sheets(one, asked.discordant)
        if self.time is not None:
            found += time_sheets(self.time, labels)
        if self.correlations is not None:
            found += correlation_sheets(self.correlations)
        return found


def _analyses(found: Report, asked: _Asked, data: Path | None) -> _Analyses:
    """What needs the answers one by one. They are read once, and only if something needs them."""
    from libdrift.analysis.crossing import facts_asked, tasks_facts
    from libdrift.analysis.over_time import read_gap
    from libdrift.analysis.rating import metrics_of
    from libdrift.jobs.analysing import compare, correlate, observed, over_time

    analyses = _Analyses()
    if len(found.runs) == 1 and not (asked.time or asked.correlations):
        return analyses
    rows = observed(found.folders, asked.where, data)
    facts = [fact for text in asked.by for fact in facts_asked(text)]
    suites: defaultdict[str, list[ObservedRun]] = defaultdict(list)
    for run in rows:
        suites[run.suite].append(run)
    for suite, mine in suites.items():
        have = {name for run in mine for name in metrics_of(run.observations)}
        metrics = [name for name in asked.metrics if name in have]
        if len(mine) > 1 and (metrics or not asked.metrics):
            known = tasks_facts(mine)
            by = [fact for fact in dict.fromkeys(facts) if fact in known]
            analyses.comparisons.append((suite, compare(mine, by, metrics=metrics)))
    if asked.time:
        day = asked.cutoff.date() if asked.cutoff else None
        analyses.time = over_time(rows, metrics=asked.metrics, cutoff=day, gap=read_gap(asked.gap))
    if asked.correlations:
        analyses.correlations = correlate(rows, leaderboard=asked.leaderboard)
    return analyses


def _check(found: Report, *, proven: bool) -> None:
    from libdrift.errors import UserError

    if not found.tables:
        what = "these runs have no verdict of tests that prove a pass" if proven else "no scores"
        raise UserError(what, "Leave out --proven" if proven else "Score some answers first")


def _print(found: Report, sheets: Sequence[Sheet], form: str) -> None:
    for note in found.notes:
        common.note(note)
    if not found.comparable:
        common.warn(
            "these runs cover different tasks: their numbers compare only on those that every run "
            "answered"
        )
    if form == "csv":
        from libdrift.reports.sheets import as_csv

        print(as_csv(sheets), end="")
        return
    mark = "% " if form == "latex" else ""
    for number, run in enumerate(found.runs, start=1):
        about = ", ".join(filter(None, (run.suite, run.mode, run.asked)))
        print(f"{mark}{number}: {run.name} ({about})")
    if form == "latex":
        from libdrift.reports.sheets import latex

        print("\n\n".join(latex(sheet) for sheet in sheets))
        return
    print_sheets(sheets, print_markdown if form == "markdown" else print_sheet)
    for number, left_out in enumerate(found.left_out, start=1):
        which = f"run {number}: " if len(found.left_out) > 1 else ""
        counts = ", ".join(f"{count} {why}" for why, count in left_out.items())
        total = counted(sum(left_out.values()), "verdict")
        print(f"\n{which}{total} left out by --proven{f': {counts}' if counts else ''}")


def _verdicts(
    runs: Sequence[Path], tasks: Sequence[str], failures: int | None, *, as_json: bool
) -> None:
    from libdrift.analysis.run_files import run_folders
    from libdrift.jobs.reporting import verdicts_of

    found = [verdicts_of(run, tasks, failures) for run in run_folders(list(runs))]
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
