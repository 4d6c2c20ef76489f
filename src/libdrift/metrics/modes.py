"""Two ways to compute a published metric."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """``released`` gives the authors' numbers, with the defects of their programs.

    ``fixed``, the default everywhere, repairs those; each metric says which.
    """

    FIXED = "fixed"
    RELEASED = "released"


class Expected(StrEnum):
    """What scripts whose output is compared are expected to print."""

    MEASURED = "measured"  # what the original prints, run where it belongs
    PUBLISHED = "published"  # what the authors recorded
