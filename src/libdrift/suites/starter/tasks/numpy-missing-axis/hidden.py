import unittest

from answer import total_along


class TotalAlong(unittest.TestCase):
    def test_existing_axes(self):
        grid = [[1, 2, 3], [4, 5, 6]]
        self.assertEqual(total_along(grid, 0), [5, 7, 9])
        self.assertEqual(total_along(grid, 1), [6, 15])
        self.assertEqual(total_along(grid, -2), [5, 7, 9])

    def test_flat_input_gives_a_number(self):
        self.assertEqual(total_along([2.5, 0.5], 0), 3.0)

    def test_axis_out_of_range(self):
        self.assertIsNone(total_along([1, 2, 3], 1))
        self.assertIsNone(total_along([[[1]]], 3))
        self.assertIsNone(total_along([[1], [2]], -3))

    def test_other_errors_get_through(self):
        with self.assertRaises(TypeError):
            total_along([1, 2, 3], "rows")
