from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli import upgrade_options as shared
from libdrift.cli.on_demand import mining_bar
from libdrift.showing import counted, in_a_line

if TYPE_CHECKING:
    from libdrift.advisor.trials import TrialOutcome
    from libdrift.advisor.verifying import Verification
    from libdrift.jobs.migrating import Migration
    from libdrift.records import Finding


_PathsArgument = Annotated[
    list[Path] | None, typer.Argument(help="Files and folders to edit. [default: .]")
]
_DiffOption = Annotated[
    bool, typer.Option("--diff", help="Print the edits as a diff and write nothing (default).")
]
_WriteOption = Annotated[bool, typer.Option("--write", help="Write the edited files.")]
_ForceOption = Annotated[
    bool, typer.Option("--force", help="Write even if git shows uncommitted changes.")
]
_RiskyOption = Annotated[
    bool, typer.Option("--risky", help="Also make edits that are only likely to be right.")
]
_VerifyOption = Annotated[
    str,
    typer.Option(
        help='Command, such as "pytest -q", to run sandboxed in both exact '
        "environments. Edits that "
        "make a passing test fail are dropped."
    ),
]
_TimeoutOption = Annotated[
    float,
    typer.Option(
        min=1, callback=common.finite, help="Time limit of the --verify command, in seconds."
    ),
]
_IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(help="Symbol, pattern or kind not to edit (repeatable)."),
]


def migrate_command(
    paths: _PathsArgument = None,
    to: shared.ToOption = None,
    old: shared.FromOption = None,
    to_latest: shared.ToLatestOption = False,
    python: shared.PythonOption = "",
    diff: _DiffOption = False,
    write: _WriteOption = False,
    force: _ForceOption = False,
    risky: _RiskyOption = False,
    verify: _VerifyOption = "",
    timeout: _TimeoutOption = 600.0,
    sandbox: common.SandboxOption = "bubblewrap",
    ignore: _IgnoreOption = None,
    exclude: shared.ExcludeOption = None,
    as_json: common.JsonOption = False,
    offline: shared.OfflineOption = False,
    store: shared.StoreOption = None,
) -> None:
    """Edit code for other versions of its packages: sure edits, and likely ones with --risky.

    Code that needs a person's decision is left unchanged and reported with a reason.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.checking import CheckOptions
    from libdrift.jobs.migrating import MigrateOptions, migrate

    if diff and write:
        raise UserError("--diff and --write cannot be combined", "Give one of them")
    check = CheckOptions(
        to=tuple(to or ()),
        old=tuple(old or ()),
        to_latest=to_latest,
        python=python,
        ignore=tuple(ignore or ()),
        exclude=tuple(exclude or ()),
        store=store,
        offline=offline,
    )
    options = MigrateOptions(
        check,
        risky=risky,
        write=write,
        force=force,
        verify=verify,
        sandbox=sandbox,
        seconds=timeout,
    )
    with mining_bar() as progress:
        done = migrate(paths or [Path()], options, progress)
    for step in done.steps:
        common.note(f"{step.package} {step.old} ({step.source}) → {step.new}")
    for problem in done.problems:
        common.warn(in_a_line(problem))  # names of files are anybody's
    if as_json:
        common.print_json(_as_json(done))
    else:
        _show(done)
    if done.exit_code:
        raise typer.Exit(done.exit_code)


def _verification(found: Verification) -> dict[str, Any]:
    runs = {"old": found.before, "unedited": found.bare, "edited": found.after}
    return {
        "restored": found.is_restored,
        "runs": found.runs,
        **{
            name: {
                "status": run.status,
                "passed": None if run.passed is None else len(run.passed),
                "failed": sorted(run.failed),
                "log": run.log,
            }
            for name, run in runs.items()
        },
    }


def _show(done: Migration) -> None:
    for item in done.changed:
        if done.is_written:
            print(f"{item.file}: {counted(len(item.applied), 'edit')}")
        else:
            print(item.diff, end="")
    for one in done.left:
        more = " (--risky edits it)" if one.is_risky else ""
        where = _place(one.finding)
        common.note(in_a_line(f"left: {where}: {one.finding.message}: {one.reason}{more}"))
    if done.verification is not None:
        _tell_runs(done.verification)
    verb = "edited" if done.is_written else "to edit"
    common.note(
        f"{counted(len(done.applied), 'finding')} {verb} in {counted(len(done.changed), 'file')}, "
        f"{len(done.left)} left"
    )


def _tell_runs(found: Verification) -> None:
    for name, run in (
        ("old versions", found.before),
        ("new versions, not edited", found.bare),
        ("new versions, edited", found.after),
    ):
        common.note(f"{name}: {_outcome(run)}")
    if not found.is_restored:
        common.warn("some tests that passed before fail with the edits")


def _outcome(run: TrialOutcome) -> str:
    if run.passed is None:
        return f"ended with {run.trouble or run.status}"
    return f"{counted(len(run.passed), 'test')} passed, {len(run.failed)} failed"


def _place(finding: Finding) -> str:
    cell = f"cell {finding.cell}:" if finding.cell else ""
    return f"{finding.file}:{cell}{finding.line}"


def _as_json(done: Migration) -> dict[str, Any]:
    from dataclasses import asdict

    from libdrift.reports import findings as report

    return {
        "files": [
            {
                "path": item.file,
                "diff": item.diff,
                "edited": report.to_json(item.applied),
                "left": [
                    {**row, "reason": one.reason, "risky": one.is_risky}
                    for row, one in zip(
                        report.to_json(one.finding for one in item.left), item.left, strict=True
                    )
                ],
            }
            for item in done.files
        ],
        "written": done.is_written,
        "verification": _verification(done.verification) if done.verification else None,
        "steps": [asdict(step) for step in done.steps],
        "problems": list(done.problems),
    }
