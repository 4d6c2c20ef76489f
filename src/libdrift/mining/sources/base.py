"""What a source of releases is: it lists what it offers, and reads what is wanted of that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from libdrift.history import versions
from libdrift.history.store import StoredRelease
from libdrift.mining.options import MiningOptions
from libdrift.records import Release, Surface

Pair = tuple[Release, Surface | str]  # a release, and its surface or why there is none


@dataclass(frozen=True, slots=True)
class Offered:
    """A release that could be read. ``also`` is another way to write its version."""

    release: Release
    also: str = ""
    pre: bool = False
    yanked: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """All releases of a package, oldest first, under the name that the source has for it."""

    package: str
    releases: tuple[Offered, ...]
    skipped: tuple[str, ...] = ()  # files whose names say no version


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """What came of reading one release: its surface, or the reason that there is none."""

    release: Release
    surface: Surface | None = None
    reason: str = ""
    transient: bool = False  # another attempt may succeed
    notes: tuple[str, ...] = ()  # what went wrong without being needed


Reading = Generator[ReadRelease, None, None]


class Source(ABC):
    """One place that has ``packages``. A new source is a subclass, and a case in ``sources_of``."""

    where = "there"  # as in "is not there"
    warnings: tuple[str, ...] = ()  # of what cannot be done as it was asked for

    def __init__(self, *packages: str) -> None:
        self.packages = packages

    @abstractmethod
    def offers(self, package: str) -> Offers: ...

    @abstractmethod
    def read(self, wanted: Sequence[Release]) -> Reading:
        """Each of the releases, in whatever order; some may be of one package, some of another."""

    def is_stale(self, stored: StoredRelease, offered: Release) -> bool:
        """Whether a release is to be read again although it is in the store."""
        del stored, offered
        return False

    # --- what is said where it has not what was asked for

    def absent(self, offers: Offers, version: str) -> str:
        key = versions.order(version)
        known = [one.release.version for one in offers.releases]
        below = [text for text in known if versions.order(text) < key][-1:]
        above = [text for text in known if versions.order(text) > key][:1]
        near = [*below, *above]
        nearest = f"The nearest: {' and '.join(near)}" if near else "There is none"
        return f"{offers.package} {version} is not {self.where}. {nearest}"

    def undated(self, offers: Offers, since: date) -> str:
        del since
        return f"{offers.package}: the dates of its releases are not known. Write --since VERSION"

    def nothing(self, offers: Offers, options: MiningOptions) -> str:
        """Why not one release of a package that is there was chosen."""
        return f"{offers.package}: no release{since(options)} {self.where}"


class RegistrySource(Source):
    where = "on the registry"

    def nothing(self, offers: Offers, options: MiningOptions) -> str:
        unusual = "pre-releases or yanked ones (--pre, --yanked)"
        return f"{offers.package}: no release{since(options)} but {unusual}"


def since(options: MiningOptions) -> str:
    return f" since {options.since}" if options.since else ""


def outcomes(pairs: Iterable[Pair], *, transient: bool) -> Reading:
    """``transient``: whether what fails now may succeed another time."""
    for release, found in pairs:
        if isinstance(found, str):
            yield ReadRelease(release, reason=found, transient=transient)
        else:
            yield ReadRelease(release, found)
