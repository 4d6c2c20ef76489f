"""Tests that look at order only ask for as many coins as they have checks."""

from __future__ import annotations

import pytest

from libdrift.execution.checks import bits_of_checks

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
        # These ask for more.
        ("assert f(1) == 3", MANY),
        ("assert f(1) > 0\nassert f(2) == 3", MANY),
        ("assert abs(f(1) - 3) < 1e-6", MANY),
        ("assert error < tolerance", MANY),
        ("assert numpy.allclose(f(1), 3)", MANY),
        ("assert f(1)", MANY),  # a truth value is weighed as one
        ("with pytest.raises(ValueError):\n    f(1)\nassert f(2) > 0", MANY),
        ("assert isinstance(f(1), int)", MANY),
        ("numpy.testing.assert_allclose(f(1), 3)", MANY),
        ("if f(1) < 3:\n    raise AssertionError", MANY),
        ("not python", MANY),
    ],
)
def test_order_alone_is_a_coin(tests: str, bits: int) -> None:
    assert bits_of_checks(tests) == bits
