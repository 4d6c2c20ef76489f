assert total_along([[1, 2], [3, 4]], 0) == [4, 6]
assert total_along([[1, 2], [3, 4]], 2) is None
