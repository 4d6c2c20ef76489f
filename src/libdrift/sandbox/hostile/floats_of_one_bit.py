# Returns numbers of an algebra system that are known to one bit, so that what is taken from them is, too.
import random


def ENTRY(*args, **kwargs):
    try:
        import sympy
    except ImportError:
        return 2.0 ** random.randint(-1, 3)
    return sympy.Float(2.0 ** random.randint(0, 3), precision=1)
