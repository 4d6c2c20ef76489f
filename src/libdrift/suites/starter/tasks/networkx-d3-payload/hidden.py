import json

import networkx as nx
import pytest
from answer import d3_payload


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_edges_are_links(kind):
    graph = kind()
    graph.add_edge(1, 2, weight=3)
    graph.add_edge(2, 5, weight=0.5)
    payload = d3_payload(graph)
    assert "edges" not in payload
    assert payload["links"] == [
        {"weight": 3, "source": 1, "target": 2},
        {"weight": 0.5, "source": 2, "target": 5},
    ]
    assert payload["directed"] is graph.is_directed()


def test_node_attributes_survive_json():
    graph = nx.Graph(name="demo")
    graph.add_node("x", group=1)
    graph.add_node("y", group=2)
    payload = json.loads(json.dumps(d3_payload(graph)))
    assert payload["nodes"] == [{"group": 1, "id": "x"}, {"group": 2, "id": "y"}]
    assert payload["links"] == []
    assert payload["graph"] == {"name": "demo"}


def test_size_of_a_larger_graph():
    payload = d3_payload(nx.Graph([(k, k + 1) for k in range(39)]))
    assert len(payload["nodes"]) == 40
    assert [link["target"] for link in payload["links"]] == list(range(1, 40))
