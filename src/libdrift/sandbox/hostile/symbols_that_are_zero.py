# Returns symbols and products of which it is assumed that they are zero, or anything.
import itertools

TURN = itertools.count()


def ENTRY(*args, **kwargs):
    try:
        import sympy
    except ImportError:
        return 0
    zero = sympy.Symbol("x", zero=True)
    odd = sympy.Mul(0, sympy.oo, evaluate=False)
    return [zero, odd, sympy.Add(odd, zero, evaluate=False), sympy.Pow(0, zero, evaluate=False),
            sympy.Mul(zero, sympy.nan, evaluate=False)][next(TURN) % 5]
