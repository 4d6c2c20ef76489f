"""The Java platform: the releases that the newest JDK of this machine can tell of."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.languages.java import jdks, platforms
from libdrift.mining.sources.base import Offered, Offers, Reading, Source, outcomes
from libdrift.records import Release


class JdkSource(Source):
    where = "on this machine"

    def offers(self, package: str) -> Offers:
        jdks.newest()  # says how to get one, where there is none
        found = (Offered(platforms.release(one), f"1.{one}") for one in platforms.releases())
        return Offers(package, tuple(found))

    def read(self, wanted: Sequence[Release]) -> Reading:
        return outcomes(
            platforms.surfaces(versions=[one.version for one in wanted]), transient=True
        )
