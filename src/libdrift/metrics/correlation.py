"""Correlation of two scores over the same systems or problems, with its p-value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Correlation:
    value: float
    p: float  # of a correlation that far from 0, or farther, where in truth there is none
    n: int


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
    return Correlation(min(1.0, max(-1.0, value)), float(found.pvalue), len(first))
