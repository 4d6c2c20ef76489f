"""Libraries of Maven's repositories."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.config import Settings
from libdrift.languages.java import maven
from libdrift.languages.java.maven_versions import is_prerelease
from libdrift.mining.sources.base import Offered, Offers, Reading, RegistrySource, outcomes
from libdrift.records import Release

PREFIX = "maven:"


class MavenSource(RegistrySource):
    def __init__(self, package: str, settings: Settings) -> None:
        super().__init__(package)
        self._coordinate = package.removeprefix(PREFIX)
        self._settings = settings

    def offers(self, package: str) -> Offers:
        found = maven.releases(self._coordinate)
        return Offers(package, tuple(Offered(one, pre=is_prerelease(one.version)) for one in found))

    def read(self, wanted: Sequence[Release]) -> Reading:
        asked = [one.version for one in wanted]
        pairs = maven.surfaces(self._coordinate, asked, self._settings)
        return outcomes(pairs, transient=False)
