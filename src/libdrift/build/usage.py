"""The realistic scenario, from repositories with pinned requirements.

Rebuilt after LibEvolutionEval's realistic examples and VersiCode's downstream ones: calls of the
pinned libraries in code that people wrote, one API a line, no API twice from one file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from libdrift.build import filters, pages, pins, repositories, uses
from libdrift.build.excerpts import Cut, Cutter, Level
from libdrift.build.filters import Rejection
from libdrift.build.lifecycles import CHANGES
from libdrift.build.pins import Libraries
from libdrift.build.releases import MinedReleases, ReleaseAt
from libdrift.build.repositories import Repository
from libdrift.build.results import Built
from libdrift.build.uses import Access, CallUse, FileUses
from libdrift.history.store import Store
from libdrift.languages.python.usage import imports_any
from libdrift.records import Environment, Facts, Gap, Task, TaskKind

SUITE = "usage"

# Why uses are left out, as they are counted.
CROWDED = "use: shares its lines with another of the library"
REPEATED = "use: same API as an earlier one of the file"
FOREIGN = "file: imports no pinned library"
UNPINNED = "repository: pins no exact version"


@dataclass(frozen=True, slots=True)
class UsageOptions:
    levels: tuple[Level, ...] = tuple(Level)
    libraries: tuple[str, ...] = ()  # only these of the pinned ones
    python: str = "3.11"  # that conditions of requirements are read for


def usage(
    found: Sequence[Repository], options: UsageOptions | None = None, store: Store | None = None
) -> Usage:
    return Usage(found, options or UsageOptions(), store)


class Usage:
    """Tasks as they are made, no more than a file's in memory; then what was left out."""

    def __init__(
        self, found: Sequence[Repository], options: UsageOptions, store: Store | None
    ) -> None:
        self._repositories = _distinct(found)
        self._options = options
        self._store = store
        self._releases = MinedReleases(store)
        self._left_out: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self.notes: list[str] = []  # repositories that gave nothing: which, why and the fix

    @property
    def built(self) -> Built:
        """The counts so far; the tasks have been handed out."""
        left_out = {str(reason): count for reason, count in sorted(self._left_out.items()) if count}
        return Built((), MappingProxyType(left_out), MappingProxyType(dict(self._counts)))

    def __iter__(self) -> Iterator[Task]:
        for repository in self._repositories:
            self._counts["repositories"] += 1
            yield from self._repository(repository)

    def _repository(self, repository: Repository) -> Iterator[Task]:
        read = pins.read(repository.folder, self._options.python)
        self._left_out.update(read.problems)
        wanted = {pins.canonical(name) for name in self._options.libraries}
        versions = {
            name: version for name, version in read.versions.items() if not wanted or name in wanted
        }
        if not versions:
            self._left_out[UNPINNED] += 1
            what = f" of {', '.join(sorted(wanted))}" if wanted else ""
            self.notes.append(
                f"{repository.name} pins no exact version{what}. "
                "Add a requirements.txt with lines such as numpy==1.26.4"
            )
            return
        libraries = Libraries(versions, self._store)
        for name, path in repositories.sources(repository):
            self._counts["files"] += 1
            yield from self._file(f"{repository.name}/{name}", path, libraries)

    def _file(self, name: str, path: Path, libraries: Libraries) -> Iterator[Task]:
        source = filters.read(path)
        if isinstance(source, Rejection):
            self._left_out[source] += 1
            return
        if not imports_any(source.tree, libraries):
            self._left_out[FOREIGN] += 1
            return
        page = pages.read(source.text)
        if isinstance(page, Rejection):
            self._left_out[page] += 1
            return
        try:
            found = uses.find(page.tree, libraries, lambda lib: self._release(lib, libraries))
        except RecursionError:
            self._left_out[Rejection.DEEP] += 1
            return
        self._left_out.update(found.left_out)
        chosen = list(self._chosen(found))
        self._counts["files with uses"] += bool(chosen)
        cutter = Cutter(page)
        numbers: Counter[int] = Counter()
        for use in chosen:
            line = page.numbers[use.name_line - 1]
            numbers[line] += 1  # another library's, in the same line
            again = f"~{numbers[line]}" if numbers[line] > 1 else ""
            yield from self._tasks(f"{name}:{line}{again}", use, found, cutter, libraries)

    def _release(self, library: str, libraries: Libraries) -> ReleaseAt | None:
        return self._releases.get(library, libraries.versions[library])

    def _chosen(self, found: FileUses) -> Iterator[CallUse]:
        """One API a line, and none twice. A value's unknown class is no new API."""
        lines = Counter((use.library, use.name_line) for use in found.uses)
        seen: set[tuple[str, str]] = set()
        for use in found.uses:
            over = range(use.line, use.end_line + 1)
            member = (use.library, f".{use.token}")
            key = (use.library, use.symbol) if use.is_resolved else member
            if sum(lines[use.library, line] for line in over) > 1:
                self._left_out[CROWDED] += 1
            elif key in seen:
                self._left_out[REPEATED] += 1
            else:
                seen |= {key, member} if use.access is Access.INDIRECT else {key}
                self._counts["uses"] += 1
                yield use

    def _tasks(
        self, place: str, use: CallUse, found: FileUses, cutter: Cutter, libraries: Libraries
    ) -> Iterator[Task]:
        aliases = found.aliases.get(use.library, ())
        version = libraries.versions[use.library]
        release = self._release(use.library, libraries)
        for level in self._options.levels:
            cut = cutter.cut(use, aliases, level)
            if isinstance(cut, str):
                self._left_out[cut] += 1
                continue
            self._counts[f"{level} tasks"] += 1
            yield _task(f"{place}:{level}", use, version, release, (cut, level, aliases))


def _distinct(found: Sequence[Repository]) -> list[Repository]:
    """Each folder once, and each name: ids of tasks begin with it."""
    folders = {item.folder.resolve(): item for item in reversed(found)}
    names: Counter[str] = Counter()
    kept = []
    for item in reversed(folders.values()):
        names[item.name] += 1
        again = f"~{names[item.name]}" if names[item.name] > 1 else ""
        kept.append(Repository(f"{item.name}{again}", item.folder))
    return kept


def _task(
    name: str,
    use: CallUse,
    version: str,
    release: ReleaseAt | None,
    made: tuple[Cut, Level, Sequence[str]],
) -> Task:
    cut, level, aliases = made
    lifecycle = release.lifecycle(use.symbol) if release and use.is_resolved else None
    return Task(
        id=name,
        suite=SUITE,
        kind=TaskKind.COMPLETE,
        language="python",
        environment=_environment(use.library, version),
        title=f"{use.library} {version} · {name}",
        problem=cut.description,
        starter=cut.starter,
        reference=cut.reference,
        tests=(),
        facts=Facts(
            library=use.library,
            version=version,
            release_date=release.date if release else None,
            change=CHANGES.get(lifecycle) if lifecycle else None,
            symbol=use.symbol,
            granularity=level.value,
            source="downstream_application_code",
            scenario="realistic",
            access=use.access.value,
            lifecycle=lifecycle and lifecycle.value,
        ),
        gap=Gap(
            token=use.token,
            line=cut.line,
            mask=cut.mask,
            hint=use.root,
            aliases=tuple(dict.fromkeys([*aliases, *([use.root] if use.root else [])])),
            near=cut.near,
        ),
    )


@cache
def _environment(library: str, version: str) -> Environment:
    return Environment("python", "", (f"{library}=={version}",))
