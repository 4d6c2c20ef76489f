assert visit_order(nx.Graph([(1, 3), (1, 2), (2, 4)]), 1) == [1, 2, 4, 3]
assert visit_order(nx.DiGraph([("a", "c"), ("a", "b")]), "a") == ["a", "b", "c"]
