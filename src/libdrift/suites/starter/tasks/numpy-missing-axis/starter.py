import numpy as np


def total_along(values, axis: int):
    """Sum values along axis; None when there is no such axis."""
    ...
