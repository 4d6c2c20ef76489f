"""What n samples of a task say of k: pass@k, the mean of the best of k, any of the first k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of k samples, drawn from n of which c are right, is right.

    1 - C(n-c, k)/C(n, k) (Chen et al. 2021, the unbiased estimator); also EM@k and CDC@k of
    VersiCode. Fewer samples than k say nothing of k: that is an error here, where the released
    programs give 1.
    """
    _check(n, k)
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} samples cannot be right")
    return released_pass_at_k(n, c, k)


def released_pass_at_k(n: int, c: int, k: int) -> float:
    """As released: 1 also where there are fewer than k samples, even if none is right."""
    if n - c < k:
        return 1.0
    return 1 - math.comb(n - c, k) / math.comb(n, k)


def best_at_k(scores: Sequence[float], k: int) -> float:
    """The mean over all draws of k samples of the best score in the draw: ISM@k, PM@k.

    Σ C(n-i, k-1)·s_i / C(n, k) over the scores s_1 ≥ s_2 ≥ …, i up to n-k+1 (VersiCode). Fewer
    scores than k are an error, in words; the released programs divide by zero.
    """
    _check(len(scores), k)
    ordered = sorted(scores, reverse=True)
    try:
        mean = released_best_at_k(ordered, k)
    except OverflowError:  # the weights of some thousand samples are beyond a float
        exact = sum(Fraction(score) * weight for score, weight in _weighted(ordered, k))
        mean = float(exact / math.comb(len(scores), k))
    return min(max(mean, ordered[-1]), ordered[0])  # rounding may leave the range


def released_best_at_k(scores: Sequence[float], k: int) -> float:
    """As released: of scores in the order that the caller gives them, which should be descending.

    Fewer than k scores are a ``ZeroDivisionError``.
    """
    total: float = 0
    for score, weight in _weighted(scores, k):
        total += weight * score
    return total / math.comb(len(scores), k)


def _weighted(scores: Sequence[float], k: int) -> list[tuple[float, int]]:
    """Each score with the number of draws that it is the best of, if the best score is first."""
    n = len(scores)
    counted = scores[: max(0, n - k + 1)]
    return [(score, math.comb(n - i, k - 1)) for i, score in enumerate(counted, start=1)]


def _check(n: int, k: int) -> None:
    if k < 1:
        raise ValueError(f"k is a number of samples, at least 1, not {k}")
    if n < k:
        raise ValueError(f"{n} samples say nothing of {k}")
