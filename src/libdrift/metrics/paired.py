"""Two systems on the same problems: the exact test of their differences, and its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mcnemar(first_only: int, second_only: int) -> float:
    """McNemar's exact test: the two-sided p-value of so uneven a split of discordant problems.

    Under the hypothesis that neither system is better, each problem that only one of them solves
    is solved by either with the same chance: a binomial test with one half. Problems that both or
    neither solve say nothing. With no discordant problem p is 1.
    """
    if min(first_only, second_only) < 0:
        raise ValueError(f"{first_only} and {second_only} are no counts")
    n = first_only + second_only
    if n == 0:
        return 1.0
    from scipy import stats  # type: ignore[import-untyped]

    return min(1.0, 2 * float(stats.binom.cdf(min(first_only, second_only), n, 0.5)))


def signs(differences: Sequence[float]) -> tuple[int, int]:
    """How many differences are below zero, and above: of those that rounding did not make."""
    small = 1e-12
    return sum(one < -small for one in differences), sum(one > small for one in differences)


def difference_interval(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float]:
    """The interval of second - first, of independent shares (value, low, high).

    Newcombe's (1998), from the intervals of the two: it has a width also of one outcome.
    """
    p, low_p, high_p = first
    q, low_q, high_q = second
    below = math.sqrt((q - low_q) ** 2 + (high_p - p) ** 2)
    above = math.sqrt((high_q - q) ** 2 + (p - low_p) ** 2)
    return max(-1.0, q - p - below), min(1.0, q - p + above)
