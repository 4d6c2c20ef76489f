_size = parse_size("640x480")
assert (_size.width, _size.height) == (640, 480)
assert _size == parse_size("640x480")
