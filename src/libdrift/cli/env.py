from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli.groups import DescribedGroup
from libdrift.cli.tables import marked, print_table
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from libdrift.config import Settings
    from libdrift.environments import Failed, Ready
    from libdrift.execution.engines import EngineChoice
    from libdrift.records import Environment

app = typer.Typer(
    cls=DescribedGroup,
    help="Build, list and remove exact-version environments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


_WhatArgument = Annotated[
    list[str],
    typer.Argument(
        help="A suite, your own tasks (FILE.jsonl or a folder DIR/), or requirements such as "
        "numpy==2.0.2 (one environment)."
    ),
]
_PythonOption = Annotated[str, typer.Option(help="Python version for requirements.")]
_AsOfOption = Annotated[
    datetime | None,
    typer.Option(formats=["%Y-%m-%d"], help="Resolve unpinned packages as of this date."),
]


@app.command("build")
def build(
    what: _WhatArgument,
    python: _PythonOption = "3.11",
    as_of: _AsOfOption = None,
    data: common.DataOption = None,
    workers: engines.NodeWorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    yes: common.YesOption = False,
    as_json: common.JsonOption = False,
) -> None:
    """Build all environments of a suite, or one environment from requirements.

    For a suite, this includes the environments of wrong-version answers. With --engine ray, every
    node of the cluster builds them.
    """
    from libdrift.environments import Failed, Ready, build_all
    from libdrift.environments.forecasts import forecast

    environments, left_out = _wanted(what, python, as_of, data)
    if engine != "local":
        choice = engines.engine_choice(engine, address, workers)
        _build_on_nodes(environments, choice, as_json=as_json)
        return
    engines.engine_choice(engine, address, workers)  # which refuses an address
    settings = common.settings()
    expected = forecast(environments, settings, workers or engines.DEFAULT_WORKERS)
    if expected.missing > 1:  # one is asked for by its pins
        common.announce_building(expected, yes=yes)
    others = [one for one in environments if one.language == "rust"]
    with common.progress_bar() as bar:
        display = common.Display(bar)
        display.begin("environments", len(environments))
        results: dict[Environment, Ready | Crated | Failed] = {}
        results |= build_all(
            [one for one in environments if one not in others],
            settings,
            workers=workers or engines.DEFAULT_WORKERS,
            on_done=display.environment,
        )
        results |= _build_crates(others, settings, bar, display)
    ordered = [results[environment] for environment in environments]
    failed = [built for built in ordered if isinstance(built, Failed)]
    if as_json:
        rows = [_result(built) for built in ordered]
        common.print_json({"environments": rows, "tasks_left_out_count": left_out})
    else:
        for built in ordered:
            if isinstance(built, Ready):
                how = "built" if built.fresh else "there already"
                print(f"{how:13}  {built.environment}  {relative(built.folder)}")
            elif isinstance(built, Crated):
                print(f"{'ready':13}  {built.environment}")
        print(f"{len(ordered) - len(failed)} of {counted(len(ordered), 'environment')} ready")
    if failed:
        raise typer.Exit(common.exit_code_of(built.reason for built in failed))
    common.leave_if_left_out(left_out)


def _build_on_nodes(
    environments: list[Environment], choice: EngineChoice, *, as_json: bool
) -> None:
    from libdrift.environments import Failed
    from libdrift.errors import UserError
    from libdrift.jobs.environments import build_on_nodes

    others = [one for one in environments if one.language != "python"]
    if others:
        raise UserError(
            f"{others[0]} is not built on nodes in advance",
            "Leave out --engine ray: crates are downloaded on the node that first needs them",
        )
    with common.progress_bar() as bar:
        line = bar.add_task("environments", total=None, note="")
        found = []
        for one in build_on_nodes(environments, choice, common.warn):
            found.append(one)
            bar.advance(line)
    if as_json:
        rows = [{"node": one.node, **_result(one.built)} for one in found]
        common.print_json({"environments": rows})
    else:
        for one in found:
            how = "built" if getattr(one.built, "fresh", False) else "there already"
            how = f"failed: {one.built.reason}" if isinstance(one.built, Failed) else how
            print(f"{one.node}  {one.built.environment}  {how}")
    ready = sum(not isinstance(one.built, Failed) for one in found)
    if not as_json:
        print(f"{ready} of {len(found)} environments ready, all nodes together")
    if ready < len(found) or not found:
        raise typer.Exit(3)


@dataclass(frozen=True, slots=True)
class Crated:
    """Crates that are ready for answers in Rust."""

    environment: Environment


def _build_crates(
    environments: list[Environment], settings: Settings, bar: Bar, display: common.Display
) -> dict[Environment, Crated | Failed]:
    from libdrift.environments import Failed
    from libdrift.environments.crate_troubles import Unavailable
    from libdrift.errors import InfrastructureError
    from libdrift.execution.rust.places import crates_for
    from libdrift.scoring import Runner, RunOptions

    found: dict[Environment, Crated | Failed] = {}
    if not environments:
        return found
    options = Runner(settings, RunOptions(workers=1)).with_progress(common.Display(bar))
    for environment in environments:
        try:
            crates = crates_for(environment, options)
        except InfrastructureError as error:
            crates = Unavailable(str(error))
        if isinstance(crates, Unavailable):
            failed = Failed(environment, crates.reason, crates.log)
            display.environment(failed)
            found[environment] = failed
        else:
            display.built()
            found[environment] = Crated(environment)
    return found


def _wanted(
    what: list[str], python: str, as_of: datetime | None, data: Path | None
) -> tuple[list[Environment], int]:
    """What is to be built, and how many tasks of a suite cannot be used."""
    from packaging.requirements import Requirement

    from libdrift import suites
    from libdrift.environments import recipe_for
    from libdrift.errors import UserError
    from libdrift.jobs.auditing import refuse_texts
    from libdrift.records import Environment

    named = [one for one in what if one in suites.names() or suites.is_file(one)]
    if named and len(what) > 1:
        raise UserError(f"{named[0]} has its own environments", "Build it in a separate command")
    if named:
        suite = suites.load(what[0], common.settings(data))
        refuse_texts(suite)
        others = [task.wrong.environment for task in suite.tasks.values() if task.wrong]
        found = dict.fromkeys([*suite.environments, *others])
        # Nothing is built for Java: a JDK compiles for every release that it knows.
        wanted = [one for one in found if one.language != "java"]
        return wanted, len(suite.left_out)
    environment = Environment("python", python, tuple(what), as_of.date() if as_of else None)
    recipe_for(environment)  # a requirement that cannot be read is the caller's mistake: say so now
    for text in environment.requirements:
        if "==" not in text:
            raise UserError(
                f"{text!r} is neither an exact pin nor a suite",
                f"Write {Requirement(text).name}==VERSION, a FILE.jsonl or folder DIR/ of tasks, "
                "or one of: "
                f"{', '.join(suites.names())}",
            )
    return [environment], 0


def _result(built: Ready | Crated | Failed) -> dict[str, object]:
    from libdrift.environments import Failed

    environment = built.environment
    base = {
        "language": environment.language,
        "python": environment.runtime if environment.language == "python" else None,
        "runtime": environment.runtime,
        "requirements": list(environment.requirements),
        "as_of": environment.as_of and environment.as_of.isoformat(),
    }
    if isinstance(built, Failed):
        return {**base, "status": "failed", "reason": built.reason}
    if isinstance(built, Crated):
        return {**base, "status": "ready"}
    return {
        **base,
        "status": "ready",
        "path": str(built.folder),
        "interpreter": built.interpreter,
        "resolution": list(built.resolution),
    }


@app.command("list")
def list_environments(as_json: common.JsonOption = False) -> None:
    """List environments on disk, and failed builds with their reasons."""
    from rich.table import Table

    from libdrift.environments import entries

    settings = common.settings()
    found = entries(settings)
    if as_json:
        rows = [entry.model_dump(mode="json", exclude={"log"}) for entry in found]
        common.print_json({"cache": str(settings.environments), "environments": rows})
        return
    table = Table("key", "python", "requirements", "as of", "MB", "status")
    for entry in found:
        status = entry.status if entry.status == "ready" else f"failed: {entry.reason}"
        table.add_row(
            entry.key[:8],
            entry.interpreter or entry.runtime,
            ", ".join(entry.requirements),
            str(entry.as_of or "–"),
            f"{entry.size / 1e6:.0f}",
            marked(status, entry.status),
        )
    print_table(table)
    print(f"{len(found)} in {settings.environments} (files are shared by hard links)")


@app.command("export")
def export(
    keys: Annotated[
        list[str],
        typer.Argument(
            help="Keys of environments, or their first characters (`libdrift env list` shows keys)."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the archives.")],
    as_json: common.JsonOption = False,
) -> None:
    """Pack environments into archives for other machines, with their hashes.

    If LIBDRIFT_ARCHIVES names the folder of archives, environments are unpacked instead of built.
    """
    from libdrift.environments import archives

    settings = common.settings()
    rows = []
    for key in archives.find_keys(settings, keys):
        manifest = archives.export(key, out, settings)
        rows.append(manifest.model_dump())
        if not as_json:
            print(f"{key}  {manifest.bytes / 1e6:.1f} MB  sha256 {manifest.sha256[:12]}")
    if as_json:
        common.print_json({"out": str(out), "archives": rows})
    else:
        print(f"{counted(len(rows), 'archive')} in {relative(out)}")


@app.command("import")
def import_archives(
    folder: Annotated[Path, typer.Argument(help="Folder written by `env export`.")],
    as_json: common.JsonOption = False,
) -> None:
    """Unpack environments from archives after checking hashes and paths."""
    from libdrift.environments import archives

    rows = list(archives.import_folder(folder, common.settings()))
    for row in rows:
        if row.trouble:
            common.warn(row.trouble)
        elif not as_json:
            print(f"{row.key}  {'unpacked' if row.fresh else 'there already'}")
    if as_json:
        found = [{"key": r.key, "fresh": r.fresh, "trouble": r.trouble} for r in rows]
        common.print_json({"environments": found})
    if any(row.trouble for row in rows):
        raise typer.Exit(3)


@app.command("prune")
def prune(
    days: Annotated[
        float,
        typer.Option(
            min=0,
            callback=common.finite,
            help="Remove environments not used for this many days.",
        ),
    ] = 30,
    everything: Annotated[bool, typer.Option("--all", help="Remove every environment.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be removed.")
    ] = False,
    as_json: common.JsonOption = False,
) -> None:
    """Remove unused environments and crates, failed builds, and files of interrupted commands."""
    from libdrift.environments import crates
    from libdrift.environments import prune as drop

    settings = common.settings()
    since = 0 if everything else days
    gone = list(drop(settings, days=since, dry_run=dry_run))
    sets = list(crates.prune(settings, days=since, dry_run=dry_run))
    if as_json:
        keys = [entry.key for entry in gone]
        common.print_json({"dry_run": dry_run, "pruned": keys, "crates": sets})
        return
    for entry in gone:
        print(f"{entry.key[:8]}  {entry.status:6}  {', '.join(entry.requirements)}")
    what = counted(len(gone), "environment")
    what += f" and {counted(len(sets), 'set')} of crates" if sets else ""
    print(f"{what} {'would be ' if dry_run else ''}dropped")


@app.command("remove")
def remove(
    keys: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY…", help="Keys, or their first characters (`libdrift env list` shows keys)."
        ),
    ],
    as_json: common.JsonOption = False,
) -> None:
    """Remove environments by their keys."""
    from libdrift.environments import drop_named, named

    settings = common.settings()
    # All are looked up before the first is gone.
    found = dict.fromkeys(named(settings, key).key for key in keys)
    gone = [drop_named(settings, key) for key in found]
    if as_json:
        common.print_json({"removed": [entry.key for entry in gone]})
        return
    for entry in gone:
        print(f"{entry.key[:8]}  {entry.status:6}  {', '.join(entry.requirements)}")
    print(f"{counted(len(gone), 'environment')} dropped")
