from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from libdrift.cli import common


def audit(
    suite: Annotated[str, typer.Argument(help="Name of a suite.")],
    task: common.TaskOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    timeout: common.TimeoutOption = common.DEFAULT_TIMEOUT,
    as_json: common.JsonOption = False,
) -> None:
    """Prove each task: its reference passes, its wrong-version answer fails here, not there."""
    from rich.table import Table

    from libdrift import suites
    from libdrift.execution import audit as prove

    loaded = suites.load(suite, common.settings())
    chosen = suites.select(loaded, task or [])
    with common.options(sandbox, workers, timeout) as run_options:
        results = prove(chosen, run_options)
    verified = sum(result.verified for result in results)
    if as_json:
        rows = [asdict(result) for result in results]
        common.print_json(
            {"suite": suite, "tasks": len(results), "verified": verified, "results": rows}
        )
    else:
        table = Table("task", "verified", "why not")
        for result in results:
            why = "" if result.verified else result.reason
            table.add_row(result.task_id, "yes" if result.verified else "NO", why)
        common.stdout().print(table)
        print(f"{verified} of {len(results)} tasks verified")
    if any(result.reason.startswith("not proven:") for result in results):
        raise typer.Exit(3)
    if verified < len(results):
        raise typer.Exit(1)
