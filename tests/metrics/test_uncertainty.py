from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics import uncertainty

VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=12)


def test_binomial_error() -> None:
    assert uncertainty.binomial_error(5, 10) == math.sqrt(0.025)
    assert uncertainty.binomial_error(0, 10) == uncertainty.binomial_error(10, 10) == 0
    assert uncertainty.binomial_error(0, 0) is None


@given(VALUES)
@settings(max_examples=50, deadline=None)
def test_one_value_a_problem_is_the_usual_error(values: list[float]) -> None:
    expected = statistics.stdev(values) / math.sqrt(len(values))
    found = uncertainty.clustered_error([[value] for value in values])
    assert found == pytest.approx(expected, abs=1e-9)


def test_samples_that_agree_add_nothing() -> None:
    values = [1.0, 0.0, 0.0, 1.0, 1.0]
    once = uncertainty.clustered_error([[value] for value in values])
    assert uncertainty.clustered_error([[value] * 6 for value in values]) == pytest.approx(once)
    # As if they were independent: too small by the root of the samples.
    assert uncertainty.clustered_error([[v] for v in values * 6]) < once / 2


@pytest.mark.parametrize(
    "clusters", [[], [(1.0, 2.0)], [(0.0, 0.0), (0.0, 0.0)]], ids=["none", "one", "nothing"]
)
def test_nothing_to_tell_an_error_from(clusters: list[tuple[float, float]]) -> None:
    assert uncertainty.ratio_error(clusters) is None
    assert uncertainty.bootstrap(clusters) is None


def test_a_ratio_by_hand() -> None:
    # R = 3 / 6; residuals 1 - 1, 2 - 1, 0 - 1.
    clusters = [(1.0, 2.0), (2.0, 2.0), (0.0, 2.0)]
    assert uncertainty.ratio_error(clusters) == pytest.approx(math.sqrt(3 / 2 * 2) / 6)


def test_the_bootstrap_agrees_with_the_formula_and_repeats() -> None:
    groups = [[float((i * 7 + j * 3) % 5 < 2) for j in range(1 + i % 3)] for i in range(200)]
    clusters = uncertainty.totals(groups)
    found = uncertainty.bootstrap(clusters, seed=3)
    assert found == uncertainty.bootstrap(clusters, seed=3)
    assert found != uncertainty.bootstrap(clusters, seed=4)
    assert found is not None
    assert found.stderr == pytest.approx(uncertainty.clustered_error(groups), rel=0.15)
    mean = sum(map(sum, groups)) / sum(map(len, groups))
    assert found.low < mean < found.high
    assert (found.high - found.low) == pytest.approx(2 * 1.96 * found.stderr, rel=0.15)
    narrow = uncertainty.bootstrap(clusters, seed=3, level=0.5)
    assert narrow is not None
    assert narrow.high - narrow.low < found.high - found.low


def test_clusters_without_weight_are_drawn_too() -> None:
    # Two draws in four have nothing to divide by; they are left out, and warn of nothing.
    found = uncertainty.bootstrap([(1.0, 1.0), (0.0, 0.0)], resamples=50)
    assert found == uncertainty.Interval(0.0, 1.0, 1.0)


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=2, max_size=6))
@settings(max_examples=20, deadline=None)
def test_intervals_are_ordered_and_in_range(groups: list[list[float]]) -> None:
    found = uncertainty.bootstrap(uncertainty.totals(groups), resamples=50)
    assert found is not None
    assert -1e-9 <= found.low <= found.high <= 1 + 1e-9
    assert found.stderr >= 0


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=30))
def test_sums_give_the_ratio_and_its_clustered_error(pairs: list[tuple[float, float]]) -> None:
    sums = uncertainty.RatioSums()
    for above, below in pairs:
        sums.add(above, below)
    below = math.fsum(b for _, b in pairs)
    if below < 1e-3:  # too little to divide by
        assert sums.clusters == len(pairs)
        return
    ratio, error = math.fsum(a for a, _ in pairs) / below, uncertainty.ratio_error(pairs)
    assert sums.value == pytest.approx(ratio)
    assert (sums.stderr is None) == (error is None)
    assert (sums.stderr or 0) == pytest.approx(error or 0, rel=1e-5, abs=1e-5 * max(1, ratio))
