assert tree_edges(2, seed=5) == [(0, 1)]
assert len(tree_edges(12, seed=1)) == 11
