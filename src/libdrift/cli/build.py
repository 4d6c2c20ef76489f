from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import build_generate, build_live, build_review, build_twins, common
from libdrift.cli.groups import DescribedGroup
from libdrift.cli.history import StoreOption
from libdrift.showing import counted, relative

if TYPE_CHECKING:
    from libdrift.jobs.building import BuiltFile

app = typer.Typer(
    cls=DescribedGroup,
    help="Make new tasks: from the history, or from repositories with pinned requirements.",
    no_args_is_help=True,
    invoke_without_command=True,
    rich_markup_mode=None,
)
app.command("live")(build_live.live)
app.command("twins")(build_twins.twins)
app.command("generate")(build_generate.generate)
app.command("review")(build_review.review)
PackageOption = Annotated[
    str, typer.Option("--package", help="A mined package (`libdrift history list` shows them).")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", help="The file of tasks; by default a file in the current folder."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed for choosing tasks with --limit.")]


@app.command("init")
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to write; it must be new or empty.")
    ],
    as_json: common.JsonOption = False,
) -> None:
    """Start your own suite: a folder with one verified task to copy and change."""
    from libdrift.jobs.building import init_suite

    files = init_suite(folder)
    if as_json:
        common.print_json({"folder": str(folder), "files": list(files)})
        return
    for name in files:
        print(folder / name)
    common.note(f"verify it: libdrift audit {folder}/")
    common.note("add tasks, one folder each; docs/tasks.md describes every field")


@app.callback()
def build(
    context: typer.Context,
    manifest: build_live.ManifestOption = None,
    out: build_live.LiveOutOption = None,
) -> None:
    """Make new tasks: from mined history, from releases, or from repositories."""
    from libdrift.errors import UserError

    if context.invoked_subcommand is None and manifest is not None:
        build_live.remake(manifest, out)
    elif context.invoked_subcommand is not None and (manifest or out):
        raise UserError(
            "--manifest and --out are given before the command", "Give options after the command"
        )


@app.command("completion")
def completion(
    package: PackageOption,
    versions: Annotated[
        str | None,
        typer.Option("--versions", help="Mined releases: 3.5.2,3.8.3. By default all of them."),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            help="Only APIs that the version introduced, modified, deprecated (last "
            "version that has "
            "it) or left unchanged. Separate several with commas: introduced,modified.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of tasks per version.")
    ] = None,
    seed: SeedOption = 0,
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Make completion tasks: one call to complete for each documented API of a release.

    The prompt never names the API. Each task records whether its version introduced or modified the
    API, or was the last to have it.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.building import BuildOptions, build_completion

    asked = _split(versions or "")
    if versions is not None and not asked:
        raise UserError("--versions is empty", "Write it like --versions 3.5.2,3.8.3")
    chosen = _split(only or "")
    if only is not None and not chosen:
        raise UserError("--only is empty", "Write it like --only introduced,modified")
    options = BuildOptions(out, force, store, limit, seed)
    _tell(build_completion(package, asked, options, chosen), as_json=as_json)


@app.command("migration")
def migration(
    package: PackageOption,
    versions: Annotated[str, typer.Option("--versions", help="Two mined releases, as OLD,NEW.")],
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Make migration tasks: pairs of the same functionality at two versions, from docstring
    examples.
    """
    from libdrift.errors import UserError
    from libdrift.jobs.building import BuildOptions, build_migration

    asked = _split(versions)
    if len(asked) != 2:  # noqa: PLR2004
        raise UserError(
            f"--versions {versions}: not two releases", "Write it like --versions 1.26.4,2.0.2"
        )
    old, new = asked
    built = build_migration(package, old, new, BuildOptions(out, force, store))
    _tell(built, as_json=as_json)


@app.command("usage")
def usage(
    repo: Annotated[
        list[Path],
        typer.Option(
            "--repo",
            help="A repository, a folder of repositories, or a file that lists one per line "
            "(repeatable).",
        ),
    ],
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level", help="Level: middle, token, line or block (repeatable; by default all)."
        ),
    ] = None,
    package: Annotated[
        list[str] | None,
        typer.Option("--package", help="Only uses of this pinned package (repeatable)."),
    ] = None,
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Make completion tasks from calls in repositories that pin their dependencies.

    If the pinned package is mined, tasks also record the class of the value and what the version
    did to the API.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.building import BuildOptions, build_usage

    options = BuildOptions(out, force, store)
    built = build_usage(repo, level or (), package or (), options, TerminalListener())
    _tell(built, as_json=as_json)


@app.command("control")
def control(
    old: Annotated[str, typer.Option("--from", help="Old release.")],
    new: Annotated[str, typer.Option("--to", help="New release.")],
    package: Annotated[
        str, typer.Option("--package", help="`rust`, or a mined crate: `crate:NAME`.")
    ] = "rust",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of tasks of each kind.")
    ] = None,
    seed: SeedOption = 0,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Make control tasks: Rust APIs that did not change between two releases, and new ones.

    Each task is an example from the API's documentation with the API's name removed. Every task is
    verified by running it: its reference passes, and the example without the name does not.
    """
    from libdrift.cli.listening import TerminalListener
    from libdrift.jobs.building import BuildOptions, build_control
    from libdrift.scoring import RunOptions

    options = BuildOptions(out, force, store, limit, seed, RunOptions(sandbox, workers))
    built = build_control(old, new, package, options, TerminalListener())
    _tell(built, as_json=as_json, ask="eval {} --model MODEL")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _tell(built: BuiltFile, *, as_json: bool, ask: str = "suites prompts {} FILE") -> None:
    """How many tasks there are of what, and what became none."""
    if as_json:
        common.print_json(built.to_json())
        return
    where = relative(built.path)
    print(f"{counted(built.tasks, 'task')} in {where}")
    for name, count in built.counts.items():
        print(f"  {name}: {count:,}")
    if built.lifecycles:
        labels = [f"{label} {count:,}" for label, count in built.lifecycles.most_common()]
        print(f"  of their APIs: {', '.join(labels)}")
    for why, count in built.left_out.items():
        common.note(f"left out: {count:,} {why}")
    pasted = shlex.quote(where)
    common.note(f"ask for them: libdrift {ask.format(pasted)}")
    common.note(f"score answers: libdrift score {pasted} ANSWERS")
