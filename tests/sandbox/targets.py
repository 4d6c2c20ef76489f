"""Small tasks of our own for hostile programs to fail: what tests and benchmarks attack alike.

They need nothing but pytest. Between them they cover what a judge has to carry between tests and an
answer: numbers, texts, containers, exceptions, callables and classes, in several shapes of tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from libdrift.records import TestStyle


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for, a right answer, and tests in both styles."""

    entry: str
    reference: str
    tests: Mapping[TestStyle, str]
    task: str = ""  # of the starter suite, whose environment it needs; else one with pytest alone


TOTAL = Target(
    "total",
    "def total(values):\n    return sum(values)\n",
    {
        TestStyle.PYTEST: """
import math
import unittest

import pytest
from answer import total


def test_small():
    result = total([1, 2])
    assert result == 3


@pytest.mark.parametrize("values, expected", [([2.5], 2.5), ([], 0)])
def test_values(values, expected):
    assert math.isclose(total(values), expected)


class TestMore(unittest.TestCase):
    def test_type(self):
        self.assertEqual(total([4, 5, 6]), 15)
        assert isinstance(total([1]), int)
""",
        TestStyle.SCRIPT: (
            "assert total([1, 2]) == 3\nassert len([total([])]) == 1 and total([]) == 0\n"
        ),
    },
)

GREET = Target(
    "greet",
    '''def greet(name, mood="calm"):
    """Greet somebody."""
    if not name:
        raise ValueError("nobody to greet")
    mark = {"calm": ".", "glad": "!"}[mood]
    return f"Hello, {name}{mark}"
''',
    {
        TestStyle.PYTEST: """
import pytest
from answer import greet


def test_calm():
    assert greet("Ada") == "Hello, Ada."


def test_glad():
    assert greet("Grace", mood="glad") == "Hello, Grace!"
    assert greet("Grace", "glad").count("Grace") == 1


def test_nobody():
    with pytest.raises(ValueError, match="nobody to greet"):
        greet("")
""",
        TestStyle.SCRIPT: (
            'assert greet("Ada") == "Hello, Ada."\nassert greet("Bob", "glad") == "Hello, Bob!"\n'
        ),
    },
)

APPLY = Target(
    "apply",
    "def apply(function, values):\n    return [function(value) for value in values]\n",
    {
        TestStyle.PYTEST: """
from answer import apply

EXPECTED = [1, 4, 9]


class Counter:
    def __init__(self):
        self.calls = 0

    def add(self, value):
        self.calls += 1
        return value + self.calls


def test_squares():
    assert apply(lambda value: value * value, [1, 2, 3]) == EXPECTED


def test_method():
    counter = Counter()
    assert apply(counter.add, (10, 20)) == [11, 22]
    assert counter.calls == 2


def test_generator():
    seen = []

    def numbers():
        for number in (5, 6):
            seen.append(number)
            yield number

    assert apply(str, numbers()) == ["5", "6"]
    assert seen == [5, 6]
""",
        TestStyle.SCRIPT: (
            "assert apply(abs, [-7, 8]) == [7, 8]\n_seen = []\napply(_seen.append, [5])\n"
            "assert _seen == [5]\n"
        ),
    },
)

# What it expects it draws itself: hardly anything in its text could be changed for a decoy.
DOUBLE = Target(
    "double",
    "def double(values):\n    return [2 * value for value in values]\n",
    {
        TestStyle.PYTEST: """
import random

from answer import double


def test_four():
    values = [random.random() for _ in range(4)]
    assert double(values) == [value + value for value in values]


def test_size():
    assert len(double([1, 2])) == 2
""",
        TestStyle.SCRIPT: (
            "import random\n_value = random.random()\nassert double([_value]) == [2 * _value]\n"
        ),
    },
)

TARGETS = (TOTAL, GREET, APPLY, DOUBLE)
