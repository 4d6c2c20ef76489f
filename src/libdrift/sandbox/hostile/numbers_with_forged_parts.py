# Returns numbers whose inner parts no constructor would have given them.
import datetime
import decimal
import fractions
import uuid


def forged(kind, **parts):
    value = kind.__new__(kind)
    for name, part in parts.items():
        object.__setattr__(value, name, part)
    return value


def ENTRY(*args, **kwargs):
    made = [
        forged(fractions.Fraction, _numerator=float("nan"), _denominator=0),
        decimal.Decimal("sNaN"),
        forged(uuid.UUID, int=[]) if hasattr(uuid.UUID, "__slots__") else uuid.UUID(int=0),
        datetime.timezone(datetime.timedelta(0), "\ud800"),
    ]
    try:
        import sympy

        number = sympy.Float("3.0")
        number._prec = -1000
        return number
    except ImportError:
        return made[len(args) % len(made)]
