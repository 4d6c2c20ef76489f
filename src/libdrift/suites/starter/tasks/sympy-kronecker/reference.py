from sympy import jacobi_symbol


def kronecker(a: int, n: int) -> int:
    """Return the Kronecker symbol (a/n)."""
    if n == 0:
        return int(abs(a) == 1)
    sign = -1 if a < 0 and n < 0 else 1
    n = abs(n)
    while n % 2 == 0:
        if a % 2 == 0:
            return 0
        if a % 8 in (3, 5):
            sign = -sign
        n //= 2
    return sign * int(jacobi_symbol(a % n, n))
