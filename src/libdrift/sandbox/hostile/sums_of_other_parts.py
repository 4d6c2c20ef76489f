# Has sums and products made again, whose parts and hash say that they are those of something else.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    symbol = made(1, "sympy.core.symbol", "Symbol", ["q"])
    parts = [["l", 9], ["t"], ["f", "nan"], ["t", ["l", 9], ["l", 10]]][len(TURN) % 4]
    state = ["d", 2, "_args", parts, "_mhash", 0, "is_commutative", True,
             "_assumptions", ["d", 3, "zero", True, "positive", True, "negative", True]]
    name = ["Add", "Mul", "Pow"][len(TURN) % 3]
    module = {"Add": "sympy.core.add", "Mul": "sympy.core.mul", "Pow": "sympy.core.power"}[name]
    return made(0, module, name, [symbol, 2], state)


def ENTRY(*args, **kwargs):
    return Raw(told) if "sympy" in sys.modules else 0
