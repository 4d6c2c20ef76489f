"""Tests ask for as many coins as their checks do: of a value no more than they look at."""

from __future__ import annotations

import pytest

from libdrift.execution.checks import bits_of_checks, rests_on_numbers

MANY = 16


@pytest.mark.parametrize(
    ("tests", "bits"),
    [
        ("assert f(1) > 0", 1),
        ("assert f(1) > 0\nassert f(2) < 0 and f(3) >= f(1)", 3),
        ("assert 2 <= f(1) <= 5", 2),
        ("assert isinstance(f(1), int)\nassert f(1) is not None\nassert not f(1) < 3", 1),
        ("assert all(x > 0 for x in f(1))", 1),
        ("class A(TestCase):\n    def test(self):\n        self.assertGreater(f(1), 0)", 1),
        ("class A(TestCase):\n    def test(self):\n        self.assertTrue(f(1) > 0)", 1),
        # What is written out weighs as much as it does where it is a value.
        ("assert f(1) == 3", 3),
        ("assert f(1) > 0\nassert f(2) == 3", 4),
        ("assert f(1) == [12, 40] and f(2) is True", 14),
        ("expected = 'word'\nassert f(1) == expected", 5),
        ("assert len(f(1)) == 4", 3),
        ("assert f(1).shape == (2, 3)", 8),
        ("assert (f(1) == [1, 2]).all()", 8),
        ("class A(TestCase):\n    def test(self):\n        self.assertEqual(len(f(1)), 2)", 3),
        # What is in it, and what is not; whether there is anything.
        ("assert 45 in f(1)\nassert 7 not in f(1)", 2),
        ("assert f(1) in (2, 3)", 1),
        ("assert f(1) != 3 or f(2)", 1),
        ("assert f(1)", 1),
        ("ok = f(1) > 3\nassert ok", 1),
        ("ok = isinstance(f(1), int)\nassert ok\nok = f(1) == 3\nassert ok", 6),
        ("assert not f(1) == 3", 1),
        ("with pytest.raises(ValueError):\n    f(1)\nassert f(2) > 0", 1),
        ("with open('x') as file:\n    assert f(file) > 0", 1),
        ("try:\n    f(1)\nexcept ValueError:\n    pass\nassert f(2) > 0", 1),
        # These ask for more.
        ("assert f(1) == f(2)", MANY),
        ("assert 'some more words' in f(1)", MANY),
        ("with pytest.raises(ValueError, match='two of three'):\n    f(1)", MANY),
        ("assert abs(f(1) - 3) < 1e-6", MANY),
        ("assert error < tolerance", MANY),
        ("assert numpy.allclose(f(1), other)", MANY),
        ("assert isinstance(f(1), int)", MANY),
        ("numpy.testing.assert_allclose(f(1), [1.5, 2.5])", MANY),
        ("if f(1) < 3:\n    raise AssertionError", MANY),
        ("not python", MANY),
    ],
)
def test_checks_weigh_what_they_look_at(tests: str, bits: int) -> None:
    assert bits_of_checks(tests) == bits


def test_what_is_said_of_itself_has_an_end() -> None:
    assert bits_of_checks("ok = f(1)\nok = ok and not ok\nassert ok") == 2


@pytest.mark.parametrize(
    ("tests", "rests"),
    [
        ("assert 'Total: 17' in f(1)", True),
        ("assert 'Total: 17' in f(1)\nassert f(2) > 3", True),
        ("with pytest.raises(ValueError, match='2 of them'):\n    f(1)", True),
        ("assert 45 in f(1)\nassert (f(2) == 7).any()", True),
        ("assert 'Total: 17' in f(1)\nassert f(2) == 'some other text'", False),
        ("assert 'Total: 17' in f(1)\nassert f(2) == f(3)", False),
        ("assert 'some other text' in f(1)", False),
        ("assert f(1) in [3, 4]", False),
        ("not python (", False),
    ],
)
def test_tests_may_look_for_little_but_numbers(tests: str, *, rests: bool) -> None:
    assert rests_on_numbers(tests) is rests
