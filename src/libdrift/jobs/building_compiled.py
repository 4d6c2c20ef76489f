"""Proven tasks from releases of Rust, of crates and of the JDK, without a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.errors import LibdriftError, UserError
from libdrift.execution.runs import provenance
from libdrift.history import versions
from libdrift.jobs.histories import history_file, mine, open_history
from libdrift.jobs.listening import Listener
from libdrift.records import Task
from libdrift.scoring import Runner, RunOptions
from libdrift.suites import task_files

if TYPE_CHECKING:
    from libdrift.build.control import Window
    from libdrift.build.live.compiled import Trials
    from libdrift.execution import Options
    from libdrift.mining import MiningOptions
    from libdrift.records import Surface

RUST, JAVA = "rust", "java"
LANGUAGES = (RUST, JAVA)
_TOP = 12  # crates beside the standard library, by default
_CHANGES = 12  # of one kind that are asked for, of a release of the JDK
_MORE = 4  # drafts beyond the limit that are proven at once: some will not hold


@dataclass(frozen=True, slots=True)
class CompiledOptions:
    """Which releases tasks are made from, and where they go."""

    language: str
    after: date  # what a release before it brought or changed is left alone
    packages: Sequence[str] = ()  # of Rust: `rust` and `crate:NAME`; by default some of them
    top: int | None = None  # so many of the crates that libdrift knows as popular
    families: Sequence[str] = ()  # by default all
    limit: int | None = None  # tasks of one package and family; of the JDK, of one release
    seed: int = 0  # decides which ones a limit takes
    name: str = ""  # of the suite
    out: Path | None = None
    force: bool = False
    store: Path | None = None
    running: RunOptions = field(default_factory=RunOptions)


@dataclass(slots=True)
class CompiledFile:
    """A file of proven tasks: how many there are of what, and why others are none."""

    path: Path
    suite: str
    tasks: int = 0
    families: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)
    drafts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)  # drafts, by gate
    left_out: Counter[str] = field(default_factory=Counter)  # what became no draft
    troubles: list[str] = field(default_factory=list)  # packages that could not be looked at
    hash: str = ""  # of all tasks: the same releases give the same one
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "suite": self.suite,
            "tasks": self.tasks,
            "families": dict(self.families),
            "packages": dict(self.packages),
            "drafts": dict(self.drafts),
            "dropped": dict(self.dropped.most_common()),
            "left_out": dict(self.left_out.most_common()),
            "troubles": self.troubles,
            "hash": self.hash,
            "seconds": round(self.seconds, 1),
        }


def build_compiled(options: CompiledOptions, listener: Listener | None = None) -> CompiledFile:
    """Tasks from releases after a date, each proven by compiling and running it in both."""
    from libdrift.build.live.compiled import content_hash, origin

    listener = listener or Listener()
    if options.language not in LANGUAGES:
        raise UserError(f"no language {options.language!r}", f"Known are {', '.join(LANGUAGES)}")
    path = options.out or Path(f"live-{options.language}{task_files.ENDING}")
    _check(path, options)
    started = time.monotonic()
    result = CompiledFile(path, options.name or f"live-{options.language}")
    tasks: list[Task] = []
    with Runner(config.load(), options.running, listener).open() as run_options:
        for package, drafts, trials in _drafted(options, run_options, result, listener):
            proven = _proven(drafts, trials, options, run_options, result)
            listener.note(f"{package}: {len(proven)} of {len(drafts)} drafts hold")
            tasks += proven
    if not tasks:
        reasons = [*result.troubles[:3], *(f"{n} {why}" for why, n in result.dropped.items())]
        raise UserError(
            f"no task could be proven ({'; '.join(reasons[:4])})",
            "Choose other packages, or an earlier --after",
        )
    tasks = sorted(_named(tasks, result.suite), key=lambda task: task.id)
    result.families.update(str(origin(task)["family"]) for task in tasks)
    result.packages.update(task.facts.library for task in tasks)
    result.hash = content_hash(tasks)
    title = f"Proven tasks of {options.language} after {options.after}"
    result.tasks = task_files.write(path, result.suite, title, tasks, provenance())
    result.seconds = time.monotonic() - started
    return result


def _check(path: Path, options: CompiledOptions) -> None:
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}", "Write it like --out a.jsonl"
        )
    if path.exists() and not options.force:
        raise UserError(f"{path} is there already", "Choose another --out, or add --force")


def _named(tasks: Sequence[Task], suite: str) -> list[Task]:
    from dataclasses import replace

    return [replace(task, suite=suite) for task in tasks]


_Drafted = tuple[str, list[Task], "Trials"]


def _drafted(
    options: CompiledOptions, run_options: Options, result: CompiledFile, listener: Listener
) -> Iterator[_Drafted]:
    """The drafts of one package after the other, and how they are proven."""
    if options.language == RUST:
        yield from _of_rust(options, result, listener)
    else:
        yield from _of_jdk(options, run_options, result, listener)


def _proven(
    drafts: Sequence[Task],
    trials: Trials,
    options: CompiledOptions,
    run_options: Options,
    result: CompiledFile,
) -> list[Task]:
    """The drafts that hold; of each family as many as are wanted, which the seed decides on."""
    from libdrift.build.live.compiled import origin, prove

    kept: list[Task] = []
    families = dict.fromkeys(str(origin(task)["family"]) for task in drafts)
    for family in families:
        mine = [task for task in drafts if origin(task)["family"] == family]
        mine.sort(key=lambda task: task.id)
        Random(f"{options.seed} {family}").shuffle(mine)  # noqa: S311
        result.drafts[family] += len(mine)
        held: list[Task] = []
        size = options.limit + _MORE if options.limit else max(1, len(mine))
        for at in range(0, len(mine), size):
            if options.limit and len(held) >= options.limit:
                result.dropped["over the limit"] += len(mine) - at
                break
            found = prove(mine[at : at + size], trials, run_options)
            held += found.tasks
            for gate, count in found.dropped.items():
                result.dropped[f"{family}: {gate}"] += count
        if options.limit and len(held) > options.limit:
            result.dropped["over the limit"] += len(held) - options.limit
        kept += held[: options.limit]
    return kept


# --- Rust


def _of_rust(
    options: CompiledOptions, result: CompiledFile, listener: Listener
) -> Iterator[_Drafted]:
    from libdrift.build.live import rust_tasks

    makers = {"generate": rust_tasks.generated, "migrate": rust_tasks.migrated}
    wanted = _families(options.families, list(makers))
    place = history_file(options.store)
    for package in _rust_packages(options):
        try:
            days = _days(package)
            window = _window(package, days, options.after)
            mine([package], _mining((window.old, window.new), options), place)
            with open_history(place) as history:
                drafts = [
                    task
                    for name in wanted
                    for task in makers[name](history, window, days, result.left_out)
                ]
        except LibdriftError as error:
            result.troubles.append(f"{package}: {error}")
            listener.warn(f"{package}: {error}")
            continue
        yield f"{package} {window.old} → {window.new}", drafts, rust_tasks.trials


def _families(asked: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in asked:
        if name not in known:
            raise UserError(f"no family {name!r} here", f"Known are {', '.join(known)}")
    return [name for name in known if not asked or name in asked]


def _rust_packages(options: CompiledOptions) -> list[str]:
    if options.packages and options.top:
        raise UserError("both packages and --top are given", "Name packages, or --top N")
    if options.packages:
        return list(dict.fromkeys(options.packages))
    file = resources.files("libdrift.build.live").joinpath("crates.txt")
    names = file.read_text("utf-8").split()[: options.top or _TOP]
    return ["rust", *(f"crate:{name}" for name in names)]


def _mining(wanted: Sequence[str], options: CompiledOptions) -> MiningOptions:
    from libdrift.mining import MiningOptions, Runtime

    workers = options.running.workers
    return MiningOptions(versions=tuple(wanted), runtime=Runtime.NEVER, workers=workers)


def _days(package: str) -> dict[str, date | None]:
    """All usual releases of a package, the oldest first, and when each came."""
    from libdrift.mining import MiningOptions
    from libdrift.mining.sources import sources_of

    (source,) = sources_of([package], MiningOptions(), config.load())
    usual = [one.release for one in source.offers(package).releases if not one.pre | one.yanked]
    ordered = sorted(usual, key=lambda release: versions.order(release.version))
    return {release.version: release.date for release in ordered}


def _window(package: str, days: Mapping[str, date | None], after: date) -> Window:
    """The last release before a day, and the newest; where none is older, the first."""
    from libdrift.build.control import Window

    older = [version for version, day in days.items() if day is not None and day < after]
    newer = [version for version, day in days.items() if day is not None and day >= after]
    if not newer or len(older) + len(newer) < 2:  # noqa: PLR2004
        raise UserError(f"it has no release after {after}", "Choose an earlier --after")
    return Window(package, older[-1] if older else newer[0], newer[-1])


# --- Java


def _of_jdk(
    options: CompiledOptions, run_options: Options, result: CompiledFile, listener: Listener
) -> Iterator[_Drafted]:
    from libdrift.build.live import java_proofs, java_tasks
    from libdrift.build.live.java_changes import JdkStep
    from libdrift.build.live.java_documents import JdkSources

    if any(name != java_tasks.PACKAGE for name in options.packages):
        raise UserError("of Java there is the JDK", "Leave out --package")
    wanted = _families(options.families, ("locate", "explain", "migrate"))
    days = _days(java_tasks.PACKAGE)
    steps = [(old, new) for old, new in pairwise(days) if (days[new] or date.min) >= options.after]
    if not steps:
        raise UserError(
            f"no release of the JDK came after {options.after}", "Choose an earlier day"
        )
    place = history_file(options.store)
    mine(["jdk"], _mining(tuple(dict.fromkeys(v for pair in steps for v in pair)), options), place)
    sources = JdkSources()
    if not sources:
        listener.note("no JDK here ships its sources: nothing tells what to use instead")
    with open_history(place) as history:
        known: dict[str, Surface] = {}
        most = (options.limit or _CHANGES) + _MORE
        for old, new in steps:
            for one in (old, new):
                known[one] = known.get(one) or history.surface(java_tasks.PACKAGE, one)
            pair = JdkStep(known.pop(old), known[new])
            made = java_tasks.drafts(pair, run_options, sources, result.left_out, most)
            drafts = [task for task in made if str(task.kind) in wanted]
            yield f"jdk {old} → {new}", drafts, java_proofs.trials
