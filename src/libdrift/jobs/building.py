"""New tasks: from mined history, or from repositories with pinned requirements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.errors import UserError
from libdrift.execution.runs import provenance
from libdrift.history.store import Store
from libdrift.jobs.histories import open_history
from libdrift.jobs.listening import Listener
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import task_files

if TYPE_CHECKING:
    from libdrift.build.excerpts import Level
    from libdrift.build.lifecycles import Lifecycle
    from libdrift.build.results import Built


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Where tasks go, and which are taken."""

    out: Path | None = None  # by default a file that is named after what is built, here
    force: bool = False  # overwrite it
    store: Path | None = None  # the history file, if not the usual one
    limit: int | None = None  # at most so many of a version, or of a kind
    seed: int = 0  # decides which tasks a limit takes
    running: RunOptions = field(default_factory=RunOptions)


@dataclass(slots=True)
class BuiltFile:
    """A file of tasks: how many there are of what, and what became none."""

    path: Path
    suite: str
    tasks: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    lifecycles: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "suite": self.suite,
            "tasks": self.tasks,
            "counts": self.counts,
            "lifecycles": dict(self.lifecycles.most_common()),
            "left_out": self.left_out,
        }


def init_suite(folder: Path) -> tuple[str, ...]:
    """Write a folder of tasks with one that is proven, to start from; the names of its files."""
    example = resources.files("libdrift.build").joinpath("example")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(f"{folder} already exists", "Choose a folder that is empty or new")
        return tuple(_copied(example, folder, ""))
    except OSError as error:
        raise UserError(
            f"cannot write {folder}: {error.strerror}", "Choose another folder"
        ) from error


def _copied(source: Traversable, target: Path, within: str) -> Iterator[str]:
    target.mkdir(parents=True, exist_ok=True)
    for one in sorted(source.iterdir(), key=lambda item: item.name):
        if one.name.startswith("__"):
            continue  # an interpreter's own: the programs may have been compiled
        name = f"{within}{one.name}"
        if one.is_dir():
            yield from _copied(one, target / one.name, f"{name}/")
        else:
            (target / one.name).write_bytes(one.read_bytes())
            yield name


def build_completion(
    package: str,
    versions: Sequence[str] = (),
    options: BuildOptions | None = None,
    only: Sequence[str] = (),
) -> BuiltFile:
    """One call to complete for every documented API of a package's releases, or of some.

    ``only`` are lifecycles: introduced, modified, deprecated, unchanged.
    """
    from libdrift.build.completion import SUITE, complete

    options = options or BuildOptions()
    lifecycles = _lifecycles(only)
    with open_history(options.store) as history:
        number = history.number(package)
        if number is None:
            from libdrift.history.store import not_mined

            raise not_mined(history, package)
        path = _place(options, f"{SUITE}-{package}.jsonl")
        asked = list(versions) or history.versions(number)
        built = complete(
            history, package, asked, only=lifecycles, limit=options.limit, seed=options.seed
        )
    title = f"Completion of {package} {', '.join(built.counts)}"
    return _concluded(_write(built.tasks, path, (f"{SUITE}-{package}", title)), built)


def build_migration(
    package: str, old: str, new: str, options: BuildOptions | None = None
) -> BuiltFile:
    """Pairs of the same functionality at two versions, from examples in docstrings."""
    from libdrift.build.migration import SUITE, migrations

    options = options or BuildOptions()
    with open_history(options.store) as history:
        path = _place(options, f"{SUITE}-{package}.jsonl")
        built = migrations(history, package, old, new)
    title = f"Migration of {package} between {old} and {new}"
    return _concluded(_write(built.tasks, path, (f"{SUITE}-{package}", title)), built)


def build_usage(
    repositories: Iterable[str | Path],
    levels: Sequence[str] = (),
    packages: Sequence[str] = (),
    options: BuildOptions | None = None,
    listener: Listener | None = None,
) -> BuiltFile:
    """Completions of calls that people wrote, from repositories that pin what they use."""
    from libdrift.build.repositories import Repository, find
    from libdrift.build.usage import SUITE, UsageOptions, usage

    options, listener = options or BuildOptions(), listener or Listener()
    found: list[Repository] = []
    for place in repositories:
        here = find(Path(place))
        for line in here.missing:
            listener.warn(line)
        found += here.repositories
    path = _place(options, f"{SUITE}.jsonl")
    wanted = UsageOptions(levels=_levels(levels), libraries=tuple(packages))
    with _known(options.store) as history, listener.counting("tasks") as advance:
        made = usage(found, wanted, history)

        def shown() -> Iterator[Task]:
            for task in made:
                advance()
                yield task

        title = f"Usage in {len(found):,} {'repository' if len(found) == 1 else 'repositories'}"
        written = _write(shown(), path, (SUITE, title))
    for note in made.notes:
        listener.warn(note)
    return _concluded(written, made.built)


def build_control(
    old: str,
    new: str,
    package: str = "rust",
    options: BuildOptions | None = None,
    listener: Listener | None = None,
) -> BuiltFile:
    """APIs of Rust, or a mined crate, that did not change between releases, and those that came."""
    from libdrift.build.control import SUITE, Window, control

    options = options or BuildOptions()
    name = f"{SUITE}-{package.replace(':', '-')}"
    path = _place(options, f"{name}.jsonl")
    runner = Runner(config.load(), options.running, listener or Listener())
    with open_history(options.store) as history, runner.open() as run_options:
        window = Window(package, old, new)
        built = control(history, window, run_options, limit=options.limit, seed=options.seed)
    title = f"Control of {package} from {old} to {new}"
    return _concluded(_write(built.tasks, path, (name, title)), built)


def _lifecycles(names: Sequence[str]) -> tuple[Lifecycle, ...]:
    from libdrift.build.lifecycles import Lifecycle

    unknown = [name for name in names if name not in set(Lifecycle)]
    if unknown:
        known = ", ".join(one.value for one in Lifecycle)
        raise UserError(f"no lifecycle {unknown[0]!r}", f"Known: {known}")
    return tuple(Lifecycle(name) for name in dict.fromkeys(names))


def _levels(names: Sequence[str]) -> tuple[Level, ...]:
    from libdrift.build.excerpts import Level

    unknown = [name for name in names if name not in set(Level)]
    if unknown:
        known = ", ".join(level.value for level in Level)
        raise UserError(f"no level {unknown[0]!r}", f"Known: {known}")
    return tuple(Level(name) for name in dict.fromkeys(names)) or tuple(Level)


@contextmanager
def _known(store: Path | None) -> Iterator[Store | None]:
    """The history, where there is one: it is of help here, not needed."""
    if store is None and not config.load().history.is_file():
        yield None
    else:
        with open_history(store) as history:
            yield history


def _place(options: BuildOptions, usual: str) -> Path:
    """Where tasks go, before any work is done for them."""
    path = options.out or Path(usual)
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}",
            f"Write it like --out tasks{task_files.ENDING}",
        )
    if path.exists() and not options.force:
        raise UserError(f"{path} already exists", "Choose another --out, or add --force")
    return path


def _write(tasks: Iterable[Task], path: Path, named: tuple[str, str]) -> BuiltFile:
    suite, title = named
    outcome = BuiltFile(path, suite)

    def counting() -> Iterator[Task]:
        for task in tasks:
            if task.facts.lifecycle:
                outcome.lifecycles[task.facts.lifecycle] += 1
            yield task

    outcome.tasks = task_files.write(path, suite, title, counting(), provenance())
    return outcome


def _concluded(outcome: BuiltFile, built: Built) -> BuiltFile:
    """The file with what became tasks, and what did not; that nothing did is an error."""
    outcome.counts = dict(built.counts)
    outcome.left_out = dict(sorted(built.left_out.items(), key=lambda item: -item[1]))
    if not outcome.tasks:
        first = list(outcome.left_out.items())[:3]
        reasons = "; ".join(f"{count} {why}" for why, count in first)
        raise UserError(
            f"no task could be made{f' ({reasons})' if reasons else ''}",
            "Choose other releases or repositories",
        )
    return outcome
