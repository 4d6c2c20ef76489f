"""When a share drops for good: the change point of outcomes in time, by likelihood.

Of outcomes y in the order of their dates, the model is a share p up to a date and q from then on,
with q < p; the null is one share throughout. The estimate is the date that makes the outcomes most
likely, its statistic twice the gain in log-likelihood over the null. Since that is the best of many
dates, its p-value is taken from permutations of the outcomes, and the interval from simulations of
the fitted model: all dates that the outcomes make no less likely than they would the true one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """Positions are indices of the distinct times, in order: the first after the change."""

    position: int
    low: int
    high: int
    before: float  # share
    after: float
    statistic: float
    p: float
    p_within: float  # by permutations within strata; 1 where no stratum has two dates


def change_point(
    times: Sequence[int],
    outcomes: Sequence[float],
    strata: Sequence[str] = (),
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> ChangePoint | None:
    """The drop of outcomes in [0, 1] by their times; ``None`` where there are not two times.

    ``times`` are any numbers that are ordered as the dates are. ``strata`` (such as libraries) say
    within which outcomes are exchanged for the second p-value: a drop that is only one of harder
    strata that come later is not seen there.
    """
    import numpy as np

    groups_of = strata or [""] * len(times)
    # In an order of their own: what chance draws must not hang on the caller's.
    rows = sorted(zip(times, groups_of, outcomes, strict=True))
    when = np.unique([time for time, _, _ in rows], return_inverse=True)[1]
    y = np.array([outcome for _, _, outcome in rows], dtype=float)
    count = int(when.max()) + 1 if rows else 0
    if count < 2:  # noqa: PLR2004 - one date has no before and after
        return None
    n = np.bincount(when, minlength=count).astype(float)
    random = np.random.default_rng(seed)
    profile = _profile(_sums(when, y, count)[None, :], n)[0]
    best = int(profile.argmax())
    statistic = float(profile[best])
    seen = _permuted(when, y, n, random, [np.arange(len(y))], resamples)
    named = np.array([group for _, group, _ in rows])
    groups = [np.flatnonzero(named == one) for one in sorted(set(groups_of))]
    within = _permuted(when, y, n, random, groups, resamples) if strata else seen
    cuts = np.cumsum(n)[:-1]
    sums = np.cumsum(_sums(when, y, count))
    before = float(sums[best] / cuts[best])
    after = float((sums[-1] - sums[best]) / (n.sum() - cuts[best]))
    allowed = _threshold(n, best, (before, after), random, resamples)
    inside = np.flatnonzero(profile >= statistic - allowed)
    return ChangePoint(
        best + 1,
        int(inside.min()) + 1,
        int(inside.max()) + 1,
        before,
        after,
        statistic,
        _share_above(seen, statistic),
        _share_above(within, statistic),
    )


def _share_above(seen: Floats, statistic: float) -> float:
    """How often chance does as well; the outcomes themselves count as one of the chances."""
    return float((1 + (seen >= statistic - 1e-9).sum()) / (1 + len(seen)))


def _sums(when: NDArray[np.int64], y: Floats, count: int) -> Floats:
    import numpy as np

    return np.bincount(when, weights=y, minlength=count).astype(float)


def _profile(sums: Floats, n: Floats) -> Floats:
    """Twice the log-likelihood gained by a drop behind each date but the last; 0 where it rises."""
    import numpy as np

    cut = np.cumsum(n)[:-1]
    total = n.sum()
    left = np.cumsum(sums, axis=1)
    whole = left[:, -1:]
    left = left[:, :-1]
    right = whole - left
    gain = _likelihood(left, cut) + _likelihood(right, total - cut) - _likelihood(whole, total)
    drops = left * (total - cut) > right * cut
    return np.where(drops, 2 * gain, 0.0)


def _likelihood(right: Floats, n: Floats | float) -> Floats:
    """Log-likelihood of so many right ones of n, at their own share."""
    from scipy.special import xlogy  # type: ignore[import-untyped]

    found: Floats = xlogy(right, right / n) + xlogy(n - right, 1 - right / n)
    return found


def _permuted(
    when: NDArray[np.int64],
    y: Floats,
    n: Floats,
    random: np.random.Generator,
    groups: Sequence[NDArray[np.int64]],
    resamples: int,
) -> Floats:
    import numpy as np

    sums = np.empty((resamples, len(n)))
    mixed = y.copy()
    for at in range(resamples):
        for group in groups:
            mixed[group] = y[random.permutation(group)]
        sums[at] = _sums(when, mixed, len(n))
    return np.asarray(_profile(sums, n).max(axis=1))


def _threshold(
    n: Floats,
    best: int,
    shares: tuple[float, float],
    random: np.random.Generator,
    resamples: int,
) -> float:
    """How much likelier than the true date the best one is, in all but 5 % of fitted worlds."""
    import numpy as np

    p = np.where(np.arange(len(n)) <= best, *shares)
    sums = random.binomial(n.astype(int), p, size=(resamples, len(n))).astype(float)
    profile = _profile(sums, n)
    return float(np.quantile(profile.max(axis=1) - profile[:, best], _LEVEL))
