"""How far a score may be from the true one: standard errors and intervals.

Samples of one problem are not independent, so all but the binomial error count *problems*. A
score is a ratio of two sums over problems; a mean is the ratio of the values' sum to their number
(see ``totals``), and a micro F1 is the ratio of 2 TP to 2 TP + FP + FN.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    stderr: float
    low: float
    high: float


def binomial_error(successes: int, n: int) -> float | None:
    """sqrt(p (1 - p) / n) with p = successes / n: for one sample of each problem."""
    if n == 0:
        return None
    p = successes / n
    return math.sqrt(p * (1 - p) / n)


def totals(groups: Iterable[Sequence[float]]) -> list[tuple[float, float]]:
    """Sum and number of each problem's values, for the error of their mean."""
    return [(sum(values), len(values)) for values in groups if values]


def clustered_error(groups: Iterable[Sequence[float]]) -> float | None:
    """Standard error of the mean of all values, clustered by problem (a group is a problem's).

    With one value a problem it is the usual s / sqrt(n).
    """
    return ratio_error(totals(groups))


def ratio_error(clusters: Iterable[tuple[float, float]]) -> float | None:
    """Standard error of R = sum(a) / sum(b) over clusters (a, b), by linearisation.

    sqrt(k / (k - 1) * sum((a - R b)^2)) / sum(b), with k the number of clusters. ``None`` if there
    are fewer than two, or nothing to divide by.
    """
    pairs = list(clusters)
    above, below = math.fsum(a for a, _ in pairs), math.fsum(b for _, b in pairs)
    k = len(pairs)
    if k < 2 or below == 0:  # noqa: PLR2004 - one cluster does not vary
        return None
    ratio = above / below
    squares = math.fsum((a - ratio * b) ** 2 for a, b in pairs)
    return math.sqrt(k / (k - 1) * squares) / abs(below)


@dataclass(slots=True)
class RatioSums:
    """R = sum(a) / sum(b) and its error, from sums alone: clusters are added and forgotten."""

    clusters: int = 0
    above: float = 0.0
    below: float = 0.0
    squares: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of a, of a times b, of b

    def add(self, above: float, below: float) -> None:
        self.clusters += 1
        self.above += above
        self.below += below
        aa, ab, bb = self.squares
        self.squares = (aa + above * above, ab + above * below, bb + below * below)

    @property
    def value(self) -> float | None:
        return self.above / self.below if self.below else None

    @property
    def stderr(self) -> float | None:
        """As ``ratio_error`` has it."""
        ratio = self.value
        if self.clusters < 2 or ratio is None:  # noqa: PLR2004 - one cluster does not vary
            return None
        aa, ab, bb = self.squares
        squares = max(0.0, aa - 2 * ratio * ab + ratio * ratio * bb)
        return math.sqrt(self.clusters / (self.clusters - 1) * squares) / abs(self.below)


def bootstrap(
    clusters: Iterable[tuple[float, float]],
    *,
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> Interval | None:
    """Error and percentile interval of sum(a) / sum(b), over problems drawn with replacement.

    The same seed gives the same interval. ``None`` where ``ratio_error`` has none.
    """
    import numpy as np

    if resamples < 2:  # noqa: PLR2004 - one value does not vary
        raise ValueError(f"{resamples} resamples say nothing of an error")
    pairs = np.array(list(clusters), dtype=float).reshape(-1, 2)
    k = len(pairs)
    if k < 2 or pairs[:, 1].sum() == 0:  # noqa: PLR2004 - one cluster does not vary
        return None
    random = np.random.default_rng(seed)
    chances = np.full(k, 1 / k)
    sums = np.array([random.multinomial(k, chances) @ pairs for _ in range(resamples)])
    sums = sums[sums[:, 1] != 0]
    drawn = sums[:, 0] / sums[:, 1]
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(float(drawn.std(ddof=1)), float(low), float(high))
