"""Proven tasks from releases of Rust, of crates and of the JDK, without a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from libdrift import config
from libdrift.build.live.compiled_ledger import PackageLedger, PackageTasks
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
    from libdrift.build.live.java_documents import JdkSources
    from libdrift.execution import Options
    from libdrift.mining import MiningOptions

RUST, JAVA = "rust", "java"
LANGUAGES = (RUST, JAVA)
_TOP = 12  # crates beside the standard library, by default
_CHANGES = 12  # of one kind that are asked for, of a release of the JDK
_ROUNDS = 3  # of proving, where there is a limit: of what seldom holds, not all is tried
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
        known = ", ".join(("python", *LANGUAGES))  # python has a job of its own
        raise UserError(f"no language {options.language!r}", f"Known are {known}")
    path = options.out or Path(f"live-{options.language}{task_files.ENDING}")
    _check(path, options)
    started = time.monotonic()
    result = CompiledFile(path, options.name or f"live-{options.language}")
    ledger = PackageLedger(path, f"{sorted(options.families)} {options.limit} {options.seed}")
    if options.force and path.exists():
        ledger.forget()
    tasks: list[Task] = []
    with Runner(config.load(), options.running, listener).open() as run_options:
        for step, draft in _drafted(options, run_options, result, listener):
            row = ledger.get(step)
            try:
                row = row or _proven(step, draft, options, run_options, ledger)
            except LibdriftError as error:
                result.troubles.append(f"{step}: {error}")
                listener.warn(f"{step}: {error}")
                continue
            listener.note(f"{step}: {len(row.tasks)} of {sum(row.drafts.values())} drafts hold")
            tasks += row.tasks
            result.drafts.update(row.drafts)
            result.dropped.update(row.dropped)
            result.left_out.update(row.left_out)
    if not tasks:
        reasons = [*result.troubles[:3], *(f"{n} {why}" for why, n in result.dropped.items())]
        raise UserError(
            "no task could be proven" + (f" ({'; '.join(reasons[:4])})" if reasons else ""),
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


# The package and its releases, and how to draft tasks from them; reasons are counted.
_Drafted = tuple[str, Callable[[Counter[str]], list[Task]]]


def _drafted(
    options: CompiledOptions, run_options: Options, result: CompiledFile, listener: Listener
) -> Iterator[_Drafted]:
    if options.language == RUST:
        yield from _of_rust(options, result, listener)
    else:
        yield from _of_jdk(options, run_options, listener)


def _proven(
    step: str,
    draft: Callable[[Counter[str]], list[Task]],
    options: CompiledOptions,
    run_options: Options,
    ledger: PackageLedger,
) -> PackageTasks:
    """The drafts that hold; of each family as many as are wanted, which the seed decides on."""
    from libdrift.build.live.compiled import MACHINE, origin, prove
    from libdrift.build.live.compiled_proofs import trials

    left_out: Counter[str] = Counter()
    drafts = draft(left_out)
    dropped: Counter[str] = Counter()
    kept: list[Task] = []
    families = Counter(str(origin(task)["family"]) for task in drafts)
    for family in families:
        mine = [task for task in drafts if origin(task)["family"] == family]
        mine.sort(key=lambda task: task.id)
        Random(f"{options.seed} {family}").shuffle(mine)  # noqa: S311
        held: list[Task] = []
        size = options.limit + _MORE if options.limit else max(1, len(mine))
        for at in range(0, len(mine), size):
            if options.limit and (len(held) >= options.limit or at >= _ROUNDS * size):
                dropped["over the limit"] += len(mine) - at
                break
            found = prove(mine[at : at + size], trials, run_options)
            held += found.tasks
            for gate, count in found.dropped.items():
                dropped[f"{family}: {gate}"] += count
        if options.limit and len(held) > options.limit:
            dropped["over the limit"] += len(held) - options.limit
        kept += held[: options.limit]
    counts = (dict(one) for one in (families, dropped, left_out))
    row = PackageTasks(step, ledger.wanted, tuple(kept), *counts)
    if not any(MACHINE in gate for gate in dropped):  # else it is worth another try
        ledger.add(row)
    return row


# --- Rust


def _of_rust(
    options: CompiledOptions, result: CompiledFile, listener: Listener
) -> Iterator[_Drafted]:
    from libdrift.build.live import rust_tasks

    makers = {"generate": rust_tasks.generated, "migrate": rust_tasks.migrated}
    wanted = _families(options.families, list(makers))
    for package in _rust_packages(options):
        try:
            days = _days(package)
            window = _window(package, days, options.after)
            yield (
                f"{package} {window.old} → {window.new}",
                partial(_rust_drafts, window, days, [makers[name] for name in wanted], options),
            )
        except LibdriftError as error:
            result.troubles.append(f"{package}: {error}")
            listener.warn(f"{package}: {error}")


def _rust_drafts(
    window: Window,
    days: Mapping[str, date | None],
    makers: Sequence[Callable[..., list[Task]]],
    options: CompiledOptions,
    left_out: Counter[str],
) -> list[Task]:
    place = history_file(options.store)
    mine([window.package], _mining((window.old, window.new), options), place)
    with open_history(place) as history:
        return [task for make in makers for task in make(history, window, days, left_out)]


def _families(asked: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in asked:
        if name not in known:
            raise UserError(f"no family {name!r} here", f"Known are {', '.join(known)}")
    return [name for name in known if not asked or name in asked]


def _rust_packages(options: CompiledOptions) -> list[str]:
    if options.packages and options.top:
        raise UserError("both packages and --top are given", "Name packages, or --top N")
    for name in options.packages:
        if name != "rust" and not name.startswith("crate:"):
            raise UserError(f"{name} is no package of Rust", f"Write rust, or crate:{name}")
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
    options: CompiledOptions, run_options: Options, listener: Listener
) -> Iterator[_Drafted]:
    from libdrift.build.live import java_tasks
    from libdrift.build.live.java_documents import JdkSources

    if any(name != java_tasks.PACKAGE for name in options.packages):
        raise UserError("of Java there is the JDK", "Leave out --package")
    wanted = _families(options.families, ("locate", "explain", "migrate"))
    days = _days(java_tasks.PACKAGE)
    steps = [(old, new) for old, new in pairwise(days) if (days[new] or date.min) >= options.after]
    if not steps:
        raise UserError(f"no JDK came after {options.after}", "Choose an earlier --after")
    sources = JdkSources()
    if not sources:
        listener.note("no JDK here ships its sources: nothing tells what to use instead")
    for step in steps:
        yield (
            f"jdk {step[0]} → {step[1]}",
            partial(_java_drafts, step, sources, wanted, options, run_options),
        )


def _java_drafts(
    step: tuple[str, str],
    sources: JdkSources,
    families: Sequence[str],
    options: CompiledOptions,
    run_options: Options,
    left_out: Counter[str],
) -> list[Task]:
    from libdrift.build.live import java_tasks
    from libdrift.build.live.java_changes import JdkStep

    place = history_file(options.store)
    mine([java_tasks.PACKAGE], _mining(step, options), place)
    with open_history(place) as history:
        pair = JdkStep(*(history.surface(java_tasks.PACKAGE, one) for one in step))
    most = (options.limit or _CHANGES) + _MORE
    made = java_tasks.drafts(pair, run_options, sources, left_out, most)
    return [task for task in made if str(task.kind) in families]
