# Returns decimal numbers that are none, quiet and signalling, and complex ones with such parts.
from decimal import Decimal

TURN = []


def ENTRY(*args, **kwargs):
    TURN.append(1)
    return [Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"), complex(0, float("nan")),
            complex(float("inf"), float("nan")), Decimal("-0E+999999")][len(TURN) % 6]
