import warnings

import pytest
from answer import mirrored
from PIL import Image


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def halves() -> Image.Image:
    image = Image.new("L", (40, 20), 0)
    image.paste(200, (20, 0, 40, 20))
    return image


def test_left_and_right_are_exchanged(halves):
    small = mirrored(halves, 20, 10)
    assert small.size == (20, 10)
    assert small.getpixel((1, 5)) == 200
    assert small.getpixel((18, 5)) == 0


def test_top_and_bottom_stay():
    image = Image.new("L", (10, 40), 0)
    image.paste(90, (0, 0, 10, 20))
    small = mirrored(image, 5, 20)
    assert (small.getpixel((2, 1)), small.getpixel((2, 18))) == (90, 0)


def test_filter_overshoots_at_an_edge():
    image = Image.new("L", (64, 1), 50)
    image.paste(200, (0, 0, 32, 1))
    row = [mirrored(image, 24, 1).getpixel((x, 0)) for x in range(24)]
    assert min(row) < 50 and max(row) > 200
    assert row[1] == 50 and row[-2] == 200


def test_given_image_is_untouched(halves):
    before = halves.tobytes()
    mirrored(halves, 4, 4)
    assert halves.size == (40, 20)
    assert halves.tobytes() == before
