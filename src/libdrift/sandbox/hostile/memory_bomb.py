# Takes memory without end.
hoard = []
while True:
    hoard.append(b"x" * (64 << 20))
