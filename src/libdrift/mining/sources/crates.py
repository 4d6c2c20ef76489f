"""Crates of Rust's registry, documented in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.config import Settings
from libdrift.languages.rust import crates
from libdrift.mining.sources import crate_docs
from libdrift.mining.sources.base import Offered, Offers, Reading, RegistrySource, outcomes
from libdrift.records import Release
from libdrift.sandbox import choose


class CrateSource(RegistrySource):
    def __init__(self, package: str, settings: Settings) -> None:
        super().__init__(package)
        self._name = package.removeprefix(crate_docs.PREFIX)
        self._settings = settings

    def offers(self, package: str) -> Offers:
        found = (
            Offered(
                Release("crates", package, one.version, one.date),
                pre="-" in one.version,
                yanked=one.yanked,
            )
            for one in crates.versions(self._name)
        )
        return Offers(package, tuple(found))

    def read(self, wanted: Sequence[Release]) -> Reading:
        backend = choose("bubblewrap", self._settings)
        asked = [one.version for one in wanted]
        pairs = crate_docs.surfaces(self._name, asked, self._settings, backend)
        return outcomes(pairs, transient=False)
