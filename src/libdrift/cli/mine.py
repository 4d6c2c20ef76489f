"""``libdrift mine``: releases of packages into the history."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libdrift.cli import common
from libdrift.cli.mine_sources import STANDARD, check_prefix, source_of

if TYPE_CHECKING:
    from datetime import date

    from packaging.version import Version

    from libdrift.config import Settings
    from libdrift.history.mining import Event, Failed, Missing, Options, Probe
    from libdrift.history.store import Store

_SHOWN = 5  # odd file names of a package
_FIRST_YEAR = 1990  # a lower number is a version


def mine(
    packages: Annotated[
        list[str],
        typer.Argument(
            help="Packages of the index; crate:NAME and maven:GROUP:ARTIFACT of other registries;"
            " python, rust and jdk: the standard libraries found on this machine."
        ),
    ],
    since: Annotated[
        str | None,
        typer.Option(help="Only releases from this date (2021-01-01), year or version on."),
    ] = None,
    versions: Annotated[
        str | None, typer.Option(help="Only these, with commas: 1.26.4,2.0.2.")
    ] = None,
    all_minor: Annotated[
        bool, typer.Option("--all-minor", help="Only the last release of every minor series.")
    ] = False,
    pre: Annotated[bool, typer.Option("--pre", help="Pre-releases too.")] = False,
    yanked: Annotated[bool, typer.Option("--yanked", help="Yanked releases too.")] = False,
    runtime: Annotated[
        str,
        typer.Option(
            help="Import releases too, in the sandbox: auto (where reading has gaps, the newest"
            " of each minor series), never, always."
        ),
    ] = "auto",
    workers: Annotated[
        int,
        typer.Option("--workers", "-j", min=1, show_default="one a core", help="Parallel workers."),
    ] = os.cpu_count() or 1,
    store: Annotated[Path | None, typer.Option(help="The history file.")] = None,
    as_json: common.JsonOption = False,
) -> None:
    """Read releases from the package index into the history; only new ones are read."""
    from libdrift.history.store import Store

    settings = common.settings()
    named = [_checked(package) for package in packages]
    options = _options(
        since, versions, runtime, all_minor=all_minor, pre=pre, yanked=yanked, workers=workers
    )
    path = store.expanduser() if store else settings.history
    tally = _Tally()
    with Store.open(path) as history:
        for event in _events(named, options, history, settings):
            tally.take(event)
    tally.notes += [_why_nothing(package, options) for package in tally.empty]
    tally.tell()
    if as_json:
        common.print_json({"store": str(path), **tally.as_json()})
    else:
        tally.show()
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _checked(package: str) -> str:
    from libdrift.errors import UserError

    if "://" in package:
        raise UserError(
            f"{package} is an address, and packages are mined by name",
            "Write the name alone; indexes are those that pip and uv are told of",
        )
    if check_prefix(package):
        return package
    name, mark, version = package.partition("==")
    if mark:
        raise UserError(
            f"{package!r} is no name", f"Run: libdrift mine {name} --versions {version}"
        )
    if not re.fullmatch(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?", package, re.ASCII):
        raise UserError(f"{package!r} is no name of a package", "Write it as pip takes it")
    return package


def _options(
    since: str | None,
    versions: str | None,
    runtime: str,
    **choices: Any,  # noqa: ANN401  (as they are in Options)
) -> Options:
    from libdrift.errors import UserError
    from libdrift.history.mining import Options, Runtime

    if runtime not in set(Runtime):
        raise UserError(f"--runtime {runtime!r} is unknown", f"One of: {', '.join(Runtime)}")
    named = tuple(part.strip() for part in (versions or "").split(",") if part.strip())
    if versions is not None and not named:
        raise UserError("--versions names no version", "Write --versions 1.26.4,2.0.2")
    if named and (since is not None or choices["all_minor"]):
        raise UserError(
            "--versions says exactly which releases", "Leave out --since and --all-minor"
        )
    start = None if since is None else _start(since)
    return Options(start, named, runtime=Runtime(runtime), **choices)


def _start(since: str) -> date | Version:
    from datetime import date

    from packaging.version import InvalidVersion, Version

    from libdrift.errors import UserError

    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", since):
            return date.fromisoformat(since)
        if re.fullmatch(r"\d{4}", since) and int(since) >= _FIRST_YEAR:
            return date(int(since), 1, 1)
        return Version(since)
    except (ValueError, InvalidVersion) as error:
        raise UserError(
            f"--since {since!r} is neither a date nor a version", "Write 2021-01-01 or 1.26"
        ) from error


def _why_nothing(package: str, options: Options) -> str:
    """Why not one release of a package that is there was chosen."""
    from libdrift.languages.python.index import Index

    since = f" since {options.since}" if options.since else ""
    if package in STANDARD:
        return f"{package}: no release{since} on this machine"
    if ":" in package:
        return f"{package}: no release{since} but pre-releases or yanked ones (--pre, --yanked)"
    listings = Index.configured(os.environ).releases(package)
    usual = [item for item in listings if not item.prerelease and not item.yanked]
    if usual:
        release = max(usual, key=lambda item: item.version).release
        date = f" ({release.date})" if release.date else ""
        return f"{package}: no release{since}; the newest is {release.version}{date}"
    if listings:
        return f"{package}: all releases are pre-releases or yanked (--pre, --yanked)"
    return f"{package}: no releases"


def _events(
    packages: list[str], options: Options, history: Store, settings: Settings
) -> Iterator[Event]:
    """Everything that happens, with a bar for it on stderr."""
    from libdrift.history.mining import Listed, Missing
    from libdrift.history.sources import mine as mine_source

    sources = {package: source_of(package, settings) for package in packages}
    own = [package for package, source in sources.items() if source is None]
    with common.progress_bar() as bar:
        line = bar.add_task("releases", total=None, note="")
        total = 0

        def shown(events: Iterator[Event]) -> Iterator[Event]:
            nonlocal total
            for event in events:
                if isinstance(event, Listed):
                    total += event.new
                    bar.update(line, total=total, note=event.package)
                elif not isinstance(event, Missing):
                    bar.update(line, advance=1, note=str(event.release))
                yield event

        if own:
            yield from shown(_packages(own, options, history, settings))
        for source in filter(None, sources.values()):
            yield from shown(mine_source(source, options, history))


def _packages(
    packages: list[str], options: Options, history: Store, settings: Settings
) -> Iterator[Event]:
    from dataclasses import replace

    from libdrift.environments import discover
    from libdrift.history.mining import mine
    from libdrift.languages.python.index import Index

    probe = _prober(options, settings)
    if probe is not None:
        options = replace(options, pythons=tuple(item.minor for item in discover()))
    index = Index.configured(os.environ)
    yield from mine(packages, options, history, index, settings.cache / "mining", probe=probe)


def _prober(options: Options, settings: Settings) -> Probe | None:
    from libdrift.errors import LibdriftError
    from libdrift.history.mining import Runtime

    if options.runtime is Runtime.NEVER:
        return None
    from libdrift.execution.probing import Prober
    from libdrift.sandbox import choose

    try:
        return Prober(settings, choose("bubblewrap", settings))
    except LibdriftError as error:
        if options.runtime is Runtime.ALWAYS:
            raise
        common.warn(f"releases are read but not imported: {error}")
        return None


@dataclass(slots=True)
class _Tally:
    """What came of each package."""

    packages: dict[str, None] = field(default_factory=dict)
    new: Counter[str] = field(default_factory=Counter)
    present: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    failed: list[Failed] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)  # none of their releases was chosen
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take(self, event: Event) -> None:
        from libdrift.cli.history import counted
        from libdrift.history.mining import Failed, Listed, Mined, Missing

        match event:
            case Listed():
                self.packages[event.package] = None
                self.present[event.package] += event.present
                if not (event.new or event.present or event.problems):
                    self.empty.append(event.package)
                self.problems += event.problems
                if event.skipped:
                    names = ", ".join(event.skipped[:_SHOWN])
                    more = ", …" if len(event.skipped) > _SHOWN else ""
                    count = counted(len(event.skipped), "name")
                    self.notes.append(f"{event.package}: no version in {count}: {names}{more}")
            case Missing():
                self.missing.append(event)
            case Mined():
                self.new[event.release.package] += 1
                self.incomplete[event.release.package] += not event.complete
                self.notes += [f"{event.release} {note}" for note in event.notes]
            case Failed():
                self.failed.append(event)

    @property
    def exit_code(self) -> int:
        from libdrift.errors import UserError

        if self.problems or any(isinstance(event.error, UserError) for event in self.missing):
            return UserError.exit_code
        # An archive that is broken for good is told, but is no reason to fail every later run.
        read = self.new.total() + self.present.total()
        passing = any(event.passing for event in self.failed)
        return 3 if self.missing or passing or (self.failed and not read) else 0

    def tell(self) -> None:
        """What did not go well, a line each."""
        for line in self.notes:
            common.note(line)
        for event in self.failed:
            common.warn(f"{event.release} is not mined: {event.reason}")
        for line in [*(str(event.error) for event in self.missing), *self.problems]:
            common.note(f"libdrift: {line}")

    def show(self) -> None:
        from rich.table import Table

        if not self.packages:
            return
        table = Table("package", box=None, pad_edge=False)
        for title in ("new", "already there", "failed", "incomplete"):
            table.add_column(title, justify="right")
        failed = Counter(event.release.package for event in self.failed)
        for package in self.packages:
            counts = (self.new, self.present, failed, self.incomplete)
            table.add_row(package, *(str(count[package]) for count in counts))
        common.stdout().print(table)

    def as_json(self) -> dict[str, Any]:
        return {
            "packages": [
                {
                    "package": package,
                    "new": self.new[package],
                    "present": self.present[package],
                    "incomplete": self.incomplete[package],
                    "failed": [
                        {"version": event.release.version, "reason": event.reason}
                        for event in self.failed
                        if event.release.package == package
                    ],
                }
                for package in self.packages
            ],
            "problems": [*(str(event.error) for event in self.missing), *self.problems],
        }
