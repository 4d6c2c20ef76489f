from __future__ import annotations

import random

import pytest

from libdrift.metrics.change_points import change_point
from libdrift.metrics.spread import permuted_difference, spread


def drawn(
    before: float, after: float, at: int, seed: int, days: int = 20
) -> tuple[list[int], list[float]]:
    """Five outcomes a day; from day ``at`` on another share of them is right."""
    chance = random.Random(seed)
    times = [day for day in range(days) for _ in range(5)]
    return times, [float(chance.random() < (before if day < at else after)) for day in times]


def test_a_clear_drop_is_found_where_it_is() -> None:
    times, y = drawn(0.9, 0.1, 12, seed=1)
    found = change_point(times, y)
    assert found is not None
    assert found.low <= 12 <= found.high
    assert abs(found.position - 12) <= 1
    assert found.p < 0.01
    assert found.before > 0.8
    assert found.after < 0.2


def test_a_flat_share_has_none() -> None:
    """Of fifty flat worlds about one in twenty looks like a drop, and no more."""
    alarms = 0
    for seed in range(50):
        found = change_point(*drawn(0.5, 0.5, 0, seed), resamples=200)
        alarms += found is not None and found.p <= 0.05
    assert alarms <= 7


def test_the_interval_holds_the_true_day_most_of_the_time() -> None:
    held = 0
    for seed in range(40):
        found = change_point(*drawn(0.8, 0.3, 8, seed), resamples=200)
        held += found is not None and found.low <= 8 <= found.high
    assert held >= 35


def test_a_rise_is_no_cut_off() -> None:
    found = change_point(*drawn(0.1, 0.9, 10, seed=3))
    assert found is not None
    assert found.p > 0.5


def test_harder_libraries_that_come_later_are_no_drop_within_them() -> None:
    times, y = drawn(1.0, 0.0, 10, seed=0)
    strata = ["easy" if day < 10 else "hard" for day in times]
    found = change_point(times, y, strata)
    assert found is not None
    assert found.p < 0.01
    assert found.p_within == 1


def test_one_day_has_no_before_and_after() -> None:
    assert change_point([0, 0, 0], [1.0, 0.0, 1.0]) is None
    assert change_point([], []) is None


@pytest.mark.parametrize(
    ("groups", "low", "high"),
    [
        ([[1.0] * 20, [0.0] * 20], 0.0, 0.001),
        ([[1.0, 0.0] * 10, [0.0, 1.0] * 10], 0.99, 1.0),
        ([[1.0, 1.0], [1.0]], 1.0, 1.0),
        ([[1.0], [0.0]], 0.9, 1.0),  # two outcomes say nothing
    ],
)
def test_spread(groups: list[list[float]], low: float, high: float) -> None:
    assert low <= spread(groups) <= high


def test_difference_of_two_groups() -> None:
    assert permuted_difference([], [1.0]) is None
    found = permuted_difference([1.0] * 15 + [0.0] * 5, [1.0] * 5 + [0.0] * 15)
    assert found is not None
    assert found < 0.01
