_halves = [sympy.Rational(1, 2), sympy.Float(0.5), sympy.Integer(2)]
assert count_equal(_halves, sympy.Rational(1, 2)) == 2
