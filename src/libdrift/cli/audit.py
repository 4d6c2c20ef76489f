from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common

if TYPE_CHECKING:
    from libdrift.execution import AuditResult, Options
    from libdrift.records import Suite, Task


def audit(
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

    from libdrift import suites
    from libdrift.errors import UserError
    from libdrift.suites import audited

    found = common.settings(data)
    loaded = suites.load(suite, found)
    common.refuse_texts(loaded)
    chosen = suites.select(loaded, task or [])
    # Now, not after an hour of work.
    if write and (write.is_dir() or not write.absolute().parent.is_dir()):
        raise UserError(f"cannot write {write}", "Give a file in a folder that is there")
    with common.options(
        found, sandbox, workers, floor=floor, factor=factor, fresh=fresh
    ) as run_options:
        results = _prover(loaded)(chosen, run_options)
    if write:
        audited.write(write, loaded, results)
    verified = sum(result.verified for result in results)
    if as_json:
        rows = [_row(result) for result in results]
        common.print_json(
            {"suite": loaded.name, "tasks": len(results), "verified": verified, "results": rows}
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


def _prover(suite: Suite) -> Callable[[Iterable[Task], Options], list[AuditResult]]:
    """Whose rules a suite is audited by: its own, or those for tests and references."""
    match suite.name:
        case "codemenv":
            from libdrift.analysis.audits import codemenv

            return codemenv.audit
        case "rustevo":
            from libdrift.analysis.audits import rustevo

            return rustevo.audit
    from libdrift.execution import audit as prove

    return prove


def _row(result: AuditResult) -> dict[str, Any]:
    from libdrift.records import Split

    splits = {item.split: item for item in result.splits}
    row: dict[str, Any] = {
        "task_id": result.task_id,
        "verified": result.verified,
        "reason": result.reason,
    }
    for split in Split:
        item = splits.get(split)
        row[split.value] = item and {"outcome": item.outcome.value, "reason": item.reason}
    return row
