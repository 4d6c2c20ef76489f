"""Releases that come one by one: of standard libraries, and of other languages' registries.

Python's index has a pipeline of its own (``mining``), for it has hundreds of releases a package
and each is read in milliseconds. What is compiled or documented first is read in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from libdrift.errors import LibdriftError
from libdrift.history import versions
from libdrift.history.mining import Event, Failed, Listed, Mined, Missing, Options
from libdrift.history.store import Store
from libdrift.records import Release, Surface

Read = Iterator[tuple[Release, Surface | str]]


@dataclass(frozen=True, slots=True)
class Offered:
    """A release that could be read. ``also`` is another way to write its version."""

    release: Release
    also: str = ""
    pre: bool = False
    yanked: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    package: str
    offered: Callable[[], Sequence[Offered]]  # oldest first
    read: Callable[[Sequence[Offered]], Read]  # each with its surface, or why there is none
    passing: bool = True  # whether what fails now may succeed another time
    where: str = "there"  # as in "is not there"


def mine(source: Source, options: Options, store: Store) -> Iterator[Event]:
    """Read what the store does not have; each release is kept as soon as it is read."""
    try:
        offered = source.offered()
    except LibdriftError as error:
        yield Missing(source.package, error)
        return
    if isinstance(options.since, date) and offered and not any(o.release.date for o in offered):
        problem = (
            f"{source.package}: the dates of its releases are not known. Write --since VERSION"
        )
        yield Listed(source.package, 0, 0, (problem,))
        return
    chosen = _chosen(offered, options)
    known = [text for one in offered for text in (one.release.version, one.also) if text]
    problems = [
        f"{source.package} {version} is not {source.where}. {_nearest(version, offered)}"
        for version in options.versions
        if not any(versions.same(version, text) for text in known)
    ]
    new = [one for one in chosen if not store.has(one.release)]
    yield Listed(source.package, len(new), len(chosen) - len(new), tuple(problems))
    if not new:
        return
    try:
        for release, surface in source.read(new):
            if isinstance(surface, str):
                store.note_failure(release, surface)
                yield Failed(release, surface, passing=source.passing)
            else:
                store.add(surface)
                yield Mined(release, len(surface.symbols), surface.origin.complete)
    except LibdriftError as error:
        yield Missing(source.package, error)


def _chosen(offered: Sequence[Offered], options: Options) -> list[Offered]:
    if options.versions:
        return [
            one
            for one in offered
            if any(
                text and versions.same(version, text)
                for version in options.versions
                for text in (one.release.version, one.also)
            )
        ]
    usual = [
        one
        for one in offered
        if (options.pre or not one.pre)
        and (options.yanked or not one.yanked)
        and _is_since(one.release, options)
    ]
    if not options.all_minor:
        return usual
    last = {tuple(one.release.version.split(".")[:2]): one for one in usual}
    return list(last.values())


def _is_since(release: Release, options: Options) -> bool:
    since = options.since
    if since is None:
        return True
    if isinstance(since, date):
        return release.date is not None and release.date >= since
    return versions.order(release.version) >= versions.order(str(since))


def _nearest(version: str, offered: Sequence[Offered]) -> str:
    key = versions.order(version)
    known = [one.release.version for one in offered]
    below = [text for text in known if versions.order(text) < key][-1:]
    above = [text for text in known if versions.order(text) > key][:1]
    near = [*below, *above]
    return f"The nearest: {' and '.join(near)}" if near else "There is none"
