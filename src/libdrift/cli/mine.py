"""``libdrift mine``: releases of packages into the history."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli.on_demand import mining_bar
from libdrift.cli.tables import print_table

if TYPE_CHECKING:
    from libdrift.mining import MiningOptions, MiningResult


_PackagesArgument = Annotated[
    list[str],
    typer.Argument(
        help="Packages of the index; crate:NAME and maven:GROUP:ARTIFACT from other registries; "
        "python, rust and jdk: the standard libraries on this machine."
    ),
]
_SinceOption = Annotated[
    str | None,
    typer.Option(help="Only releases from this date (2021-01-01), year or version on."),
]
_VersionsOption = Annotated[str | None, typer.Option(help="Only these versions: 1.26.4,2.0.2.")]
_AllMinorOption = Annotated[
    bool, typer.Option("--all-minor", help="Only the last release of every minor series.")
]
_PreOption = Annotated[bool, typer.Option("--pre", help="Include pre-releases.")]
_YankedOption = Annotated[bool, typer.Option("--yanked", help="Include yanked releases.")]
_RuntimeOption = Annotated[
    str,
    typer.Option(
        help="Also import releases, in the sandbox: auto (if reading leaves gaps; the newest of "
        "each minor series), never or always."
    ),
]
_ExamplesOption = Annotated[
    bool,
    typer.Option(
        "--examples",
        help="Run the documentation examples of each release in that release and the next, in the "
        "sandbox, to find changes of behaviour.",
    ),
]
_WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        min=1,
        show_default="one per core",
        help="Parallel workers; with --engine ray, on each node.",
    ),
]
_StoreOption = Annotated[Path | None, typer.Option(help="The history file.")]


def mine(
    packages: _PackagesArgument,
    since: _SinceOption = None,
    versions: _VersionsOption = None,
    all_minor: _AllMinorOption = False,
    pre: _PreOption = False,
    yanked: _YankedOption = False,
    runtime: _RuntimeOption = "auto",
    examples: _ExamplesOption = False,
    workers: _WorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    store: _StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Read releases from the package index into the history; releases already mined are skipped.

    With --engine ray, the nodes of a cluster read the releases of the index. Releases of other
    registries, standard libraries and examples are handled on this machine.
    """
    from libdrift.cli.trials import show_trials, trials_json
    from libdrift.jobs.histories import history_file
    from libdrift.jobs.histories import mine as mine_packages

    options = _options(
        since,
        versions,
        runtime,
        all_minor=all_minor,
        pre=pre,
        yanked=yanked,
        examples=examples,
        workers=workers or os.cpu_count() or 1,
        engine=engines.engine_choice(engine, address, workers),
    )
    with mining_bar() as progress:
        result = mine_packages(packages, options, store, progress)
    _tell(result)
    if as_json:
        told = trials_json(result) if examples else {}
        common.print_json({"store": str(history_file(store)), **_as_json(result), **told})
    else:
        _show(result)
        show_trials(result)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


def _options(
    since: str | None,
    versions: str | None,
    runtime: str,
    **choices: Any,  # noqa: ANN401  (as they are in MiningOptions)
) -> MiningOptions:
    from libdrift.errors import UserError
    from libdrift.mining import MiningOptions, Runtime, read_since

    if runtime not in set(Runtime):
        raise UserError(f"--runtime {runtime!r} is unknown", f"One of: {', '.join(Runtime)}")
    named = tuple(part.strip() for part in (versions or "").split(",") if part.strip())
    if versions is not None and not named:
        raise UserError("--versions is empty", "Write --versions 1.26.4,2.0.2")
    if named and (since is not None or choices["all_minor"]):
        raise UserError("--versions names the releases", "Leave out --since and --all-minor")
    start = None if since is None else read_since(since)
    return MiningOptions(start, named, runtime=Runtime(runtime), **choices)


def _tell(result: MiningResult) -> None:
    """What did not go well, a line each."""
    for line in result.notes:
        common.note(line)
    for event in result.failed:
        common.warn(f"{event.release} is not mined: {event.reason}")
    for line in result.complaints:
        common.note(f"libdrift: {line}")


def _show(result: MiningResult) -> None:
    from rich.table import Table

    if not result.packages:
        return
    table = Table("package")
    for title in ("new", "already mined", "failed", "incomplete"):
        table.add_column(title, justify="right")
    for item in result.packages:
        counts = (item.new, item.present, len(item.failed), item.incomplete)
        table.add_row(item.package, *map(str, counts))
    print_table(table)


def _as_json(result: MiningResult) -> dict[str, Any]:
    return {
        "packages": [
            {
                "package": item.package,
                "new": item.new,
                "present": item.present,
                "incomplete": item.incomplete,
                "failed": [
                    {"version": event.release.version, "reason": event.reason}
                    for event in item.failed
                ],
            }
            for item in result.packages
        ],
        "problems": list(result.complaints),
    }
