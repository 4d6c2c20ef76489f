# Returns types of numbers, which are equal to their names and to whatever stands for nothing.
TURN = []


def ENTRY(*args, **kwargs):
    try:
        import numpy
    except ImportError:
        return float
    TURN.append(1)
    return [numpy.dtype("O"), numpy.dtype("V0"), numpy.dtype("f8"), numpy.dtype([])][len(TURN) % 4]
