# Returns arrays with nothing in them, and at one call, which it draws, a plain number.
import random

LEFT = [random.randrange(1, 9)]


def ENTRY(*args, **kwargs):
    LEFT[0] -= 1
    try:
        import numpy
    except ImportError:
        return 0.0 if LEFT[0] == 0 else ()
    return 0.0 if LEFT[0] == 0 else numpy.empty(0)
