"""Figures of answers to different tasks, each of which is one."""

from __future__ import annotations

from collections.abc import Iterable

from libdrift.metrics.identifiers import Comparison, IdentifierSummary, Tally
from libdrift.metrics.modes import Mode


def micro(comparisons: Iterable[Comparison], mode: Mode = Mode.FIXED) -> IdentifierSummary:
    return _tally(comparisons, mode).micro()


def macro(comparisons: Iterable[Comparison], mode: Mode = Mode.FIXED) -> IdentifierSummary:
    return _tally(comparisons, mode).macro()


def _tally(comparisons: Iterable[Comparison], mode: Mode) -> Tally:
    tally = Tally(mode)
    for comparison in comparisons:
        tally.add([comparison])
    return tally
