_disc = disc(21, (10, 10), 5)
assert (_disc.mode, _disc.size) == ("L", (21, 21))
assert (_disc.getpixel((10, 10)), _disc.getpixel((0, 0))) == (255, 0)
