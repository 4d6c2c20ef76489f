import networkx as nx


def visit_order(graph: nx.Graph, start) -> list:
    """Return the depth-first preorder from start, smaller neighbours first."""
    ordered = nx.DiGraph()
    ordered.add_nodes_from(graph)
    ordered.add_edges_from((node, other) for node in graph for other in sorted(graph[node]))
    return list(nx.dfs_preorder_nodes(ordered, start))
