from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.at_k import (
    best_at_k,
    pass_at_k,
    released_best_at_k,
    released_pass_at_k,
)

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (10, 3, 1, 0.30000000000000004),
        (6, 5, 3, 1.0),
        (6, 2, 3, 0.8),
        (6, 0, 3, 0.0),
        (1, 1, 1, 1.0),
    ],
)
def test_pass_at_k(n: int, c: int, k: int, expected: float) -> None:
    assert pass_at_k(n, c, k) == released_pass_at_k(n, c, k) == expected


def test_thousands_of_samples_lose_nothing() -> None:
    exact = 1 - Fraction(math.comb(4_000, 900), math.comb(5_000, 900))
    assert pass_at_k(5_000, 1_000, 900) == pytest.approx(float(exact), abs=1e-15)
    assert best_at_k([0.5] * 1_100, 550) == 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: pass_at_k(2, 1, 3),
        lambda: pass_at_k(2, 3, 1),
        lambda: pass_at_k(2, -1, 1),
        lambda: pass_at_k(2, 1, 0),
        lambda: best_at_k([0.5], 2),
        lambda: best_at_k([], 1),
    ],
)
def test_too_few_samples_say_nothing(wrong: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match="samples"):
        wrong()


def test_as_released_too_few_samples_are_right() -> None:
    assert released_pass_at_k(1, 0, 3) == 1.0


def test_as_released_the_order_of_scores_counts() -> None:
    assert released_best_at_k([0, 1], 2) == 0.0
    assert released_best_at_k([1, 0], 2) == best_at_k([0, 1], 2) == 1.0


def test_rounding_leaves_no_mean_out_of_range() -> None:
    assert released_best_at_k([0.7] * 8, 3) > 0.7
    assert best_at_k([0.7] * 8, 3) == 0.7


@given(SCORES, st.integers(1, 12))
def test_the_best_of_every_draw(scores: list[float], k: int) -> None:
    k = min(k, len(scores))
    draws = [max(draw) for draw in itertools.combinations(scores, k)]
    assert best_at_k(scores, k) == pytest.approx(sum(draws) / len(draws), abs=1e-12)


@given(SCORES)
def test_more_samples_are_never_worse(scores: list[float]) -> None:
    best = [best_at_k(scores, k) for k in range(1, len(scores) + 1)]
    right = sum(score > 0.5 for score in scores)
    passed = [pass_at_k(len(scores), right, k) for k in range(1, len(scores) + 1)]
    for values in (best, passed):
        assert all(b >= a - 1e-12 for a, b in itertools.pairwise(values))
        assert all(0 <= value <= 1 for value in values)
    assert all(min(scores) <= value <= max(scores) for value in best)
    assert best[-1] == pytest.approx(max(scores))
