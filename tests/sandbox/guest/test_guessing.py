"""How hard values are to guess: those of libraries as Python's own, parts of arguments as choices."""

from __future__ import annotations

import enum
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Guest = Callable[[str], ModuleType]


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (None, 0),
        (True, 1),
        (3, 3),
        (2.5, 8),
        ("float64", 5),  # one of few words
        ("no word", 16),
        ([True, 2.5], 11),
        (int, 3),
        (Colour.RED, 3),
        (ValueError("no"), 3),
        (object(), 8),
    ],
    ids=lambda given: type(given).__name__ if type(given) is object else repr(given),
)
def test_what_is_likely_is_easy_to_guess(value: object, bits: int, guest: Guest) -> None:
    assert guest("guessing").bits_of(value) == bits


@pytest.mark.parametrize(
    ("given", "value", "bits"),
    [
        ([["apple", "a long word"]], "a long word", 3),  # or "apple", or "word"
        ([[300, 100]], 100, 1),
        ([[300, 100]], 200, 8),
        ([{"a": 999.5}], 999.5, 1),
        ([[300, 100, 200]], [100, 200, 300], 3),  # in another order
        ([[300, 100, 200, 400]], [100, 400], 4),  # some of them
        ([[300, 100, 200]], [[200], (100, 300)], 3),  # divided
        ([[300, 100]], [100, 999], 11),
        ([[3.5]], [3.5], 1),
        ([], "apples and pears", 16),
    ],
)
def test_parts_of_arguments_are_easy_to_guess(
    given: list[Any], value: object, bits: int, guest: Guest
) -> None:
    guessing = guest("guessing")
    assert guessing.bits_of(value, guessing.Parts(given)) == bits


def test_truth_values_of_libraries_are_coins(guest: Guest) -> None:
    numpy = pytest.importorskip("numpy")
    bits_of = guest("guessing").bits_of
    assert bits_of(numpy.bool_(1)) == 1
    assert bits_of(numpy.array([True, False, True])) == 3
    assert bits_of(numpy.int64(4)) == 3
    assert bits_of(numpy.float64(4.25)) == 8
    assert bits_of(numpy.zeros((1000, 1000))) == 24
    assert bits_of(numpy.dtype("f8")) == 3
