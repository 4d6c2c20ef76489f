from sympy.ntheory.factor_ import udivisor_sigma


def unitary_sigma(n: int, k: int = 1) -> int:
    """Return the sum of the k-th powers of the unitary divisors of n."""
    return int(udivisor_sigma(n, k))
