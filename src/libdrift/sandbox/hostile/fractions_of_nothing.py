# Returns a fraction whose parts are both zero: neither more nor less than any number.
# with: _wire
def told(encoder):
    state = ["t", None, ["d", 1, "_numerator", 0, "_denominator", 0]]
    return made(0, "fractions", "Fraction", [1, 2], state, way="c!")


def ENTRY(*args, **kwargs):
    return Raw(told)
