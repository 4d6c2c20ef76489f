import networkx as nx


def visit_order(graph: nx.Graph, start) -> list:
    """Return the depth-first preorder from start, smaller neighbours first."""
    return list(nx.dfs_preorder_nodes(graph, start, sort_neighbors=sorted))
