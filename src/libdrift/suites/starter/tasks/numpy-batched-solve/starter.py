import numpy as np


def solve_batch(matrices: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solve matrices[i] @ row = rhs[i] for every i; return the rows as one array."""
    ...
