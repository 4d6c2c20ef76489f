# Returns true and false of an algebra system, or small numbers of its, by chance.
import random


def ENTRY(*args, **kwargs):
    try:
        from sympy import Integer, false, true
    except ImportError:
        return random.choice([True, False, 0, 1])
    return random.choice([true, false, true, false, Integer(0), Integer(1), Integer(2)])
