import pytest
from answer import area_under


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([0, 1, 2, 3], [0, 1, 2, 3], 4.5),
        ([0, 0.5, 4], [2, 2, 2], 8.0),
        ([-1, 0, 1], [-1, 0, 1], 0.0),
        ([10, 14], [-3, -1], -8.0),
    ],
)
def test_known_areas(x, y, expected):
    assert area_under(x, y) == pytest.approx(expected)


def test_agrees_with_slice_by_slice_sum():
    x = [k + 0.1 * (k % 3) for k in range(20)]
    y = [(k * 7) % 11 - 4 for k in range(20)]
    total = sum((x[k + 1] - x[k]) * (y[k + 1] + y[k]) / 2 for k in range(19))
    assert area_under(x, y) == pytest.approx(total)


def test_plain_float_is_returned():
    assert type(area_under([0, 1], [5, 5])) is float
