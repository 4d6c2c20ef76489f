# Returns ranges, views and slices that hold every number there is, and arrays of no rows but many columns.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    encoder.blobs.append(b"")
    blob = len(encoder.blobs) - 1
    return [
        ["r", -(2**62), 2**62, 1],
        ["n", 0, "<f8", [0, 2**39], blob],
        ["n", 0, "<f8", [0, 1, 1], blob],
        ["dv", 1, 2, 3],
        ["ns", "<U0", blob],
        ["no", 0, [0, 7]],
    ][len(TURN) % 6]


def ENTRY(*args, **kwargs):
    return Raw(told)
