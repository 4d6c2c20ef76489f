import itertools

import networkx as nx
import pytest
from answer import visit_order

EDGES = [(0, 5), (0, 2), (2, 7), (2, 1), (5, 6), (1, 6)]


def test_order_of_edges_is_irrelevant():
    orders = {
        tuple(visit_order(nx.Graph(list(edges)), 0)) for edges in itertools.permutations(EDGES, 6)
    }
    assert orders == {(0, 2, 1, 6, 5, 7)}


@pytest.mark.parametrize(("start", "expected"), [(6, [6, 1, 2, 0, 5, 7]), (7, [7, 2, 0, 5, 6, 1])])
def test_other_starts(start, expected):
    assert visit_order(nx.Graph(EDGES), start) == expected


def test_directed_graph_follows_successors():
    graph = nx.DiGraph([("d", "a"), ("b", "d"), ("b", "c"), ("c", "a"), ("z", "b")])
    assert visit_order(graph, "b") == ["b", "c", "a", "d"]
    assert visit_order(graph, "a") == ["a"]


def test_graph_is_left_alone():
    graph = nx.Graph([(3, 1), (3, 2)])
    graph.add_node(9)
    visit_order(graph, 3)
    assert list(graph) == [3, 1, 2, 9]
    assert list(graph[3]) == [1, 2]
