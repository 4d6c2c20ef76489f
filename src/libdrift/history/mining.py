"""From a package index to the store: list, choose, read in parallel, keep.

Processes read archives; threads wait for them and for probes; only the caller's thread writes to
the store, one release at a time, so that a kill at any moment leaves whole releases.
"""

from __future__ import annotations

import functools
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from pathlib import Path

import msgspec
from packaging.version import Version

from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.history.store import Store
from libdrift.history.workers import Lost, Worker
from libdrift.languages.python import merging, static
from libdrift.languages.python.archives import ArchiveError, choose, open_archive
from libdrift.languages.python.cache import Records
from libdrift.languages.python.index import File, Index, Listing, minor, select
from libdrift.languages.python.index_config import Sources
from libdrift.languages.python.web import Patience, Web
from libdrift.records import Origin, Release, Surface

# What an import of a release in its exact environment shows, or why there was none.
Probe = Callable[[Release, Surface], Surface | str]

_LONGEST = 30 * 60.0  # seconds for one release
_ATTEMPTS = 2
_NOT_IMPORTED = "not imported: "
_NOT_NOW = "not imported this time: "  # for a fault of the moment: it is tried again
_HOPELESS = 10  # releases in a row that fail for want of a network, a disk or memory
_FAREWELL = 1.0  # seconds that threads are given to end


class Runtime(StrEnum):
    """Which releases are imported, beside being read."""

    AUTO = "auto"  # where reading has gaps: the newest of each minor series, for all of it
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Options:
    since: date | Version | None = None
    versions: tuple[str, ...] = ()
    all_minor: bool = False
    pre: bool = False
    yanked: bool = False
    runtime: Runtime = Runtime.AUTO
    pythons: tuple[str, ...] = ()  # of this machine: wheels for these can be imported
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Listed:
    """A package's releases were listed: so many will be read, so many are in the store."""

    package: str
    new: int
    present: int
    problems: tuple[str, ...] = ()  # the caller's: versions that are not there
    skipped: tuple[str, ...] = ()  # files whose names say no version


@dataclass(frozen=True, slots=True)
class Missing:
    """A package's releases could not be listed."""

    package: str
    error: LibdriftError


@dataclass(frozen=True, slots=True)
class Mined:
    release: Release
    symbols: int
    complete: bool
    notes: tuple[str, ...] = ()  # what went wrong without being needed


@dataclass(frozen=True, slots=True)
class Failed:
    release: Release
    reason: str
    passing: bool  # another attempt may succeed: the network's trouble, not the archive's


Event = Listed | Missing | Mined | Failed


def mine(
    packages: Iterable[str],
    options: Options,
    store: Store,
    index: Index,
    cache: Path,
    *,
    probe: Probe | None = None,
) -> Iterator[Event]:
    """Read what the store does not have; every package is listed before the first is read."""
    wanted: list[Listing] = []
    for package in dict.fromkeys(packages):
        listed, new = _listed(package, options, store, index)
        wanted += new
        yield listed
    if not wanted:
        return
    make = functools.partial(_reader, index.sources, index.patience, cache, options.pythons)
    crew = _Crew(make, options, probe, min(options.workers, len(wanted)))
    try:
        trouble = 0
        for outcome in crew.run(wanted):
            yield _kept(outcome, store)
            trouble = trouble + 1 if outcome.passing else 0
            if trouble == _HOPELESS:
                raise InfrastructureError(
                    f"{trouble} releases in a row failed, the last one thus: {outcome.reason}",
                    "Try again later: what is mined is kept",
                )
    finally:
        crew.stop()


def _listed(
    package: str, options: Options, store: Store, index: Index
) -> tuple[Listed | Missing, list[Listing]]:
    try:
        project = index.project(package)
    except LibdriftError as error:
        return Missing(package, error), []
    chosen = select(
        project.listings,
        options.since,
        options.versions,
        all_minor=options.all_minor,
        pre=options.pre,
        yanked=options.yanked,
    )
    known = {item.release: item.origin for item in store.releases(project.name)}
    new = [
        item
        for item in chosen.listings
        if item.release not in known or _lacks(known[item.release], options.runtime)
    ]
    present = len(chosen.listings) - len(new)
    return Listed(project.name, len(new), present, chosen.problems, project.skipped), new


def _lacks(origin: Origin, runtime: Runtime) -> bool:
    """Whether a stored release is to be read again, for it was not imported and now shall be."""
    tried = origin.runtime or any(gap.startswith(_NOT_IMPORTED) for gap in origin.gaps)
    return not tried and (
        runtime is Runtime.ALWAYS or (runtime is Runtime.AUTO and not origin.complete)
    )


def _kept(outcome: _Outcome, store: Store) -> Mined | Failed:
    release, surface = outcome.release, outcome.surface
    if surface is None:
        store.note_failure(release, outcome.reason)
        return Failed(release, outcome.reason, outcome.passing)
    store.add(surface)
    return Mined(release, len(surface.symbols), surface.origin.complete, outcome.notes)


# In the processes


@dataclass(frozen=True, slots=True)
class _Reply:
    surface: bytes | None
    reason: str = ""
    passing: bool = False


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Surface)


def _reader(
    sources: Sources, patience: Patience, cache: Path, pythons: Collection[str]
) -> Callable[[Listing], _Reply]:
    web = Web(sources, patience)
    records = Records(cache / "parsed.sqlite", static.VERSION)
    scratch = cache / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)

    def read(listing: Listing) -> _Reply:
        try:
            file = choose(listing, pythons)
            return _Reply(_ENCODER.encode(_read(listing.release, file, web, records, scratch)))
        except LibdriftError as error:
            return _Reply(None, str(error), passing=not isinstance(error, ArchiveError))
        except OSError as error:
            return _Reply(None, error.strerror or str(error), passing=True)
        except Exception as error:  # noqa: BLE001  (others wrote what is read here: the rest goes on)
            first = (str(error).splitlines() or [""])[0]
            return _Reply(None, f"cannot be read: {type(error).__name__} {first}".rstrip())

    return read


def _read(release: Release, file: File, web: Web, records: Records, scratch: Path) -> Surface:
    with open_archive(file, release.package, web, scratch) as archive:
        surface = static.extract(release, archive.members, archive.read, cache=records)
        origin = replace(
            surface.origin,
            artifact=archive.name,
            digest=archive.digest,
            unread=(*surface.origin.unread, *archive.refused),
        )
        return replace(surface, origin=origin)


# In the threads


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an import of a release showed, and what its sources say."""

    runtime: Surface
    static: Surface


@dataclass(frozen=True, slots=True)
class _Job:
    listing: Listing
    probed: bool = False  # import it too
    other: _Seen | None = None  # of another release of its series


@dataclass(frozen=True, slots=True)
class _Outcome:
    release: Release
    surface: Surface | None = None
    seen: _Seen | None = None
    reason: str = ""
    passing: bool = False
    notes: tuple[str, ...] = ()


class _Crew:
    """A thread for each process: it asks, waits, and imports what reading does not show."""

    def __init__(
        self,
        make: Callable[[], Callable[[Listing], _Reply]],
        options: Options,
        probe: Probe | None,
        size: int,
    ) -> None:
        self._runtime = options.runtime if probe else Runtime.NEVER
        self._probe = probe
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[_Job, _Outcome | BaseException]] = queue.SimpleQueue()
        self._workers = [Worker(make, _LONGEST) for _ in range(size)]
        self._threads = [
            # Daemons: a probe that is under way does not hold up the end of the program.
            threading.Thread(target=self._work, args=(worker,), daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def run(self, listings: Iterable[Listing]) -> Iterator[_Outcome]:
        ready, followers = self._ordered(listings)
        active = 0
        while ready or active:
            while ready and active < len(self._workers):
                self._jobs.put(ready.popleft())
                active += 1
            job, outcome = self._done.get()
            active -= 1
            if isinstance(outcome, BaseException):
                raise outcome
            for other in followers.pop(job.listing.release, ()):
                ready.append(_Job(other, other=outcome.seen))
            yield outcome

    def stop(self) -> None:
        for worker in self._workers:
            self._jobs.put(None)
            worker.stop()
        end = time.monotonic() + _FAREWELL
        for thread in self._threads:
            thread.join(max(0, end - time.monotonic()))

    def _ordered(
        self, listings: Iterable[Listing]
    ) -> tuple[deque[_Job], dict[Release, list[Listing]]]:
        """What may be read at once, and what waits for the import of another release."""
        if self._runtime is not Runtime.AUTO:
            always = self._runtime is Runtime.ALWAYS
            return deque(_Job(item, probed=always) for item in listings), {}
        series: dict[object, list[Listing]] = {}
        for item in listings:
            series.setdefault((item.release.package, minor(item.release)), []).append(item)
        heads = {group[-1].release: group[:-1] for group in series.values()}
        return deque(_Job(group[-1], probed=True) for group in series.values()), heads

    def _work(self, worker: Worker) -> None:
        while job := self._jobs.get():
            try:
                outcome: _Outcome | BaseException = self._outcome(worker, job)
            except BaseException as error:  # noqa: BLE001  (raised again where the caller is)
                outcome = error
            self._done.put((job, outcome))
        worker.end()

    def _outcome(self, worker: Worker, job: _Job) -> _Outcome:
        release = job.listing.release
        reply: _Reply | Lost = Lost()
        for _ in range(_ATTEMPTS):
            reply = worker.ask(job.listing)
            if not isinstance(reply, Lost) or reply.slow:
                break
        if isinstance(reply, Lost):
            how = f"takes over {_LONGEST / 60:.0f} minutes" if reply.slow else "kills its reader"
            return _Outcome(release, reason=f"{how} (is memory short?)", passing=True)
        if reply.surface is None:
            return _Outcome(release, reason=reply.reason, passing=reply.passing)
        return self._completed(job, _DECODER.decode(reply.surface))

    def _completed(self, job: _Job, surface: Surface) -> _Outcome:
        """With what imports show, where that is wanted."""
        release = job.listing.release
        if not surface.origin.gaps and self._runtime is not Runtime.ALWAYS:
            return _Outcome(release, surface)
        if job.other is not None:
            whole = merging.carry(surface, job.other.runtime, job.other.static)
            return _Outcome(release, whole)
        if self._probe is None or not job.probed:
            return _Outcome(release, surface)
        kind = _NOT_IMPORTED
        try:
            seen = self._probe(release, surface)
        except InfrastructureError as error:
            seen, kind = str(error), _NOT_NOW
        except LibdriftError as error:
            seen = str(error)
        if isinstance(seen, str):
            note = f"{kind}{seen}"
            origin = replace(surface.origin, gaps=(*surface.origin.gaps, note))
            return _Outcome(release, replace(surface, origin=origin), notes=(note,))
        return _Outcome(release, merging.merge(surface, seen), _Seen(seen, surface))
