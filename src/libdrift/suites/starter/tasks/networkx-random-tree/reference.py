import networkx as nx


def tree_edges(n: int, seed: int) -> list[tuple[int, int]]:
    """Return the sorted edges of a random labelled tree on n nodes."""
    tree = nx.random_labeled_tree(n, seed=seed)
    return sorted((min(u, v), max(u, v)) for u, v in tree.edges)
