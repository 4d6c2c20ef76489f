"""Whether groups of outcomes differ by more than chance, by permutation."""

from __future__ import annotations

from collections.abc import Sequence

_RESAMPLES = 2000
_AT_ONCE = 1_000_000  # values that are held


def spread(groups: Sequence[Sequence[float]], *, seed: int = 0) -> float:
    """The p-value of group means that vary as much, if outcomes belong to any group alike.

    The statistic is the sum of squares between groups. Where nothing varies, p is 1.
    """
    import numpy as np

    ordered = sorted(sorted(group) for group in groups if group)  # in no caller's order
    sizes = [len(group) for group in ordered]
    values = np.array([value for group in ordered for value in group], dtype=float)
    if len(values) < 2 or np.ptp(values) == 0:  # noqa: PLR2004 - one value does not vary
        return 1.0
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
    weights = np.asarray(sizes, dtype=float)

    def between(drawn: np.ndarray) -> np.ndarray:
        means = np.add.reduceat(drawn, starts, axis=-1) / weights
        found: np.ndarray = ((means - values.mean()) ** 2 * weights).sum(axis=-1)
        return found

    seen = between(values)
    random = np.random.default_rng(seed)
    above, left = 0, _RESAMPLES
    while left:
        many = min(left, max(1, _AT_ONCE // len(values)))
        drawn = random.permuted(np.tile(values, (many, 1)), axis=1)
        above += int((between(drawn) >= seen - 1e-9).sum())
        left -= many
    return (1 + above) / (1 + _RESAMPLES)


def permuted_difference(
    first: Sequence[float], second: Sequence[float], *, seed: int = 0
) -> float | None:
    """The two-sided p-value of means as far apart; ``None`` where a side is empty.

    Of two groups the sum of squares between them grows with the difference of their means, so that
    this is the same test.
    """
    return spread([first, second], seed=seed) if first and second else None
