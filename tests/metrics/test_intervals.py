from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from libdrift.metrics.intervals import clustered_interval, wilson


@given(n=st.integers(1, 500), data=st.data())
def test_wilson_is_scipys(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    found = stats.binomtest(right, n).proportion_ci(0.95, method="wilson")
    assert wilson(right, n) == pytest.approx((found.low, found.high), abs=1e-12)


@given(n=st.integers(1, 200), data=st.data())
def test_more_of_the_same_is_surer(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    few, many = wilson(right, n), wilson(2 * right, 2 * n)
    assert 0 <= few[0] <= right / n <= few[1] <= 1
    assert few[0] < few[1]  # also of one outcome, and where all are equal
    assert many[1] - many[0] < few[1] - few[0]


@given(
    value=st.floats(0, 1),
    stderr=st.one_of(st.none(), st.floats(0, 1e-9), st.floats(1e-4, 0.5)),
    clusters=st.integers(1, 100),
)
def test_an_interval_of_clusters_holds_its_value(
    value: float, stderr: float | None, clusters: int
) -> None:
    low, high = clustered_interval(value, stderr, clusters)
    assert low is not None
    assert high is not None
    assert 0 <= low <= value <= high <= 1
    assert low < high


def test_clusters_count_and_not_their_answers() -> None:
    # Ten tasks of which five are always right: as ten outcomes, however many answers there were.
    half = (0.25 / 9) ** 0.5
    low, high = clustered_interval(0.5, half, 10)
    wide = wilson(5, 10)
    assert low is not None
    assert high is not None
    assert low == pytest.approx(wide[0], abs=0.05)
    assert low < wide[0]  # few clusters know their own spread less well
    assert high > wide[1]


def test_amounts_are_no_shares() -> None:
    low, high = clustered_interval(7.5, 1.0, 11, share=False)
    assert (low, high) == pytest.approx((7.5 - 2.228, 7.5 + 2.228), abs=0.001)
    assert clustered_interval(7.5, None, 1, share=False) == (None, None)


@pytest.mark.parametrize(("right", "n"), [(0, 0), (2, 1), (-1, 1)])
def test_no_share_no_interval(right: int, n: int) -> None:
    with pytest.raises(ValueError, match="cannot be right"):
        wilson(right, n)
