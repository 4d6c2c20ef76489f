from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdrift.metrics.likeness import (
    Likeness,
    ReleasedLikeness,
    closest,
    fixed,
)
from libdrift.metrics.names import names_by_line

NAMES = st.lists(st.text("ab_", max_size=4), max_size=5)
CODE = st.lists(
    st.sampled_from(["ab", "abc", "b", "(", ")", "'", " ", "\n", ".", "if ", "1", "f'{b}'"]),
    max_size=8,
).map("".join)


def word_for_word(ours: list[str], theirs: list[str], *, fair: bool = False) -> float:
    """The definition, pair by pair."""
    best, longer = 0, 1
    for one, other in itertools.product(ours, theirs):
        common = sum(1 for _ in itertools.takewhile(lambda p: p[0] == p[1], zip(one, other)))  # noqa: B905
        length = max(len(one), len(other))
        if common > best or (fair and common == best > 0 and length < longer):
            best, longer = common, length
    return best / longer


@pytest.mark.parametrize(
    ("ours", "theirs", "first", "fair"),
    [
        (["generate"], ["generate"], 1.0, 1.0),
        (
            ["keras", "preprocessing"],
            ["preprocess", "keras"],
            10 / 13,
            10 / 13,
        ),  # longest, not best
        (["abx", "ab"], ["aby"], 2 / 3, 2 / 3),
        (["abxyz", "ab"], ["abc", "q"], 2 / 5, 2 / 3),
        (["abx"], ["abyyy", "aby"], 2 / 5, 2 / 3),
        (["abx", "ab"], ["ab"], 2 / 3, 1.0),
        (["px", "abx"], ["px", "abxyyy", "abxy"], 3 / 6, 3 / 4),  # longer than what both have
        (["a"], ["b"], 0.0, 0.0),
        ([""], [""], 0.0, 0.0),
        ([], ["a"], 0.0, 0.0),
    ],
)
def test_closest(ours: list[str], theirs: list[str], first: float, fair: float) -> None:
    pair = dict.fromkeys(ours), dict.fromkeys(theirs)
    assert closest(*pair) == first
    assert closest(*pair, fair=True) == fair


@given(NAMES, NAMES)
def test_closest_is_the_definition(ours: list[str], theirs: list[str]) -> None:
    pair = dict.fromkeys(ours), dict.fromkeys(theirs)
    assert closest(*pair) == word_for_word(ours, theirs)
    assert closest(*pair, fair=True) == word_for_word(ours, theirs, fair=True)
    lines = dict.fromkeys(map(tuple, ours)), dict.fromkeys(map(tuple, theirs))
    assert closest(*lines) == closest(*pair)


@given(CODE, CODE)
def test_ranges_and_symmetry(one: str, other: str) -> None:
    ours, theirs = names_by_line(one), names_by_line(other)
    assert fixed(ours, theirs) == fixed(theirs, ours)
    assert fixed(ours, ours) == Likeness(1.0, 1.0)
    core = ReleasedLikeness(one)
    found = fixed(ours, theirs)
    for value in (found.ism, found.pm, core.ism(other), core.pm(other)):
        assert 0 <= value <= 1


@pytest.mark.parametrize(
    ("reference", "output", "ism", "pm"),
    [
        ("x = f(a, b)", "x = f(a)", 1.0, 3 / 4),
        ("results = task.compute(", "results = task.compute(", 1.0, 1.0),
        ("results = task.compute(", "results = task.compute(model)", 1.0, 3 / 4),
        ("print(f'{tf.reduce_all(x)}')", "tf.reduce_all(x)", 1.0, 0.0),
        ("def f():\n    '''a\n    b'''\n    return g", "'''\nreturn g\n'''\nreturn g", 1.0, 1.0),
        ("px.scatter", "px.scatterplot.scatterr", 7 / 8, 1 / 3),
        ("1 + 1", "2", 1.0, 1.0),
        ("1 + 1", "x", 0.0, 0.0),
    ],
)
def test_fixed(reference: str, output: str, ism: float, pm: float) -> None:
    ours, theirs = names_by_line(reference), names_by_line(output)
    assert fixed(ours, theirs) == fixed(theirs, ours) == Likeness(ism, pm)
