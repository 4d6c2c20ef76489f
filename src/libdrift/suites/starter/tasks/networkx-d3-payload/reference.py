import networkx as nx


def d3_payload(graph: nx.Graph) -> dict:
    """Return the node-link dict of graph with the lists nodes and links."""
    return nx.node_link_data(graph, edges="links")
