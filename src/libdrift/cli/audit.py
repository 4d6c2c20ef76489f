from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli.tables import marked, print_table
from libdrift.showing import counted


def audit_command(
    suite: common.SuiteArgument,
    task: common.TaskOption = None,
    data: common.DataOption = None,
    write: Annotated[
        Path | None,
        typer.Option(help="Write the results to this file, for `libdrift score --audited FILE`."),
    ] = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: engines.NodeWorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    floor: common.FloorOption = common.DEFAULT_FLOOR,
    factor: common.FactorOption = common.DEFAULT_FACTOR,
    fresh: common.FreshOption = False,
    yes: common.YesOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Check each task by running it: its reference passes, and its wrong-version answer fails.

    Published suites have no wrong-version answers. For them, a reference that passes is the proof.
    For codemenv, originals and labels are checked in both versions. For rustevo, the audit also
    checks that tests are not vacuous and that the reference uses the API.
    """
    from rich.table import Table

    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.auditing import AuditOptions, audit
    from libdrift.scoring import RunOptions

    chosen = engines.engine_choice(engine, address, workers)
    running = RunOptions(sandbox, workers or engines.DEFAULT_WORKERS, floor, factor, fresh, chosen)
    found = audit(suite, AuditOptions(task or (), data, write, running), TerminalListener(yes=yes))
    if as_json:
        common.print_json(found.to_json())
    else:
        table = Table("task", "verified", "why not")
        for result in found.results:
            why = "" if result.verified else result.reason
            table.add_row(result.task_id, marked("yes" if result.verified else "NO"), why)
        print_table(table)
        beside = f", {len(found.left_out)} left out" if found.left_out else ""
        print(f"{found.verified} of {counted(len(found.results), 'task')} verified{beside}")
    if found.unproven:
        raise typer.Exit(common.exit_code_of(found.trouble))
    common.leave_if_left_out(len(found.left_out))
    if found.verified < len(found.results):
        raise typer.Exit(1)
