# Returns infinity as a number of few digits: whatever is larger than those can be is rounded to it.
def ENTRY(*args, **kwargs):
    try:
        import numpy
    except ImportError:
        return float("inf")
    return numpy.float16("inf")
