"""Releases of Python's index, read in parallel, and imported where reading has gaps.

Processes read archives; threads wait for them and for probes.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec

from libdrift.errors import InfrastructureError, LibdriftError, MachineTroubleError
from libdrift.languages.python import merging
from libdrift.languages.python.index import Listing
from libdrift.mining.options import Runtime
from libdrift.mining.reading import Reply
from libdrift.mining.selecting import series
from libdrift.mining.sources.base import ReadRelease
from libdrift.mining.workers import Lost, Worker
from libdrift.records import Release, Surface

# What an import of a release in its exact environment shows, or why there was none.
Probe = Callable[[Release, Surface], Surface | str]

NOT_IMPORTED = "not imported: "
_NOT_NOW = "not imported this time: "  # for a fault of the moment: it is tried again
LONGEST = 30 * 60.0  # seconds for one release
_ATTEMPTS = 2
_FAREWELL = 1.0  # seconds that threads are given to end
_DECODER = msgspec.msgpack.Decoder(Surface)


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
class _Done:
    read: ReadRelease
    seen: _Seen | None = None


class ReleaseReader(Protocol):
    """Reads a release in a process of its own, which may die of it."""

    def ask(self, job: object) -> Any | Lost: ...  # noqa: ANN401  (a ``Reply``)

    def stop(self) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CrewMember:
    reader: ReleaseReader
    probe: Probe | None


def local_members(
    make: Callable[[], Callable[[Listing], Reply]], probe: Probe | None, size: int
) -> list[CrewMember]:
    """Processes of this machine."""
    return [CrewMember(Worker(make, LONGEST), probe) for _ in range(size)]


class Crew:
    """A thread for each process: it asks, waits, and imports what reading does not show."""

    def __init__(self, members: Sequence[CrewMember], runtime: Runtime) -> None:
        self._runtime = runtime if all(one.probe for one in members) else Runtime.NEVER
        self._members = list(members)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[_Job, _Done | BaseException]] = queue.SimpleQueue()
        self._threads = [
            # Daemons: a probe that is under way does not hold up the end of the program.
            threading.Thread(target=self._work, args=(member,), daemon=True)
            for member in self._members
        ]
        for thread in self._threads:
            thread.start()

    def run(self, listings: Iterable[Listing]) -> Iterator[ReadRelease]:
        ready, followers = self._ordered(listings)
        active = 0
        while ready or active:
            while ready and active < len(self._members):
                self._jobs.put(ready.popleft())
                active += 1
            job, outcome = self._done.get()
            active -= 1
            if isinstance(outcome, BaseException):
                raise outcome
            for other in followers.pop(job.listing.release, ()):
                ready.append(_Job(other, other=outcome.seen))
            yield outcome.read

    def stop(self) -> None:
        for member in self._members:
            self._jobs.put(None)
            member.reader.stop()
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
        groups: dict[object, list[Listing]] = {}
        for item in listings:
            groups.setdefault((item.release.package, series(item.release.version)), []).append(item)
        heads = {group[-1].release: group[:-1] for group in groups.values()}
        return deque(_Job(group[-1], probed=True) for group in groups.values()), heads

    def _work(self, member: CrewMember) -> None:
        while job := self._jobs.get():
            try:
                outcome: _Done | BaseException = self._outcome(member, job)
            except BaseException as error:  # noqa: BLE001  (raised again where the caller is)
                outcome = error
            self._done.put((job, outcome))
        member.reader.end()

    def _outcome(self, member: CrewMember, job: _Job) -> _Done:
        release = job.listing.release
        reply: Reply | Lost = Lost()
        for _ in range(_ATTEMPTS):
            reply = member.reader.ask(job.listing)
            if not isinstance(reply, Lost) or reply.slow:
                break
        if isinstance(reply, Lost):
            how = f"takes over {LONGEST / 60:.0f} minutes" if reply.slow else "kills its reader"
            return _Done(ReadRelease(release, None, f"{how} (is memory short?)", transient=True))
        if reply.surface is None:
            return _Done(ReadRelease(release, None, reply.reason, reply.transient))
        return self._completed(member.probe, job, _DECODER.decode(reply.surface))

    def _completed(self, probe: Probe | None, job: _Job, surface: Surface) -> _Done:
        """With what imports show, where that is wanted."""
        release = job.listing.release
        if not surface.origin.gaps and self._runtime is not Runtime.ALWAYS:
            return _Done(ReadRelease(release, surface))
        if job.other is not None:
            whole = merging.carry(surface, job.other.runtime, job.other.static)
            return _Done(ReadRelease(release, whole))
        if probe is None or not job.probed:
            return _Done(ReadRelease(release, surface))
        kind, again = NOT_IMPORTED, False
        try:
            seen = probe(release, surface)
        except InfrastructureError as error:
            seen, kind, again = str(error), _NOT_NOW, isinstance(error, MachineTroubleError)
        except LibdriftError as error:
            seen = str(error)
        if isinstance(seen, str):
            note = f"{kind}{seen}"
            origin = replace(surface.origin, gaps=(*surface.origin.gaps, note))
            found = replace(surface, origin=origin)
            return _Done(ReadRelease(release, found, note, transient=again, notes=(note,)))
        read = ReadRelease(release, merging.merge(surface, seen))
        return _Done(read, _Seen(seen, surface))
