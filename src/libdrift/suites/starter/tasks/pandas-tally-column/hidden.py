import pandas as pd
import pytest
from answer import tally


@pytest.mark.parametrize("column", ["size", "value", "shoe size"])
def test_column_names_of_the_result(column):
    table = tally(pd.DataFrame({column: [44, 41, 44], "other": [0, 0, 0]}), column)
    assert list(table.columns) == ["value", "count"]
    assert table["value"].tolist() == [44, 41]
    assert table["count"].tolist() == [2, 1]


def test_order_and_index():
    letters = list("abracadabra")
    table = tally(pd.DataFrame({"letter": [c for c in letters if c in "abc"]}), "letter")
    assert table.values.tolist() == [["a", 5], ["b", 2], ["c", 1]]
    assert list(table.index) == [0, 1, 2]


def test_counts_add_up():
    frame = pd.DataFrame({"n": [k * k % 7 for k in range(30)]})
    table = tally(frame, "n")
    assert table["count"].sum() == 30
    assert sorted(table["value"]) == [0, 1, 2, 4]
