import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _white = mirrored(Image.new("RGB", (8, 6), "white"), 4, 3)
    assert _white.size == (4, 3)
    assert _white.getpixel((0, 0)) == (255, 255, 255)
