import pytest
from answer import fits
from PIL import Image, ImageDraw, ImageFont


@pytest.fixture
def canvas() -> Image.Image:
    return Image.new("L", (300, 40))


@pytest.mark.parametrize("text", ["HHHH", "a longer line of text", "0123456789"])
def test_limit_is_near_the_width_of_the_text(canvas, text):
    font = ImageFont.load_default()
    draw = ImageDraw.Draw(canvas)
    width = int(font.getlength(text))
    assert fits(draw, text, font, width + 3) is True
    assert fits(draw, text, font, width - 3) is False


def test_longer_text_needs_more_room(canvas):
    font = ImageFont.load_default()
    draw = ImageDraw.Draw(canvas)
    limit = int(font.getlength("word word")) + 3
    assert [fits(draw, "word " * n, font, limit) for n in (1, 3, 9)] == [True, False, False]


def test_nothing_is_drawn(canvas):
    fits(ImageDraw.Draw(canvas), "ink", ImageFont.load_default(), 10)
    assert canvas.getextrema() == (0, 0)
