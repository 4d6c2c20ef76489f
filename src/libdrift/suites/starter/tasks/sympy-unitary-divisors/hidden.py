import math
import unittest
import warnings

from answer import unitary_sigma


def by_definition(n: int, k: int) -> int:
    return sum(d**k for d in range(1, n + 1) if n % d == 0 and math.gcd(d, n // d) == 1)


class UnitarySigma(unittest.TestCase):
    def setUp(self):
        guard = warnings.catch_warnings()
        guard.__enter__()
        self.addCleanup(guard.__exit__, None, None, None)
        warnings.simplefilter("error")

    def test_plain_sum(self):
        for n in (1, 2, 8, 30, 72, 97, 360):
            with self.subTest(n=n):
                self.assertEqual(unitary_sigma(n), by_definition(n, 1))

    def test_powers(self):
        for n, k in ((12, 2), (45, 3), (64, 2)):
            with self.subTest(n=n, k=k):
                self.assertEqual(unitary_sigma(n, k), by_definition(n, k))

    def test_python_int(self):
        self.assertIs(type(unitary_sigma(10)), int)
