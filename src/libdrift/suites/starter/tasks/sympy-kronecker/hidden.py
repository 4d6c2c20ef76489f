import pytest
from answer import kronecker


@pytest.mark.parametrize(
    ("n", "row"),
    [
        (1, [1, 1, 1, 1, 1, 1, 1, 1]),
        (2, [0, 1, 0, -1, 0, -1, 0, 1]),
        (4, [0, 1, 0, 1, 0, 1, 0, 1]),
        (6, [0, 1, 0, 0, 0, 1, 0, 1]),
        (9, [0, 1, 1, 0, 1, 1, 0, 1]),
        (15, [0, 1, 1, 0, 1, 0, 0, -1]),
    ],
)
def test_rows_of_the_table(n, row):
    assert [kronecker(a, n) for a in range(8)] == row


def test_zero_below():
    assert [kronecker(a, 0) for a in (-2, -1, 0, 1, 2)] == [0, 1, 0, 1, 0]


def test_negative_below():
    assert kronecker(5, -1) == 1
    assert kronecker(-5, -1) == -1
    assert kronecker(-3, -7) == -kronecker(-3, 7)


def test_multiplicative_in_both_places():
    for a in range(-6, 7):
        for n in (-12, -5, 3, 8, 10):
            assert kronecker(a * 7, n) == kronecker(a, n) * kronecker(7, n)
            if a:
                assert kronecker(a, n * 6) == kronecker(a, n) * kronecker(a, 6)


def test_python_int():
    assert type(kronecker(2, 15)) is int
