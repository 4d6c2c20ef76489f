from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.rates import success_rate

OUTCOMES = st.dictionaries(st.text(max_size=3), st.lists(st.booleans(), max_size=5), max_size=8)


def test_one_sample_each_is_binomial() -> None:
    rate = success_rate({"a": [True], "b": [True], "c": [False], "d": [True]})
    assert (rate.value, rate.n) == (0.75, 4)
    assert rate.stderr == pytest.approx(math.sqrt(0.75 * 0.25 / 4))


def test_tasks_weigh_the_same_however_many_samples_they_have() -> None:
    rate = success_rate({"a": [True, True, True, True], "b": [False]})
    assert rate.value == 0.5
    assert rate.stderr == pytest.approx(0.5)
    assert rate.n == 5


def test_no_data_is_none_not_zero() -> None:
    assert success_rate({}).value is None
    assert success_rate({"a": []}).value is None
    assert success_rate({"a": [True, False]}).stderr is None


@given(OUTCOMES)
def test_a_rate_is_a_share(outcomes: dict[str, list[bool]]) -> None:
    rate = success_rate(outcomes)
    assert rate.n == sum(map(len, outcomes.values()))
    if rate.value is None:
        assert rate.n == 0
    else:
        assert 0 <= rate.value <= 1
        flipped = success_rate({k: [not v for v in values] for k, values in outcomes.items()})
        assert flipped.value == pytest.approx(1 - rate.value)
        assert flipped.stderr == (None if rate.stderr is None else pytest.approx(rate.stderr))
