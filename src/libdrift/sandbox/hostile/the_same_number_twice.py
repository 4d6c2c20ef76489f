# Gives one number to several values of a message, and speaks of numbers, bytes and arguments that are not there.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    return [
        ["l", 0, ["l", 0]],
        ["l", 0, ["m", 0], ["m", 1]],
        ["t", ["a", 0, 0], ["a", -1, 0], ["a", caller_with("asked"), 10**6]],
        ["d", 0, ["m", 0], 1],
        ["b", -1],
        ["m", -1],
    ][len(TURN) % 6]


def ENTRY(*args, **kwargs):
    return Raw(told)
