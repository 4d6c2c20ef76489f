assert [kronecker(a, 7) for a in range(7)] == [0, 1, 1, -1, 1, -1, -1]
assert kronecker(3, 2) == -1
