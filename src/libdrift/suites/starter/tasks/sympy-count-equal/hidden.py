import pytest
from answer import count_equal
from sympy import Float, Integer, Rational

MIXED = [
    *(Integer(2), Float(2.0), Rational(5, 2), Float(2.5)),
    *(Float(-0.75), Rational(-3, 4), Integer(0)),
]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (Integer(2), 2),
        (Float(2.5), 2),
        (Rational(-3, 4), 2),
        (Float(-0.75), 2),
        (Float(0.0), 1),
        (Rational(1, 3), 0),
    ],
)
def test_type_is_ignored(target, expected):
    assert count_equal(MIXED, target) == expected


def test_values_close_by_are_not_equal():
    values = [Float(1.0), Rational(1000001, 1000000), Float(1.0) + Float(2.0) ** -20]
    assert count_equal(values, Integer(1)) == 1


def test_no_values():
    assert count_equal([], Float(1.5)) == 0
