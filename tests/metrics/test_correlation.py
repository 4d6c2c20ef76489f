from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics.correlation import pearson, spearman

PAIRS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=12)


def test_by_hand() -> None:
    found = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    assert found is not None
    assert (found.value, found.p, found.n) == (pytest.approx(0.8), pytest.approx(0.2), 4)
    # The same ranks, another scale.
    ranks = spearman([1, 2, 3, 4], [10, 300, 20, 4000])
    assert ranks is not None
    assert ranks.value == pytest.approx(0.8)
    # Ties have their mean rank: 1, 2.5, 2.5, 4.
    tied = spearman([1, 2, 2, 3], [1, 2, 3, 4])
    assert tied is not None
    assert tied.value == pytest.approx(4.5 / math.sqrt(4.5 * 5))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([], []),
        ([1, 2], [2, 1]),
        ([1, 1, 1], [1, 2, 3]),
        ([1, 2, 3], [0.5, 0.5, 0.5]),
        ([1, 2, math.nan], [1, 2, 3]),
        ([1, 2, 3], [1, math.inf, 3]),
    ],
)
def test_where_it_is_not_defined(first: list[float], second: list[float]) -> None:
    assert pearson(first, second) is None
    assert spearman(first, second) is None


def test_nearly_constant_and_huge_values_do_not_warn() -> None:
    assert pearson([1e16, 1e16 + 2, 1e16], [1, 2, 3]) is not None
    pearson([1e308, -1e308, 1e308], [1, 2, 3])
    assert spearman([1e308, -1e308, 1e307], [1, 2, 3]) is not None


def test_sides_of_different_lengths_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 values cannot be paired with 2"):
        pearson([1, 2, 3], [1, 2])


@given(PAIRS)
@settings(max_examples=50, deadline=None)
def test_range_symmetry_and_self(pairs: list[tuple[int, int]]) -> None:
    first, second = ([pair[i] for pair in pairs] for i in range(2))
    for correlate in (pearson, spearman):
        found, swapped = correlate(first, second), correlate(second, first)
        itself = correlate(first, first)
        assert (itself is None) is (len(set(first)) == 1)
        assert itself is None or itself.value == pytest.approx(1)
        if found is None or swapped is None:
            assert found is swapped is None
            continue
        assert -1 <= found.value <= 1
        assert 0 <= found.p <= 1
        assert found.value == pytest.approx(swapped.value)
        opposite = correlate(first, [-value for value in second])
        assert opposite is not None
        assert opposite.value == pytest.approx(-found.value)
