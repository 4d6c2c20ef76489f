"""Releases into the history: sources, the choice among what they offer, and the one way to mine."""

from libdrift.mining.events import (
    Event,
    Failed,
    Listed,
    Mined,
    MiningProgress,
    MiningResult,
    Missing,
    PackageResult,
    Warned,
)
from libdrift.mining.options import MiningOptions, Runtime, read_since
from libdrift.mining.running import mine

__all__ = [
    "Event",
    "Failed",
    "Listed",
    "Mined",
    "MiningOptions",
    "MiningProgress",
    "MiningResult",
    "Missing",
    "PackageResult",
    "Runtime",
    "Warned",
    "mine",
    "read_since",
]
