"""Python's package index: hundreds of releases a package, each read in milliseconds."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from packaging.version import InvalidVersion, Version

from libdrift.config import Settings
from libdrift.errors import LibdriftError
from libdrift.history.store import StoredRelease
from libdrift.languages.python import static
from libdrift.languages.python.index import Listing, PackageIndex
from libdrift.mining import reading
from libdrift.mining.crew import NOT_IMPORTED, Crew, CrewMember, Probe, local_members
from libdrift.mining.options import MiningOptions, Runtime
from libdrift.mining.sources.base import Offered, Offers, Reading, Source, since
from libdrift.records import Release


class IndexSource(Source):
    """``cache`` is a folder for what was parsed, which is kept, and for archives, which are not."""

    def __init__(
        self,
        packages: Sequence[str],
        options: MiningOptions,
        index: PackageIndex,
        cache: Path,
        *,
        probe: Probe | None = None,
        pythons: Sequence[str] = (),
    ) -> None:
        super().__init__(*dict.fromkeys(packages))
        self._options = options
        self._index = index
        self._cache = cache
        self._probe = probe
        self._pythons = tuple(pythons)  # of this machine: wheels for these can be imported
        self._listings: dict[Release, Listing] = {}

    @classmethod
    def configured(
        cls, packages: Sequence[str], options: MiningOptions, settings: Settings
    ) -> IndexSource:
        """With the indexes that pip and uv use, and the Pythons of this machine to import with."""
        index = PackageIndex.configured(os.environ)
        cache = settings.cache / "mining"
        if options.runtime is Runtime.NEVER:
            return cls(packages, options, index, cache)
        from libdrift.environments import discover
        from libdrift.mining.probing import Prober
        from libdrift.sandbox import choose

        try:
            probe = Prober(settings, choose("bubblewrap", settings))
        except LibdriftError as error:
            if options.runtime is Runtime.ALWAYS:
                raise
            source = cls(packages, options, index, cache)
            source.warnings = (f"releases are read but not imported: {error}",)
            return source
        pythons = [item.minor for item in discover()]
        return cls(packages, options, index, cache, probe=probe, pythons=pythons)

    def offers(self, package: str) -> Offers:
        project = self._index.project(package)
        self._listings |= {item.release: item for item in project.listings}
        found = (
            Offered(item.release, pre=item.prerelease, yanked=item.yanked)
            for item in project.listings
        )
        return Offers(project.name, tuple(found), project.skipped)

    def read(self, wanted: Sequence[Release]) -> Reading:
        crew = Crew(self._members(len(wanted)), self._options.runtime)
        try:
            yield from crew.run([self._listings[release] for release in wanted])
        finally:
            crew.stop()

    def _members(self, count: int) -> list[CrewMember]:
        index, engine = self._index, self._options.engine
        if engine is not None and engine.name != "local":
            from libdrift.mining.remote import ReadOrder, remote_members

            order = ReadOrder(index.sources, index.patience, self._pythons)
            return remote_members(engine, order, count, probed=self._probe is not None)
        reading.scratch_in(self._cache)
        make = functools.partial(
            reading.reader, index.sources, index.patience, self._cache, self._pythons
        )
        return local_members(make, self._probe, min(self._options.workers, count))

    def is_stale(self, stored: StoredRelease, offered: Release) -> bool:
        """Whether its date is another, another reader read it, or it was not imported and shall be.

        What was imported is not read again without an import: it would tell less.
        """
        origin, runtime = stored.origin, self._options.runtime
        is_kept = bool(origin.runtime) and runtime is Runtime.NEVER
        if stored.release != offered:
            return True
        if origin.reader and origin.reader != static.reader() and not is_kept:
            return True
        tried = origin.runtime or any(gap.startswith(NOT_IMPORTED) for gap in origin.gaps)
        return not tried and (
            runtime is Runtime.ALWAYS or (runtime is Runtime.AUTO and not origin.complete)
        )

    def absent(self, offers: Offers, version: str) -> str:
        try:
            wanted = Version(version)
        except InvalidVersion:
            return f"{version!r} is not a version. Write it as 1.26.4"
        plain = [one for one in offers.releases if not one.pre] or offers.releases
        known = [one.release.version for one in plain]
        below = [text for text in known if Version(text) < wanted][-2:]
        above = [text for text in known if Version(text) > wanted][:2]
        near = ", ".join(below + above)
        return f"{offers.package} {wanted} does not exist. The nearest are {near}"

    def undated(self, offers: Offers, since: date) -> str:
        fix = f"Give --since a version instead of {since}"
        return f"{offers.package}: the index gives no upload dates. {fix}"

    def nothing(self, offers: Offers, options: MiningOptions) -> str:
        usual = [one.release for one in offers.releases if not one.pre and not one.yanked]
        if usual:
            date = f" ({usual[-1].date})" if usual[-1].date else ""
            newest = f"the newest is {usual[-1].version}{date}"
            return f"{offers.package}: no release{since(options)}; {newest}"
        if offers.releases:
            return f"{offers.package}: all releases are pre-releases or yanked (--pre, --yanked)"
        return f"{offers.package}: no releases"
