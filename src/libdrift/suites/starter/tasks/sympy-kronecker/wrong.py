from sympy import kronecker_symbol


def kronecker(a: int, n: int) -> int:
    """Return the Kronecker symbol (a/n)."""
    return int(kronecker_symbol(a, n))
