"""Releases into the history: sources, the choice among what they offer, and the one way to mine."""

from libdrift.mining.events import (
    Event,
    FailedRelease,
    ListedPackage,
    MinedRelease,
    MiningProgress,
    MiningResult,
    MissingPackage,
    PackageResult,
    RunningExamples,
    TriedExamples,
    UntriedExamples,
    Warned,
)
from libdrift.mining.options import MiningOptions, Runtime, read_since
from libdrift.mining.running import mine

__all__ = [
    "Event",
    "FailedRelease",
    "ListedPackage",
    "MinedRelease",
    "MiningOptions",
    "MiningProgress",
    "MiningResult",
    "MissingPackage",
    "PackageResult",
    "RunningExamples",
    "Runtime",
    "TriedExamples",
    "UntriedExamples",
    "Warned",
    "mine",
    "read_since",
]
