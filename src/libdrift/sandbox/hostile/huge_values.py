# Returns values that are too large to carry, each of another kind.
import itertools

TURN = itertools.count()


def ENTRY(*args, **kwargs):
    kinds = [lambda: 10 ** 2000000, lambda: "a" * (1 << 28), lambda: [0] * (1 << 25)]
    kinds += [lambda: bytes(1 << 28), lambda: {n: n for n in range(1 << 21)}, lambda: range(1 << 62)]
    return kinds[next(TURN) % len(kinds)]()
