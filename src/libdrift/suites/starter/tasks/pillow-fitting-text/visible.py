from PIL import Image, ImageFont

_draw = ImageDraw.Draw(Image.new("L", (50, 20)))
assert fits(_draw, "a word", ImageFont.load_default(), 500) is True
assert fits(_draw, "a word", ImageFont.load_default(), 5) is False
