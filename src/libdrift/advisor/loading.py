"""Releases for a check: from the history, or mined on the spot, by reading alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from libdrift.advisor.by_surface import SurfacePair
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.versions import GIVEN, PYTHON, VersionStep
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history import versions
from libdrift.history.questions.executed import findings_between
from libdrift.history.store import Store
from libdrift.mining import MiningOptions, MiningProgress, Runtime, mine
from libdrift.mining.rereading import read_otherwise
from libdrift.mining.sources import sources_of
from libdrift.records import ExampleFinding, Surface

_MOST_BETWEEN = 6  # releases that are asked what messages say; each takes a part of a second


@dataclass(slots=True)
class Releases:
    """Loads releases of packages; what is not in the history is mined into it."""

    settings: Settings
    path: Path  # of the history
    progress: MiningProgress | None = None
    offline: bool = False  # only what is mined
    problems: list[LibdriftError] = field(default_factory=list)

    def pairs(self, steps: Sequence[VersionStep]) -> list[tuple[VersionStep, ReleasePair]]:
        """Both releases of each package; what cannot be had is noted, and the rest goes on."""
        found: list[tuple[VersionStep, ReleasePair]] = []
        for step in steps:
            try:
                found.append(self.pair(step))
            except LibdriftError as error:
                self.problems.append(error)
        return found

    def pair(self, step: VersionStep) -> tuple[VersionStep, ReleasePair]:
        exact = replace(step, new=step.new or self.latest(step.package))
        is_read = exact.source != GIVEN and exact.package != PYTHON
        if is_read and not self.offline and not self._has(exact.package, exact.old):
            way = self._lowest if exact.is_range else self._nearest
            exact = replace(exact, old=way(exact.package, exact.old))
        self.ensure(exact.package, (exact.old, exact.new))
        with Store.open(self.path, readonly=True) as store:
            old, new = (_version(store, exact.package, item) for item in (exact.old, exact.new))
            before, after = store.surfaces(exact.package, (old, new))
        pair = ReleasePair(
            before,
            after,
            lambda: self._between(exact.package, old, new),
            lambda: self._tried(exact.package, old, new),
        )
        return replace(exact, old=old, new=new), pair

    def surfaces(self, step: VersionStep) -> tuple[VersionStep, SurfacePair]:
        """Both releases of a package of another language."""
        exact = replace(step, new=step.new or self.latest(step.package))
        old, new = (self.surface(exact.package, one) for one in (exact.old, exact.new))
        return replace(exact, old=old.release.version, new=new.release.version), SurfacePair(
            old, new
        )

    def _lowest(self, package: str, bound: str) -> str:
        """The lowest release that a range allows: its bound itself need not exist."""
        low = versions.order(bound)
        return next((v for v in self._offered(package) if versions.order(v) >= low), bound)

    def _nearest(self, package: str, pinned: str) -> str:
        """What a file pins, or the release before it where that cannot be had any more."""
        (source,) = sources_of([package], MiningOptions(), self.settings)
        known = [item.release.version for item in source.offers(package).releases]
        offered = self._offered(package)
        if not offered or _means_one(pinned, known):
            return pinned
        before = [one for one in offered if versions.order(one) < versions.order(pinned)]
        found = before[-1] if before else offered[0]
        text = f"{package} {pinned} is pinned but not available; {found} is used instead"
        self.problems.append(UserError(text))
        return found

    def surface(self, package: str, version: str) -> Surface:
        self.ensure(package, (version,))
        with Store.open(self.path, readonly=True) as store:
            return store.surface(package, _version(store, package, version))

    def _between(self, package: str, old: str, new: str) -> Sequence[Surface]:
        """The last release of each minor series between two, the latest ones.

        They say when a thing went, and in their warnings what takes its place.
        """
        try:
            offered = [] if self.offline else self._offered(package)
            self.ensure(package, (old, new, *_last_of_series(offered, old, new)))
        except LibdriftError as error:
            self.problems.append(error)
        with Store.open(self.path, readonly=True) as store:
            known = [item.release.version for item in store.releases(package)]
            return store.surfaces(package, _last_of_series(known, old, new))

    def _tried(self, package: str, old: str, new: str) -> Sequence[ExampleFinding]:
        """What examples showed, of these two releases or of those between them."""
        with Store.open(self.path, readonly=True) as store:
            known = [item.release.version for item in store.releases(package)]
            low, high = versions.order(old), versions.order(new)
            order = [item for item in known if low <= versions.order(item) <= high]
            return findings_between(store, package, order)[0] if order else ()

    def ensure(self, package: str, wanted: Sequence[str]) -> None:
        """Mine what the history has not; raises if it cannot be had."""
        missing = [item for item in dict.fromkeys(wanted) if not self._has(package, item)]
        why = "not mined" if missing else "read by another version of libdrift"
        missing += self._read_otherwise(package, wanted, missing)
        if not missing:
            return
        if self.offline:
            raise UserError(
                f"{package} {' and '.join(missing)}: {why}, and --offline was given",
                f"Run: libdrift mine {package} --versions {','.join(missing)}",
            )
        options = MiningOptions(versions=tuple(missing), runtime=Runtime.NEVER, workers=1)
        with Store.open(self.path) as store:
            result = mine([package], options, store, self.settings, self.progress)
        for event in result.missing:
            raise event.error
        for problem in result.problems:
            raise UserError(problem)
        for failed in result.failed:
            raise InfrastructureError(f"{failed.release} could not be read: {failed.reason}")

    def _has(self, package: str, version: str) -> bool:
        if not self.path.exists():
            return False
        with Store.open(self.path, readonly=True) as store:
            try:
                _version(store, package, version)
            except UserError:
                return False
        return True

    def _read_otherwise(
        self, package: str, wanted: Sequence[str], missing: Sequence[str]
    ) -> list[str]:
        """What this libdrift must read again, to be compared with the others."""
        if not self.path.exists():
            return []
        with Store.open(self.path, readonly=True) as store:
            there = [_version(store, package, item) for item in wanted if item not in missing]
            return read_otherwise(store, package, there, beside_new=bool(missing))

    def roots(self, package: str) -> Sequence[str] | None:
        """What a package offers, where some release of it is mined."""
        if not self.path.exists():
            return None
        with Store.open(self.path, readonly=True) as store:
            return store.surface_roots(package) or None

    def refuse_unknown(self, package: str, version: str) -> None:
        """Say that there is no such release, where that can be known without reading any."""
        if self.offline or (version and self._has(package, version)):
            return
        (source,) = sources_of([package], MiningOptions(), self.settings)
        offered = [item.release.version for item in source.offers(package).releases]
        known = sorted(offered, key=versions.order)
        if not known:
            raise UserError(f"{package} has no release", "Check the spelling")
        if version and not _means_one(version, known):
            raise UserError(f"{package} has no release {version}", f"Its newest is {known[-1]}")

    def latest(self, package: str) -> str:
        """The newest release that the package's source offers, pre-releases aside."""
        if self.offline:
            with Store.open(self.path, readonly=True) as store:
                return store.version(package)
        offered = self._offered(package)
        if not offered:
            raise UserError(f"{package} has no release")
        return offered[-1]

    def _offered(self, package: str) -> list[str]:
        """What the package's source offers, the oldest first."""
        (source,) = sources_of([package], MiningOptions(), self.settings)
        offered = [
            item.release.version
            for item in source.offers(package).releases
            if not item.pre and not item.yanked
        ]
        return sorted(offered, key=versions.order)


def _means_one(version: str, known: Sequence[str]) -> bool:
    """Whether a version is one of those; of a series, 2.1, the newest is meant."""
    exact, start = versions.order(version), f"{version}."
    return any(versions.order(one) == exact or one.startswith(start) for one in known)


def _last_of_series(known: Sequence[str], old: str, new: str) -> list[str]:
    low, high = versions.order(old), versions.order(new)
    inside = [item for item in known if low < versions.order(item) < high]
    ends = {tuple(item.split(".")[:2]) for item in (old, new)}
    series = {tuple(item.split(".")[:2]): item for item in inside}
    return [item for name, item in series.items() if name not in ends][-_MOST_BETWEEN:]


def _version(store: Store, package: str, asked: str) -> str:
    """A mined version as the store writes it; of Python, the one of that minor series."""
    if package == PYTHON:
        minor = tuple(asked.split(".")[:2])
        for item in reversed(store.releases(package)):
            if tuple(item.release.version.split(".")[:2]) == minor:
                return item.release.version
    return store.version(package, asked)
