from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.agreement import Agreement, agreement

VERDICTS = st.lists(st.tuples(*[st.sampled_from([True, False, None])] * 2), max_size=20)


@pytest.mark.parametrize(
    ("counts", "raw", "kappa"),
    [
        # both, only the first, only the second, neither: tables of text books
        ((20, 5, 10, 15), 0.7, 0.4),
        ((45, 15, 25, 15), 0.6, 0.1304),
        ((25, 35, 5, 35), 0.6, 0.2593),
        ((5, 0, 0, 5), 1.0, 1.0),
        ((0, 5, 5, 0), 0.0, -1.0),
        # one of both says always the same: no better than chance, and defined
        ((3, 7, 0, 0), 0.3, 0.0),
        # both do: chance agrees always
        ((7, 0, 0, 0), 1.0, None),
        ((0, 0, 0, 7), 1.0, None),
        ((0, 7, 0, 0), 0.0, 0.0),
        ((0, 0, 0, 0), None, None),
    ],
)
def test_known_values(
    counts: tuple[int, int, int, int], raw: float | None, kappa: float | None
) -> None:
    found = Agreement(*counts)
    assert found.n == sum(counts)
    assert found.raw == (None if raw is None else pytest.approx(raw))
    assert found.kappa == (None if kappa is None else pytest.approx(kappa, abs=5e-5))


def test_verdicts_are_paired_and_those_without_one_are_left_out() -> None:
    first = [True, True, False, False, None, True, None]
    second = [True, False, True, False, True, None, None]
    found = agreement(first, second)
    assert found == Agreement(1, 1, 1, 1, left_out=3)
    assert found.to_json() == {
        "n": 4,
        "agreement": 0.5,
        "kappa": 0.0,
        "both_yes": 1,
        "only_first": 1,
        "only_second": 1,
        "both_no": 1,
        "left_out": 3,
    }


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 verdicts cannot be paired with 1"):
        agreement([True, False], [True])


@given(VERDICTS)
def test_who_comes_first_changes_nothing(pairs: list[tuple[bool | None, bool | None]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = agreement(first, second), agreement(second, first)
    assert (one.raw, one.kappa, one.left_out) == (other.raw, other.kappa, other.left_out)
    assert one.n + one.left_out == len(pairs)
    assert one.kappa is None or -1 <= one.kappa <= 1
