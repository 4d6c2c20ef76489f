import numpy as np
import pytest
from answer import solve_batch


def well_conditioned(k: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    matrices = rng.normal(size=(k, n, n)) + 6 * np.eye(n)
    return matrices, rng.normal(size=(k, n))


@pytest.mark.parametrize(("k", "n"), [(4, 3), (2, 5), (1, 3), (7, 1)])
def test_each_row_solves_its_own_system(k, n):
    matrices, rhs = well_conditioned(k, n, seed=k * 10 + n)
    solved = solve_batch(matrices, rhs)
    assert solved.shape == (k, n)
    for matrix, row, right in zip(matrices, solved, rhs, strict=True):
        assert np.allclose(matrix @ row, right)


def test_as_many_systems_as_unknowns():
    matrices, rhs = well_conditioned(3, 3, seed=99)
    solved = solve_batch(matrices, rhs)
    assert solved.shape == (3, 3)
    assert np.allclose(np.einsum("kij,kj->ki", matrices, solved), rhs)
