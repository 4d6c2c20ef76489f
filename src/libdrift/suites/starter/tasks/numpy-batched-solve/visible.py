_doubled = np.stack([np.eye(2) * 2, np.eye(2) * 4, np.eye(2)])
_solved = solve_batch(_doubled, np.array([[2.0, 4.0], [4.0, 8.0], [5.0, 6.0]]))
assert _solved.tolist() == [[1.0, 2.0], [1.0, 2.0], [5.0, 6.0]]
