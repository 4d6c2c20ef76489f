import networkx as nx
import pytest
from answer import tree_edges


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (8, 4), (25, 17), (60, 2)])
def test_result_is_a_tree(n, seed):
    edges = tree_edges(n, seed)
    assert edges == sorted(edges)
    assert all(u < v for u, v in edges)
    graph = nx.Graph(edges)
    assert sorted(graph) == list(range(n))
    assert nx.is_tree(graph)


def test_single_node():
    assert tree_edges(1, 3) == []


def test_seed_decides():
    assert tree_edges(30, 9) == tree_edges(30, 9)
    assert len({tuple(tree_edges(30, seed)) for seed in range(6)}) == 6


def test_all_three_trees_on_three_nodes_occur():
    assert len({tuple(tree_edges(3, seed)) for seed in range(60)}) == 3
