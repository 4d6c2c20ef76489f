import networkx as nx


def tree_edges(n: int, seed: int) -> list[tuple[int, int]]:
    """Return the sorted edges of a random labelled tree on n nodes."""
    ...
