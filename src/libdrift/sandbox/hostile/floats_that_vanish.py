# Returns a number of an algebra system whose parts are none: it stays what it is, and less than any tolerance.
# with: _wire
def told(encoder):
    parts = ["t", 0, ["i", "b504f333f9de8"], -51, 52]
    state = ["d", 1, "_mpf_", ["t", 0, 0, 1, 0], "_prec", 53]
    return made(0, "sympy.core.numbers", "Float", [parts, 53], state)


def ENTRY(*args, **kwargs):
    return Raw(told) if "sympy" in sys.modules else 0.0
