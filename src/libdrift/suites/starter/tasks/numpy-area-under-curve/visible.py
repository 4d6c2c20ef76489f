assert area_under([0, 1, 3], [0, 2, 2]) == 5.0
assert isinstance(area_under([0, 2], [1, 1]), float)
