"""`libdrift build live`: proven tasks from releases, or those of a manifest again."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli import engine_options as engines
from libdrift.cli.build_compiled import compiled, of_drafts
from libdrift.cli.history import StoreOption
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.building_live import LiveFile
    from libdrift.scoring import RunOptions

_SHOWN = 12  # drops that are told by line

ManifestOption = Annotated[
    str | None,
    typer.Option("--manifest", help="Rebuild the tasks of a manifest: its name, or a file."),
]
LiveOutOption = Annotated[Path | None, typer.Option("--out", help="The file of tasks.")]


AfterOption = Annotated[
    str | None,
    typer.Option(
        "--after", help="Only release series that began on or after this date: 2024-06-01."
    ),
]
FamilyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--family", help="Task family: migrate, behave, generate … (repeatable; by default all)."
    ),
]
StepsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Maximum number of upgrade steps per package; the newest are used."),
]
MonthsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Length of an upgrade step in months; by default one minor series."),
]
LimitOption = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of tasks per package and family.")
]
SinceLastOption = Annotated[
    bool, typer.Option("--since-last", help="Only releases newer than those of the last run.")
]
PackagesOption = Annotated[
    list[str] | None, typer.Option("--package", help="Package (repeatable).")
]
TopOption = Annotated[
    int | None, typer.Option("--top", min=1, help="Number of popular packages (default 20).")
]
LanguageOption = Annotated[
    str, typer.Option(help="python; rust (std, and --package crate:NAME); or java (the JDK).")
]


_BeforeOption = Annotated[
    str | None, typer.Option("--before", help="Only release series that began before this date.")
]
_SeedOption = Annotated[int, typer.Option(help="Seed for choosing tasks with --limit.")]
_NameOption = Annotated[
    str | None, typer.Option(help="Name of the suite; by default live, or live-LANGUAGE.")
]
_ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]


def live(
    after: AfterOption = None,
    before: _BeforeOption = None,
    package: PackagesOption = None,
    top: TopOption = None,
    family: FamilyOption = None,
    steps: StepsOption = None,
    months: MonthsOption = None,
    limit: LimitOption = None,
    language: LanguageOption = "python",
    seed: _SeedOption = 0,
    since_last: SinceLastOption = False,
    manifest: ManifestOption = None,
    name: _NameOption = None,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: engines.NodeWorkersOption = None,
    engine: engines.EngineOption = "local",
    address: engines.AddressOption = None,
    out: LiveOutOption = None,
    force: _ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Make tasks from documentation examples, each verified by running it in both releases.

    No model is used. Progress is kept in a file beside the tasks: an interrupted command continues
    where it stopped. A manifest beside the tasks lets anyone rebuild the same tasks.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.errors import UserError
    from libdrift.jobs.building_compiled import CompiledOptions
    from libdrift.jobs.building_live import LiveOptions, build_live
    from libdrift.scoring import RunOptions

    choice = engines.engine_choice(engine, address, workers)
    running = RunOptions(sandbox, workers or engines.DEFAULT_WORKERS, engine=choice)
    if manifest is not None:
        remake(manifest, out, store=store, force=force, running=running, as_json=as_json)
        return
    if after is None:
        raise UserError("--after is missing", "Write it like --after 2024-06-01")
    if language != "python":
        if before or steps or months:
            raise UserError(
                f"--before, --steps and --months are not for {language}", "Leave them out"
            )
        asked = CompiledOptions(
            language=language,
            after=_day(after, "--after"),
            packages=package or (),
            top=top,
            families=family or (),
            limit=limit,
            seed=seed,
            since_last=since_last,
            name=name or "",
            out=out,
            force=force,
            store=store,
            running=running,
        )
        compiled(asked, as_json=as_json)
        return
    options = LiveOptions(
        after=_day(after, "--after"),
        before=_day(before, "--before") if before else None,
        packages=package or (),
        top=top,
        families=family or (),
        steps=steps,
        months=months,
        limit=limit,
        seed=seed,
        since_last=since_last,
        name=name or "live",
        out=out or Path("live.jsonl"),
        force=force,
        store=store,
        running=running,
    )
    _tell(build_live(options, TerminalListener()), as_json=as_json)


def remake(
    manifest: str,
    out: Path | None,
    *,
    store: Path | None = None,
    force: bool = False,
    running: RunOptions | None = None,
    as_json: bool = False,
) -> None:
    """The tasks of a manifest, made again."""
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.remaking_live import build_manifest
    from libdrift.scoring import RunOptions

    running = running or RunOptions(workers=engines.DEFAULT_WORKERS)
    built = build_manifest(manifest, out, store, running, TerminalListener(), force=force)
    _tell(built, as_json=as_json)
    if built.differing:
        raise typer.Exit(1)


def _day(text: str, option: str) -> date:
    from libdrift.errors import UserError

    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError(
            f"{option} {text}: not a date", f"Write it like {option} 2024-06-01"
        ) from error


def _tell(built: LiveFile, *, as_json: bool) -> None:
    if as_json:
        common.print_json(built.to_json())
        return
    where = relative(built.path)
    tasks, packages = counted(built.tasks, "proven task"), counted(len(built.packages), "package")
    print(f"{tasks} of {packages} in {where}")
    for family, count in built.families.most_common():
        tried, drafts = built.tried[family], built.drafts[family]
        print(f"  {family}: {count:,}{of_drafts(tried, drafts - tried)}")
    if built.mutants:
        share = built.told_apart / built.mutants
        print(f"  mutants rejected: {built.told_apart:,} of {built.mutants:,} ({share:.0%})")
    for gate, count in built.dropped.most_common(_SHOWN):
        common.note(f"dropped: {count:,} {gate}")
    for why, count in built.left_out.most_common(_SHOWN):
        common.note(f"no draft: {count:,} {why}")
    for line in built.untold[:_SHOWN]:
        common.note(line)
    if built.differing:
        common.note(f"{len(built.differing):,} tasks of the manifest have changed")
    common.note(f"it took {built.seconds:,.0f} s, and {built.processor_seconds:,.0f} s of CPU time")
    if built.manifest:
        common.note(f"to rebuild the same tasks: libdrift build live --manifest {built.manifest}")
    common.note(f"to verify them again: libdrift audit {where}")
