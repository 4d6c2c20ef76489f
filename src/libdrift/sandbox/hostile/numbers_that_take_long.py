# Returns whole numbers of thousands of digits, and texts and ranges whose comparison takes long.
TURN = []


def ENTRY(*args, **kwargs):
    TURN.append(1)
    return [1 << 39000, -(1 << 39000), "a" * 3000000, range(-(1 << 60), 1 << 60)][len(TURN) % 4]
