"""Which of the releases that are offered were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from packaging.version import InvalidVersion, Version

from libdrift.history import versions
from libdrift.mining.options import MiningOptions
from libdrift.mining.sources.base import Offered, Offers, Source


def select(
    source: Source, offers: Offers, options: MiningOptions
) -> tuple[list[Offered], list[str]]:
    """The releases, and what was asked for and is not there, a line each.

    Those named by version are chosen whatever their state.
    """
    if options.versions:
        problems = [
            source.absent(offers, version)
            for version in options.versions
            if not any(_is(one, version) for one in offers.releases)
        ]
        named = [one for one in offers.releases if any(_is(one, v) for v in options.versions)]
        return named, problems
    usual = [
        one
        for one in offers.releases
        if (options.pre or not one.pre) and (options.yanked or not one.yanked)
    ]
    if isinstance(options.since, date):
        if usual and not any(one.release.date for one in usual):
            return [], [source.undated(offers, options.since)]
        usual = _from_date(usual, options.since)
    elif options.since is not None:
        start = _key(str(options.since))
        usual = [one for one in usual if _key(one.release.version) >= start]
    if options.all_minor:  # the last of each series stays
        usual = list({series(one.release.version): one for one in usual}.values())
    return usual, []


def series(version: str) -> tuple[object, ...]:
    """The minor series of a version: 1.26.4 is of 1.26."""
    try:
        known = Version(version)
    except InvalidVersion:
        return tuple(version.split(".")[:2])
    return known.epoch, known.major, known.minor


def _is(offered: Offered, version: str) -> bool:
    texts = (offered.release.version, offered.also)
    return any(text and versions.same(version, text) for text in texts)


def _key(version: str) -> tuple[object, ...]:
    return versions.order(version)[:2]  # 1.0 and 1.0.0 are equal


def _from_date(offered: Sequence[Offered], since: date) -> list[Offered]:
    """A release without a date counts as recent if it is a later version than a recent one."""
    recent = [_key(one.release.version) for one in offered if _is_dated(one, since)]
    return [
        one
        for one in offered
        if _is_dated(one, since)
        or (one.release.date is None and recent and _key(one.release.version) > min(recent))
    ]


def _is_dated(offered: Offered, since: date) -> bool:
    return offered.release.date is not None and offered.release.date >= since
