from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.suites.libevolutioneval.truncation import count_tokens, truncated


@pytest.mark.parametrize(
    ("text", "limit", "left", "right"),
    [
        ("alpha beta(gamma)", 9, "alpha beta(gamma)", "alpha beta(gamma)"),
        ("alpha beta(gamma)", 5, "alpha beta(gamma)", "alpha beta(gamma)"),
        ("alpha beta(gamma)", 4, "beta(gamma)", "alpha beta(gamma"),
        ("alpha beta(gamma)", 1, ")", "alpha"),
        ("alpha beta(gamma)", 0, "", ""),
        ("alpha beta(gamma)", -3, "", ""),
        ("x = 1\n    y = 2\n    ", 2, "= 2\n    ", "x ="),
        ("", 0, "", ""),
    ],
)
def test_whole_tokens_next_to_the_gap_stay(text: str, limit: int, left: str, right: str) -> None:
    assert truncated(text, limit, side="left") == left
    assert truncated(text, limit, side="right") == right


@settings(max_examples=60)
@given(st.text(alphabet="ab_1 .(\n", max_size=60), st.integers(0, 40))
def test_it_is_as_long_as_it_may_be(text: str, limit: int) -> None:
    left, right = truncated(text, limit, side="left"), truncated(text, limit, side="right")
    assert text.endswith(left)
    assert text.startswith(right)
    kept = min(limit, count_tokens(text))
    assert count_tokens(left) == count_tokens(right) == kept


def test_any_way_of_counting() -> None:
    assert truncated("alpha beta gamma", 8, len, "left") == "gamma"
    assert truncated("alpha beta gamma", 12, len, "right") == "alpha beta"
    assert truncated("alphabet", 3, len) == "", "no token is cut in two"
