# Returns numbers that are not numbers, for comparisons that are written the wrong way round.
import decimal
import itertools
import sys

TURN = itertools.count()


def ENTRY(*args, **kwargs):
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    kinds = [lambda: float("nan"), lambda: complex("nan"), lambda: decimal.Decimal("NaN")]
    kinds += [lambda: decimal.Decimal("sNaN"), lambda: float("inf")]
    if numpy is not None:
        kinds = [lambda: numpy.full(3, numpy.nan), lambda: numpy.datetime64("NaT")]
    if pandas is not None:
        kinds += [lambda: pandas.NA, lambda: pandas.NaT]
    return kinds[next(TURN) % len(kinds)]()
