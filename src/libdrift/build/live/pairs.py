"""Which two releases are looked at: the last of one minor series, and the last of the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from libdrift.languages.python.index import Listing
from libdrift.mining.selecting import series


@dataclass(frozen=True, slots=True)
class ReleaseStep:
    """Two releases of a package, one after the other."""

    package: str
    old: str
    new: str
    date: date  # on which the newer one's series began

    @property
    def key(self) -> tuple[str, str, str]:
        return self.package, self.old, self.new

    def __str__(self) -> str:
        return f"{self.package} {self.old} → {self.new}"


@dataclass(frozen=True, slots=True)
class ReleaseWindow:
    after: date
    before: date | None = None
    most: int | None = None  # steps of one package, the newest
    months: int | None = None  # that one step spans, in place of a series

    def has(self, day: date) -> bool:
        return self.after <= day and (self.before is None or day < self.before)


def steps(package: str, listings: Sequence[Listing], window: ReleaseWindow) -> list[ReleaseStep]:
    """Steps to series that began within the window, the oldest first.

    What was yanked, is a pre-release or has no wheel is nobody's to use, or cannot be had here.
    """
    usual = [
        one
        for one in listings
        if not one.yanked
        and not one.prerelease
        and one.release.date is not None
        and any(file.wheel for file in one.files)
        and (window.before is None or one.release.date < window.before)
    ]
    usual.sort(key=lambda listing: listing.version)
    found = []
    for older, newer in pairwise(_groups(usual, window)):
        began = min(one.release.date for one in newer if one.release.date)
        if window.has(began):
            versions = older[-1].release.version, newer[-1].release.version
            found.append(ReleaseStep(package, *versions, began))
    return found[-window.most :] if window.most else found


def _groups(usual: Sequence[Listing], window: ReleaseWindow) -> list[list[Listing]]:
    """Series by series; or all that came out in so many months, by their latest version."""
    if not window.months:
        minors: dict[tuple[object, ...], list[Listing]] = {}
        for one in usual:
            minors.setdefault(series(one.release.version), []).append(one)
        return list(minors.values())
    groups: dict[int, list[Listing]] = {}
    for one in usual:
        gone = _months(window.after, one.release.date or date.min) // window.months
        groups.setdefault(max(gone, -1), []).append(one)  # -1: whatever came before
    found: list[list[Listing]] = []
    for group in (groups[key] for key in sorted(groups)):
        last = found[-1][-1].version if found else None
        # A late fix of an old series is no step.
        newer = [one for one in group if last is None or one.version > last]
        found += [newer] if newer else []
    return found


def _months(start: date, day: date) -> int:
    return (day.year - start.year) * 12 + day.month - start.month - (day.day < start.day)
