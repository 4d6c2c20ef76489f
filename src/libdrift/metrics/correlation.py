"""Correlation of two scores over the same systems or problems, with its p-value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

_FEWEST = 3
_NORMAL = 1.959963984540054  # of 95 %


@dataclass(frozen=True, slots=True)
class Correlation:
    value: float
    p: float  # of a correlation that far from 0, or farther, where in truth there is none
    n: int
    # Of 95 %, by Fisher's transformation; None of three points, whose correlation may be any.
    low: float | None = None
    high: float | None = None


def pearson(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Pearson's r: the covariance over the product of the standard deviations.

    The p-value is of Student's t with n - 2 degrees of freedom, two-sided. ``None`` where r is not
    defined: a constant side, fewer than three points, a value that is not finite.
    """
    return _correlation("pearsonr", first, second)


def spearman(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Spearman's rho: Pearson's r of the ranks, ties with their mean rank. ``None`` as there."""
    return _correlation("spearmanr", first, second)


def _correlation(
    function: str, first: Sequence[float], second: Sequence[float]
) -> Correlation | None:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values cannot be paired with {len(second)}")
    if len(first) < _FEWEST or not all(map(math.isfinite, [*first, *second])):
        return None
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    from scipy import stats  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "nearly constant", "overflow": seen below
        found = getattr(stats, function)(first, second)
    value = float(found.statistic)
    if not math.isfinite(value):
        return None  # so close or so large that arithmetic has no answer
    # Rounding may leave the range by one unit in the last place.
    value = min(1.0, max(-1.0, value))
    interval = _interval(value, len(first), ranks=function == "spearmanr")
    return Correlation(value, float(found.pvalue), len(first), *interval)


def _interval(value: float, n: int, *, ranks: bool) -> tuple[float | None, float | None]:
    """tanh(atanh(r) ± 1.96 s), s² = 1 / (n - 3); of ranks (1 + rho² / 2) / (n - 3).

    Fisher (1921); Bonett and Wright (2000) for Spearman's.
    """
    if n <= _FEWEST:
        return None, None
    if abs(value) == 1:
        return value, value
    middle = math.atanh(value)
    half = _NORMAL * math.sqrt((1 + value * value / 2 if ranks else 1) / (n - _FEWEST))
    return math.tanh(middle - half), math.tanh(middle + half)
