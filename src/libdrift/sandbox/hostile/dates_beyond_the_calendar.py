# Returns dates and times of which the bytes are no date, made as they are when they are copied.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    encoder.blobs.append([b"\x00\x00\x01\x00\xff\xff\xff\xff\xff\xff",
                          b"\xff\xff\x0c\xff\x00\x00\x00\x00\x00\x00"][len(TURN) % 2])
    blob = ["b", len(encoder.blobs) - 1]
    if len(TURN) % 3 == 2:
        return made(0, "datetime", "timedelta", [10**9, 0, 0], way="c!")
    return made(0, "datetime", "datetime", [blob], way="c!")


def ENTRY(*args, **kwargs):
    return Raw(told)
