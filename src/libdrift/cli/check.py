from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import upgrade_options as shared
from libdrift.cli.on_demand import mining_bar
from libdrift.cli.tables import BAD, DOUBTFUL, print_marked
from libdrift.showing import in_a_line

if TYPE_CHECKING:
    from libdrift.jobs.checking import CheckOptions, CheckResult
    from libdrift.records import FindingLevel

_FORMATS = ("text", "json", "sarif", "github")
_MARKS = {": error ": BAD, ": warning ": DOUBTFUL}


_PathsArgument = Annotated[
    list[Path] | None, typer.Argument(help="Files and folders to check. [default: .]")
]
_LevelOption = Annotated[str, typer.Option(help="Lowest level to show: error, warning, info.")]
_FailOnOption = Annotated[
    str, typer.Option(help="Lowest level that gives exit code 1: error, warning, info.")
]
_IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(help="Symbol, pattern or kind to ignore (repeatable)."),
]
_BaselineOption = Annotated[
    Path | None, typer.Option(help="File of known findings; only new ones are shown.")
]
_WriteBaselineOption = Annotated[
    Path | None, typer.Option(help="Write all findings to this file, as known.")
]
_StyleOption = Annotated[str, typer.Option("--format", help="Output: text, json, sarif, github.")]


def check_command(
    paths: _PathsArgument = None,
    to: shared.ToOption = None,
    old: shared.FromOption = None,
    to_latest: shared.ToLatestOption = False,
    python: shared.PythonOption = "",
    level: _LevelOption = "warning",
    fail_on: _FailOnOption = "error",
    ignore: _IgnoreOption = None,
    exclude: shared.ExcludeOption = None,
    baseline: _BaselineOption = None,
    write_baseline: _WriteBaselineOption = None,
    style: _StyleOption = "text",
    as_json: common.JsonOption = False,
    offline: shared.OfflineOption = False,
    store: shared.StoreOption = None,
) -> None:
    """Report what breaks in code with other versions of its packages, without running the code.

    Each finding names the line, the change and a fix if one is known. Notebooks
    are checked cell by cell.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.checking import CheckOptions, check, fails

    if as_json and style not in ("text", "json"):
        raise UserError(f"--json and --format {style} cannot be combined", "Give one of them")
    style = "json" if as_json else style
    if style not in _FORMATS:
        raise UserError(f"--format {style!r} is unknown", f"One of: {', '.join(_FORMATS)}")
    least, failing = _level(level, "--level"), _level(fail_on, "--fail-on")
    options = CheckOptions(
        to=tuple(to or ()),
        old=tuple(old or ()),
        to_latest=to_latest,
        python=python,
        level=least,
        ignore=tuple(ignore or ()),
        exclude=tuple(exclude or ()),
        baseline=baseline,
        write_baseline=write_baseline,
        store=store,
        offline=offline,
    )
    with mining_bar() as progress:
        result = check(paths or [Path()], options, progress)
    _tell(result)
    _show(result, style, options)
    if result.exit_code:
        raise typer.Exit(result.exit_code)
    if fails(result, failing):
        raise typer.Exit(1)


def _level(text: str, option: str) -> FindingLevel:
    from libdrift.errors import UserError
    from libdrift.records import FindingLevel

    if text not in set(FindingLevel):
        raise UserError(f"{option} {text!r} is unknown", f"One of: {', '.join(FindingLevel)}")
    return FindingLevel(text)


def _tell(result: CheckResult) -> None:
    """What was checked between, and what could not be, on stderr."""
    for step in result.steps:
        common.note(f"{step.package} {step.old} ({step.source}) → {step.new}")
    for problem in result.problems:
        common.warn(in_a_line(problem))  # names of files are anybody's


def _show(result: CheckResult, style: str, options: CheckOptions) -> None:
    from dataclasses import asdict

    from libdrift.reports import findings as report

    if style == "json":
        checked = [asdict(step) for step in result.steps]
        found = report.to_json(result.findings)
        common.print_json({"findings": found, "steps": checked, "problems": result.problems})
    elif style == "sarif":
        common.print_json(report.sarif(result.findings))
    elif style == "github":
        for line in report.github(result.findings):
            print(line)
    else:
        for line in report.lines(result.findings):
            print_marked(line, _MARKS)
        more = ["nothing could be compared"] if result.problems and not result.steps else []
        more += [f"{result.suppressed} suppressed"] if result.suppressed else []
        more += [f"{result.below} below --level {options.level}"] if result.below else []
        print("; ".join([report.summary(result.findings, result.files), *more]))
