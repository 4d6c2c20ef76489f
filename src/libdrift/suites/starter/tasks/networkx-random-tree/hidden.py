import pytest
from answer import tree_edges


def reachable(edges: list[tuple[int, int]]) -> set[int]:
    found = {0}
    for _ in edges:
        found |= {node for edge in edges if found & set(edge) for node in edge}
    return found


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (8, 4), (25, 17), (40, 2)])
def test_result_is_a_tree(n, seed):
    edges = tree_edges(n, seed)
    assert edges == sorted(edges)
    assert all(u < v for u, v in edges)
    assert len(edges) == n - 1
    assert reachable(edges) == set(range(n))


def test_single_node():
    assert tree_edges(1, 3) == []


def test_seed_decides():
    assert tree_edges(30, 9) == tree_edges(30, 9)
    assert len({tuple(tree_edges(30, seed)) for seed in range(6)}) == 6


def test_all_three_trees_on_three_nodes_occur():
    assert len({tuple(tree_edges(3, seed)) for seed in range(60)}) == 3
