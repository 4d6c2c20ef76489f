"""The one way to mine: list, choose, read, keep.

Only the caller's thread writes to the store, one release at a time, so that a kill at any moment
leaves whole releases.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.history.store import Store
from libdrift.mining.events import (
    Event,
    FailedRelease,
    ListedPackage,
    MinedRelease,
    MiningProgress,
    MiningResult,
    MissingPackage,
    Warned,
    summed,
)
from libdrift.mining.options import MiningOptions
from libdrift.mining.selecting import select
from libdrift.mining.sources import sources_of
from libdrift.mining.sources.base import ReadRelease, Source
from libdrift.records import Release

if TYPE_CHECKING:
    from libdrift.mining.examples.replacing import MakeRewriter

_HOPELESS = 10  # releases in a row that fail for want of a network, a disk or memory


def mine(
    packages: Sequence[str],
    options: MiningOptions,
    store: Store,
    settings: Settings,
    progress: MiningProgress | None = None,
    rewriters: MakeRewriter | None = None,
) -> MiningResult:
    """Read what the store does not have of packages, which are named as ``sources_of`` says.

    With ``rewriters``, examples that are run are also tried as they are written for the next
    release.
    """
    found: list[Event] = []
    sources = sources_of(packages, options, settings)
    with contextlib.closing(events(sources, options, store)) as happening:
        for event in happening:
            found.append(event)
            if progress is not None:
                progress(event)
    if options.examples:
        from libdrift.mining.examples import asked  # not needed by who only reads

        listed = [event for event in found if isinstance(event, ListedPackage)]
        found += asked.run(listed, options, store, settings, progress, rewriters)
    return summed(found)


def events(
    sources: Iterable[Source], options: MiningOptions, store: Store
) -> Generator[Event, None, None]:
    """All that happens. A source's packages are all listed before the first of them is read."""
    for source in sources:
        yield from (Warned(text) for text in source.warnings)
        wanted: list[Release] = []
        for package in source.packages:
            listed, new = _listed(source, package, options, store)
            wanted += new
            yield listed
        if wanted:
            yield from _mined(source, wanted, store)


def _listed(
    source: Source, package: str, options: MiningOptions, store: Store
) -> tuple[ListedPackage | MissingPackage, list[Release]]:
    try:
        offers = source.offers(package)
    except LibdriftError as error:
        return MissingPackage(package, error), []
    chosen, problems = select(source, offers, options)
    known = {
        (item.release.ecosystem, item.release.version): item
        for item in store.releases(offers.package)
    }
    new = []
    for release in (one.release for one in chosen):
        stored = known.get((release.ecosystem, release.version))
        if stored is None or source.is_stale(stored, release):
            new.append(release)
    nothing = "" if chosen or problems else source.nothing(offers, options)
    present = len(chosen) - len(new)
    listed = ListedPackage(
        offers.package,
        len(new),
        present,
        tuple(problems),
        offers.skipped,
        nothing,
        tuple(one.release for one in chosen),
    )
    return listed, new


def _mined(source: Source, wanted: Sequence[Release], store: Store) -> Generator[Event, None, None]:
    trouble = 0
    with contextlib.closing(_read(source, wanted)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, MissingPackage):
                yield outcome
                return
            yield _kept(outcome, store)
            trouble = trouble + 1 if outcome.transient else 0
            if trouble == _HOPELESS:
                raise InfrastructureError(
                    f"{trouble} releases in a row failed, the last one with: {outcome.reason}",
                    "Try again later: mined releases are kept",
                )


def _read(
    source: Source, wanted: Sequence[Release]
) -> Generator[ReadRelease | MissingPackage, None, None]:
    try:
        with contextlib.closing(source.read(wanted)) as outcomes:
            yield from outcomes
    except LibdriftError as error:
        yield MissingPackage(source.packages[0], error)


def _kept(outcome: ReadRelease, store: Store) -> MinedRelease | FailedRelease:
    release, surface = outcome.release, outcome.surface
    if surface is None:
        store.note_failure(release, outcome.reason)
        return FailedRelease(release, outcome.reason, outcome.transient)
    store.add(surface)
    complete = surface.origin.complete
    return MinedRelease(release, len(surface.symbols), complete, outcome.notes, outcome.transient)
