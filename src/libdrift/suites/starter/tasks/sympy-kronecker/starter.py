import sympy


def kronecker(a: int, n: int) -> int:
    """Return the Kronecker symbol (a/n)."""
    ...
