from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libdrift.cli import common
from libdrift.cli.history import StoreOption, opened

if TYPE_CHECKING:
    from libdrift.build.excerpts import Level
    from libdrift.build.results import Built
    from libdrift.history.store import Store
    from libdrift.records import Task

app = typer.Typer(
    help="Make new tasks: from mined history, or from repositories with pinned requirements.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
PackageOption = Annotated[
    str, typer.Option("--package", help="A mined package: `libdrift history list`.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="The file of tasks; by default one named here.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Decides which tasks a --limit takes.")]


@app.command("completion")
def completion(
    package: PackageOption,
    versions: Annotated[
        str | None,
        typer.Option("--versions", help="Mined releases: 3.5.2,3.8.3. By default all of them."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many a version.")] = None,
    seed: SeedOption = 0,
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """One call to complete for every documented API of a release, which is never named.

    Each task knows whether its version introduced, modified or was the last to have the API.
    """
    from libdrift.build.completion import SUITE, complete
    from libdrift.errors import UserError

    with opened(store) as history:
        if history.number(package) is None:
            from libdrift.history.store import not_mined

            raise not_mined(history, package)
        asked = (
            _split(versions) if versions is not None else history.versions(history.number(package))
        )
        if not asked:
            raise UserError("--versions is empty", "Write it like --versions 3.5.2,3.8.3")
        path = _place(out, f"{SUITE}-{package}.jsonl", force=force)
        built = complete(history, package, asked, limit=limit, seed=seed)
    title = f"Completion of {package} {', '.join(built.counts)}"
    outcome = _write(built.tasks, path, (f"{SUITE}-{package}", title))
    _tell(outcome, built, as_json=as_json)


@app.command("migration")
def migration(
    package: PackageOption,
    versions: Annotated[str, typer.Option("--versions", help="Two mined releases, as OLD,NEW.")],
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """Pairs of the same functionality at two versions, from examples in docstrings."""
    from libdrift.build.migration import SUITE, migrations
    from libdrift.errors import UserError

    asked = _split(versions)
    if len(asked) != 2:  # noqa: PLR2004
        raise UserError(
            f"--versions {versions}: not two releases", "Write it like --versions 1.26.4,2.0.2"
        )
    with opened(store) as history:
        path = _place(out, f"{SUITE}-{package}.jsonl", force=force)
        built = migrations(history, package, *asked)
    title = f"Migration of {package} between {asked[0]} and {asked[1]}"
    outcome = _write(built.tasks, path, (f"{SUITE}-{package}", title))
    _tell(outcome, built, as_json=as_json)


@app.command("usage")
def usage(
    repo: Annotated[
        list[Path],
        typer.Option(
            "--repo", help="A repository, a folder of them, or a file with one a line (repeatable)."
        ),
    ],
    level: Annotated[
        list[str] | None,
        typer.Option("--level", help="middle, token, line or block (repeatable; by default all)."),
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
    """Completions of calls that people wrote, from repositories that pin what they use.

    What is mined of a pinned package tells more of each use: the class of a value, and what the
    version did to the API.
    """
    from libdrift.build import repositories
    from libdrift.build import usage as making

    found: list[repositories.Repository] = []
    for place in repo:
        here = repositories.find(place)
        for line in here.missing:
            common.warn(line)
        found += here.repositories
    path = _place(out, f"{making.SUITE}.jsonl", force=force)
    options = making.UsageOptions(levels=_levels(level or []), libraries=tuple(package or ()))
    with _history(store) as history, common.progress_bar() as bar:
        progress = bar.add_task("tasks", total=None, note="")
        made = making.usage(found, options, history)

        def shown() -> Iterator[Task]:
            for task in made:
                bar.advance(progress)
                yield task

        title = f"Usage in {counted(len(found), 'repository', 'repositories')}"
        outcome = _write(shown(), path, (making.SUITE, title))
    for note in made.notes:
        common.warn(note)
    _tell(outcome, made.built, as_json=as_json)


@app.command("control")
def control(
    old: Annotated[str, typer.Option("--from", help="The release at the window's start.")],
    new: Annotated[str, typer.Option("--to", help="The release at its end.")],
    package: Annotated[
        str, typer.Option("--package", help="`rust`, or a mined crate: `crate:NAME`.")
    ] = "rust",
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many of each kind.")] = None,
    seed: SeedOption = 0,
    sandbox: common.SandboxOption = "bubblewrap",
    workers: common.WorkersOption = 2,
    out: OutOption = None,
    force: ForceOption = False,
    store: StoreOption = None,
    as_json: common.JsonOption = False,
) -> None:
    """APIs of Rust that did not change from one release to another, and those that came.

    Each is missing in an example of its documentation. Every task is proven by running it: its
    reference passes, and without the name it does not.
    """
    from libdrift.build.control import SUITE, Window
    from libdrift.build.control import control as made

    name = f"{SUITE}-{package.replace(':', '-')}"
    path = _place(out, f"{name}.jsonl", force=force)
    with (
        opened(store) as history,
        common.options(common.settings(), sandbox, workers) as options,
    ):
        built = made(history, Window(package, old, new), options, limit=limit, seed=seed)
    outcome = _write(built.tasks, path, (name, f"Control of {package} from {old} to {new}"))
    _tell(outcome, built, as_json=as_json, ask="eval {} --model MODEL")


def _levels(names: list[str]) -> tuple[Level, ...]:
    from libdrift.build.excerpts import Level
    from libdrift.errors import UserError

    unknown = [name for name in names if name not in set(Level)]
    if unknown:
        known = ", ".join(level.value for level in Level)
        raise UserError(f"no level {unknown[0]!r}", f"Known are {known}")
    return tuple(Level(name) for name in dict.fromkeys(names)) or tuple(Level)


@contextmanager
def _history(store: Path | None) -> Iterator[Store | None]:
    """The history, where there is one: it is of help here, not needed."""
    if store is None and not common.settings().history.is_file():
        yield None
    else:
        with opened(store) as history:
            yield history


def counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _place(out: Path | None, usual: str, *, force: bool) -> Path:
    """Where tasks go, before any work is done for them."""
    from libdrift.errors import UserError
    from libdrift.suites import task_files

    path = out or Path(usual)
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}",
            f"Write it like --out tasks{task_files.ENDING}",
        )
    if path.exists() and not force:
        raise UserError(f"{path} is there already", "Choose another --out, or add --force")
    return path


@dataclass(slots=True)
class _Written:
    path: Path
    suite: str
    tasks: int = 0
    lifecycles: Counter[str] = field(default_factory=Counter)


def _write(tasks: Iterable[Task], path: Path, named: tuple[str, str]) -> _Written:
    from libdrift.execution.runs import provenance
    from libdrift.suites import task_files

    suite, title = named
    outcome = _Written(path, suite)

    def counting() -> Iterator[Task]:
        for task in tasks:
            if task.facts.lifecycle:
                outcome.lifecycles[task.facts.lifecycle] += 1
            yield task

    outcome.tasks = task_files.write(path, suite, title, counting(), provenance())
    return outcome


def _tell(
    outcome: _Written, built: Built, *, as_json: bool, ask: str = "suites prompts {} FILE"
) -> None:
    """How many tasks there are of what, and what became none."""
    from libdrift.errors import UserError

    left_out = dict(sorted(built.left_out.items(), key=lambda item: -item[1]))
    if not outcome.tasks:
        reasons = "; ".join(f"{count} {why}" for why, count in list(left_out.items())[:3])
        raise UserError(
            f"no task could be made{f' ({reasons})' if reasons else ''}",
            "Choose other releases or repositories",
        )
    if as_json:
        common.print_json(
            {
                "file": str(outcome.path),
                "suite": outcome.suite,
                "tasks": outcome.tasks,
                "counts": dict(built.counts),
                "lifecycles": dict(outcome.lifecycles.most_common()),
                "left_out": left_out,
            }
        )
        return
    where = common.relative(outcome.path)
    print(f"{outcome.tasks:,} tasks in {where}")
    for name, count in built.counts.items():
        print(f"  {name}: {count:,}")
    if outcome.lifecycles:
        labels = [f"{label} {count:,}" for label, count in outcome.lifecycles.most_common()]
        print(f"  of their APIs: {', '.join(labels)}")
    for why, count in left_out.items():
        common.note(f"left out: {count:,} {why}")
    common.note(f"ask for them: libdrift {ask.format(where)}")
    common.note(f"score answers: libdrift score {where} ANSWERS")
