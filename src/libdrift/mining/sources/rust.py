"""Rust's standard library, as the toolchains of this machine have it."""

from __future__ import annotations

from collections.abc import Sequence

from libdrift.languages.rust import std
from libdrift.mining.sources.base import Offered, Offers, Reading, Source, outcomes
from libdrift.records import Release


class RustSource(Source):
    where = "on this machine"

    def offers(self, package: str) -> Offers:
        found = (Offered(one, one.version.removesuffix(".0")) for one in std.releases())
        return Offers(package, tuple(found))

    def read(self, wanted: Sequence[Release]) -> Reading:
        return outcomes(std.surfaces([one.version for one in wanted]), transient=True)
