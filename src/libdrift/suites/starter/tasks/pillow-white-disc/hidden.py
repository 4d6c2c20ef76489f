import math

import pytest
from answer import disc


@pytest.mark.parametrize(
    ("size", "center", "radius"), [(40, (20, 20), 12), (64, (15, 40), 10), (30, (14, 15), 3)]
)
def test_pixels_near_the_rim(size, center, radius):
    image = disc(size, center, radius)
    assert (image.mode, image.size) == ("L", (size, size))
    for x in range(size):
        for y in range(size):
            distance = math.dist((x, y), center)
            if distance < radius - 1:
                assert image.getpixel((x, y)) == 255
            elif distance > radius + 1:
                assert image.getpixel((x, y)) == 0


def test_area():
    image = disc(200, (100, 100), 60)
    white = image.histogram()[255]
    assert white == pytest.approx(math.pi * 60**2, rel=0.04)
    assert image.histogram()[0] == 200 * 200 - white


def test_disc_is_cut_at_the_border():
    image = disc(20, (0, 0), 8)
    assert image.getpixel((3, 3)) == 255
    assert image.getpixel((19, 19)) == 0
    left, top, right, bottom = image.getbbox()
    assert (left, top) == (0, 0)
    assert 8 <= right <= 10 and 8 <= bottom <= 10
