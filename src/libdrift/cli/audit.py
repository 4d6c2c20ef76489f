from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common


def audit_command(
    suite: common.SuiteArgument,
    task: common.TaskOption = None,
    data: common.DataOption = None,
    write: Annotated[
        Path | None,
        typer.Option(help="Keep the results in this file, for `libdrift score --audited FILE`."),
    ] = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    fresh: common.FreshOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Prove each task: its reference passes, its wrong-version answer fails here, not there.

    Published suites have no wrong-version answers: there, that the reference passes is the proof.
    Of codemenv the originals and labels are proven in both versions, of rustevo also that tests
    are not vacuous and the reference uses the API.
    """
    from rich.table import Table

    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.auditing import AuditOptions, audit
    from libdrift.scoring import RunOptions

    running = RunOptions(sandbox, workers, floor, factor, fresh)
    found = audit(suite, AuditOptions(task or (), data, write, running), TerminalListener())
    if as_json:
        common.print_json(found.to_json())
    else:
        table = Table("task", "verified", "why not")
        for result in found.results:
            why = "" if result.verified else result.reason
            table.add_row(result.task_id, "yes" if result.verified else "NO", why)
        common.stdout().print(table)
        beside = f", {len(found.left_out)} left out" if found.left_out else ""
        print(f"{found.verified} of {len(found.results)} tasks verified{beside}")
    if found.unproven:
        raise typer.Exit(3)
    common.leave_if_left_out(len(found.left_out))
    if found.verified < len(found.results):
        raise typer.Exit(1)
