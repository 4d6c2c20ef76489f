import sympy


def count_equal(values: list[sympy.Number], target: sympy.Number) -> int:
    """Return how many of the values are numerically equal to target."""
    return sum(1 for value in values if (value - target).is_zero)
