"""Commands of the papers' studies, below `libdrift suites`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.tables import print_table

if TYPE_CHECKING:
    from libdrift.analysis.lint_study import LintStage


def coverage_command(
    context: typer.Context,
    suite: common.SuiteArgument,
    task: common.TaskOption = None,
    data: common.DataOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    floor: common.FloorOption = 60.0,
    as_json: common.JsonOption = False,
) -> None:
    """Measure which lines of the references the hidden tests run, with coverage.py in the sandbox.

    coverage.py is installed once per Python version and sent along with each program.
    """
    from rich.table import Table

    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.studies import CoverageOptions, coverage_of_tests
    from libdrift.scoring import RunOptions

    running = RunOptions(sandbox, workers, floor)
    options = CoverageOptions(tuple(task or ()), data or context.obj, running)
    found = coverage_of_tests(suite, options, TerminalListener())
    if as_json:
        common.print_json(found.to_json())
    else:
        table = Table("task", "library", "lines", "covered", "not run", "why not measured")
        for one in found.tasks:
            share = "–" if one.share is None else f"{one.share:.1%}"
            missing = ", ".join(map(str, one.missing[:10]))
            table.add_row(
                one.task_id, one.library, str(one.lines or "–"), share, missing, one.reason
            )
        print_table(table)
        if found.lines is not None and found.mean is not None:
            print(f"{found.lines:.1%} of all lines, {found.mean:.1%} of a task's on average")
    if found.lines is None:
        raise typer.Exit(3)


def lint_command(
    context: typer.Context,
    suite: common.SuiteArgument,
    answers: Annotated[Path, typer.Argument(help="File of answers, or a folder of programs.")],
    out: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder for the answers of each stage.")
    ],
    judge: Annotated[
        bool, typer.Option("--judge", help="Also judge the answers of each stage.")
    ] = False,
    data: common.DataOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    as_json: common.JsonOption = False,
) -> None:
    """Format and repair answers, and score them with pylint before and after each stage.

    The stages are: as given, formatted (with Black and isort), and repaired (safe style fixes on
    top). The answers of each stage are written to a file for `libdrift score`.
    """
    from rich.table import Table

    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.scoring import ScoreOptions
    from libdrift.jobs.studies import lint_study
    from libdrift.scoring import RunOptions

    options = ScoreOptions(data=data or context.obj, running=RunOptions(sandbox, workers))
    found = lint_study(suite, answers, out, options, TerminalListener(), judge=judge)
    if as_json:
        common.print_json(found.to_json())
        return
    splits = list(found.stages[0].success or ())
    table = Table("stage", "answers", "changed", "pylint", *splits)
    for stage in found.stages:
        table.add_row(*_row(stage), *(_share(stage, split) for split in splits))
    print_table(table)


def _row(stage: LintStage) -> list[str]:
    score = "–" if stage.pylint is None else f"{stage.pylint:.2f}"
    return [stage.name, f"{stage.answers:,}", f"{stage.changed:,}", score]


def _share(stage: LintStage, split: str) -> str:
    value = (stage.success or {}).get(split)
    return "–" if value is None else f"{value:.1%}"
