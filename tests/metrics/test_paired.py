from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from libdrift.metrics.intervals import wilson
from libdrift.metrics.paired import difference_interval, mcnemar, signs

COUNTS = st.integers(0, 400)


@given(first=COUNTS, second=COUNTS)
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int) -> None:
    n = first + second
    expected = stats.binomtest(first, n, 0.5).pvalue if n else 1.0
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-9)
    assert mcnemar(first, second) == mcnemar(second, first)


def test_mcnemar_of_counts_only() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(1, 9) == pytest.approx(0.021484375)
    with pytest.raises(ValueError, match="no counts"):
        mcnemar(-1, 2)


def test_signs_pass_over_what_rounding_makes() -> None:
    assert signs([0.1 + 0.2 - 0.3, -0.5, 1.0, 0.25, 0.0]) == (1, 2)


@given(n=st.integers(1, 60), m=st.integers(1, 60), data=st.data())
def test_newcombes_interval(n: int, m: int, data: st.DataObject) -> None:
    right, other = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    first, second = (right / n, *wilson(right, n)), (other / m, *wilson(other, m))
    low, high = difference_interval(first, second)
    assert -1 <= low <= other / m - right / n <= high <= 1
    assert low < high
    turned = difference_interval(second, first)
    assert turned == pytest.approx((-high, -low))


def test_newcombes_own_example() -> None:
    # 56/70 against 48/80 (Newcombe 1998, method 10): 0.0524 to 0.3339.
    first, second = (48 / 80, *wilson(48, 80)), (56 / 70, *wilson(56, 70))
    assert difference_interval(first, second) == pytest.approx((0.0524, 0.3339), abs=1e-4)
