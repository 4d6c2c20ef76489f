from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libdrift.metrics import edits
from libdrift.metrics.edits import EditBackend

TEXT = st.text(alphabet="ab (\n", max_size=30)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("abc", "abc", 1),
        ("", "", 1),
        ("", "a", 0),
        ("abc", "xyz", 0),
        ("ab", "abcd", 4 / 6),
        ("abcd", "acbd", 6 / 8),
    ],
)
def test_similarity(first: str, second: str, expected: float) -> None:
    assert edits.similarity(first, second) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("first", "second", "levenshtein", "difflib"),
    [
        ("plt.plot(x)", " plt.plot(x)\n", 100, 100),
        ("", "  ", 100, 100),
        ("", "a", 0, 0),
        ("ab", "abcd", 67, 67),
        ("tacobell", "bellaco", 53, 53),
        # The longest block first, which leaves less around it.
        ("abcabba", "cbabac", 62, 46),
        # In long texts difflib leaves out what is frequent.
        ("ab" * 60 + "c" * 90, "c" * 90 + "ab" * 60, 57, 0),
    ],
)
def test_the_two_backends_of_the_released_programs(
    first: str, second: str, levenshtein: int, difflib: int
) -> None:
    assert edits.released_similarity(first, second) == levenshtein
    assert edits.released_similarity(first, second, EditBackend.DIFFLIB) == difflib


@given(TEXT, TEXT)
@settings(max_examples=80, deadline=None)
def test_ranges_symmetry_and_self(first: str, second: str) -> None:
    assert 0 <= edits.similarity(first, second) <= 1
    assert edits.similarity(first, second) == edits.similarity(second, first)
    assert edits.similarity(first, first) == 1
    assert (edits.similarity(first, second) == 1) is (first == second)
    for backend in EditBackend:
        assert 0 <= edits.released_similarity(first, second, backend) <= 100
        assert edits.released_similarity(first, first, backend) == 100
