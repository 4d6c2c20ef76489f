"""Intervals of shares that mean something also of one outcome, and where all outcomes are equal."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeGuard

LEVEL = 0.95
_ROUNDING = 1e-9


def wilson(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share of independent outcomes (Wilson 1927).

    ``n`` may be the number that dependent outcomes are worth, and no whole number.
    """
    if n <= 0 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} outcomes cannot be right")
    z = _normal(level)
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding must not leave the value outside of its own interval.
    return max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p))


def varies(stderr: float | None) -> TypeGuard[float]:
    """Whether outcomes differ at all: by more than rounding makes of equal ones."""
    return stderr is not None and stderr > _ROUNDING


def clustered_interval(
    value: float,
    stderr: float | None,
    clusters: int,
    *,
    share: bool = True,
    level: float = LEVEL,
) -> tuple[float | None, float | None]:
    """The interval of a mean over clusters that are independent, such as tasks.

    Of a share: Wilson's, with the number of outcomes that give the same standard error, less what
    few clusters take from it (Korn and Graubard 1998); where nothing varies, the clusters alone
    count. Of another amount: Student's t, and nothing of a single cluster.
    """
    if not share:
        if stderr is None or clusters < 2:  # noqa: PLR2004 - one cluster does not vary
            return None, None
        half = _student(level, clusters - 1) * stderr
        return value - half, value + half
    worth = float(clusters)
    if varies(stderr) and clusters > 1:
        worth = max(value * (1 - value) / stderr**2, 1.0)
        worth *= (_normal(level) / _student(level, clusters - 1)) ** 2
    value = min(1.0, max(0.0, value))
    return wilson(value * worth, worth, level)


@lru_cache
def _normal(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=10_000)
def _student(level: float, freedom: int) -> float:
    from scipy import stats  # type: ignore[import-untyped]

    return float(stats.t.ppf((1 + level) / 2, freedom))
