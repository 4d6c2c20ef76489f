"""Which releases of Rust, of crates and of the JDK are looked at, and drafts of tasks from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.build.live.compiled_ledger import PackageLedger
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history import versions
from libdrift.jobs.histories import history_file, mine, open_history
from libdrift.jobs.listening import Listener
from libdrift.records import Task
from libdrift.scoring import RunOptions

if TYPE_CHECKING:
    from libdrift.build.control import Window
    from libdrift.build.live.java_documents import JdkSources
    from libdrift.execution import Options
    from libdrift.mining import MiningOptions

RUST, JAVA = "rust", "java"
_TOP = 12  # crates beside the standard library, by default
_CHANGES = 12  # of one kind that are asked for, of a release of the JDK
MORE = 4  # drafts beyond the limit that are proven at once: some will not hold

Days = Mapping[str, date | None]  # of all releases of a package, when each came


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
    since_last: bool = False  # only releases that came after those of the run before
    name: str = ""  # of the suite
    out: Path | None = None
    force: bool = False
    store: Path | None = None
    running: RunOptions = field(default_factory=RunOptions)


# How to draft tasks; reasons are counted.
MakeDrafts = Callable[[Counter[str]], list[Task]]


@dataclass(frozen=True, slots=True)
class CompiledStep:
    """Two releases of a package, and how to draft tasks from them."""

    name: str  # the package and its releases
    drafts: MakeDrafts
    most: int = 0  # of the JDK: changes of one kind that are looked at


@dataclass(slots=True)
class CompiledPlan:
    """What there is to look at, and what is said on the way."""

    options: CompiledOptions
    run_options: Options
    ledger: PackageLedger
    listener: Listener
    troubles: list[str] = field(default_factory=list)  # packages that cannot be looked at
    vanished: list[str] = field(default_factory=list)  # releases that the index has no more

    def steps(self) -> Iterator[CompiledStep]:
        """Every step that is wanted, whether it is known already or not."""
        yield from self._of_rust() if self.options.language == RUST else self._of_jdk()

    def _of_rust(self) -> Iterator[CompiledStep]:
        families = families_of(self.options.families, list(rust_makers()))
        for package in _rust_packages(self.options):
            try:
                days = days_of(package)
                self._miss(package, days)
                window = self._window(package, days)
            except LibdriftError as error:
                self.troubles.append(f"{package}: {error}")
                self.listener.warn(f"{package}: {error}")
                continue
            if window is not None:
                yield CompiledStep(
                    f"{package} {window.old} → {window.new}",
                    partial(rust_drafts, window, days, families, self.options),
                )

    def _miss(self, package: str, days: Days) -> None:
        for version in sorted(self.ledger.versions(package) - days.keys()):
            line = f"{package} {version} is gone from the index"
            self.vanished.append(line)
            self.listener.warn(line)

    def _window(self, package: str, days: Days) -> Window | None:
        """From the last run's newest release on, where that is asked for; ``None`` if none came."""
        from libdrift.build.control import Window

        last = self.ledger.newest(package) if self.options.since_last else ""
        if not last:
            return window_of(package, days, self.options.after)
        newest = list(days)[-1]
        later = versions.order(newest) > versions.order(last)
        return Window(package, last, newest) if later and last in days else None

    def _of_jdk(self) -> Iterator[CompiledStep]:
        from libdrift.build.live import java_tasks
        from libdrift.build.live.java_documents import JdkSources

        options = self.options
        if any(name != java_tasks.PACKAGE for name in options.packages):
            raise UserError("Java tasks are built only from the JDK", "Leave out --package")
        families = families_of(options.families, JAVA_FAMILIES)
        days = days_of(java_tasks.PACKAGE)
        last = self.ledger.newest(java_tasks.PACKAGE) if options.since_last else ""
        steps = [pair for pair in pairwise(days) if (days[pair[1]] or date.min) >= options.after]
        if not steps:
            raise UserError(f"no JDK came after {options.after}", "Choose an earlier --after")
        self._miss(java_tasks.PACKAGE, days)
        sources = JdkSources()
        if not sources:
            self.listener.note(
                "no JDK on this machine has its sources, so replacements are unknown"
            )
        most = (options.limit or _CHANGES) + MORE
        for old, new in steps:
            if last and versions.order(new) <= versions.order(last):
                continue
            draft = partial(
                java_drafts, (old, new), sources, families, options, self.run_options, most
            )
            yield CompiledStep(f"{java_tasks.PACKAGE} {old} → {new}", draft, most)


def families_of(asked: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in asked:
        if name not in known:
            raise UserError(f"no family {name!r} here", f"Known: {', '.join(known)}")
    return [name for name in known if not asked or name in asked]


def _mining(wanted: Sequence[str], options: CompiledOptions) -> MiningOptions:
    from libdrift.mining import MiningOptions, Runtime

    workers = options.running.workers
    return MiningOptions(versions=tuple(wanted), runtime=Runtime.NEVER, workers=workers)


def days_of(package: str) -> dict[str, date | None]:
    """All usual releases of a package, the oldest first, and when each came."""
    from libdrift.mining import MiningOptions
    from libdrift.mining.sources import sources_of

    (source,) = sources_of([package], MiningOptions(), config.load())
    usual = [one.release for one in source.offers(package).releases if not one.pre | one.yanked]
    ordered = sorted(usual, key=lambda release: versions.order(release.version))
    return {release.version: release.date for release in ordered}


# --- Rust


def rust_makers() -> dict[str, Callable[..., list[Task]]]:
    from libdrift.build.live import rust_tasks

    return {"generate": rust_tasks.generated, "migrate": rust_tasks.migrated}


def rust_drafts(
    window: Window,
    days: Days,
    families: Sequence[str],
    options: CompiledOptions,
    left_out: Counter[str],
) -> list[Task]:
    place = history_file(options.store)
    told = mine([window.package], _mining((window.old, window.new), options), place)
    for event in told.failed:
        kind = InfrastructureError if event.transient else UserError
        raise kind(f"{event.release} cannot be read: {event.reason}")
    makers = rust_makers()
    with open_history(place) as history:
        return [task for name in families for task in makers[name](history, window, days, left_out)]


def _rust_packages(options: CompiledOptions) -> list[str]:
    if options.packages and options.top:
        raise UserError("both packages and --top are given", "Name packages, or --top N")
    for name in options.packages:
        if name != "rust" and not name.startswith("crate:"):
            raise UserError(f"{name} is not a Rust package", f"Write rust, or crate:{name}")
    if options.packages:
        return list(dict.fromkeys(options.packages))
    file = resources.files("libdrift.build.live").joinpath("crates.txt")
    names = file.read_text("utf-8").split()[: options.top or _TOP]
    return ["rust", *(f"crate:{name}" for name in names)]


def window_of(package: str, days: Days, after: date) -> Window:
    """The last release before a day, and the newest; where none is older, the first."""
    from libdrift.build.control import Window

    older = [version for version, day in days.items() if day is not None and day < after]
    newer = [version for version, day in days.items() if day is not None and day >= after]
    if not newer or len(older) + len(newer) < 2:  # noqa: PLR2004
        raise UserError(f"it has no release after {after}", "Choose an earlier --after")
    return Window(package, older[-1] if older else newer[0], newer[-1])


# --- Java

JAVA_FAMILIES = ("locate", "explain", "migrate")


def java_drafts(
    step: tuple[str, str],
    sources: JdkSources,
    families: Sequence[str],
    options: CompiledOptions,
    run_options: Options,
    most: int,
    left_out: Counter[str],
) -> list[Task]:
    from libdrift.build.live import java_tasks
    from libdrift.build.live.java_changes import JdkStep

    place = history_file(options.store)
    mine([java_tasks.PACKAGE], _mining(step, options), place)
    with open_history(place) as history:
        pair = JdkStep(*(history.surface(java_tasks.PACKAGE, one) for one in step))
    made = java_tasks.drafts(pair, run_options, sources, left_out, most)
    return [task for task in made if str(task.kind) in families]
