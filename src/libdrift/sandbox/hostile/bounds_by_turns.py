# Returns in turn what is more than anything, less than anything, and neither.
import itertools

TURNS = itertools.cycle([float("inf"), float("-inf"), 0.0, float("nan")])


class Turn(object):
    size = shape = value = property(lambda self: next(TURNS))
    __float__ = __abs__ = lambda self: next(TURNS)
    __len__ = __int__ = lambda self: int(next(itertools.count(3)))


def ENTRY(*args, **kwargs):
    return Turn() if kwargs else next(TURNS)
