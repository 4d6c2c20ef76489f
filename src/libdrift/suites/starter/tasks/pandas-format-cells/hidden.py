import pandas as pd
import pytest
from answer import format_cells


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"low": [0.125, -3.0], "high": [12, 1000]}, index=["north", "south"])


@pytest.mark.parametrize(
    ("decimals", "rows"),
    [
        (0, [["0", "12"], ["-3", "1000"]]),
        (2, [["0.12", "12.00"], ["-3.00", "1000.00"]]),
        (4, [["0.1250", "12.0000"], ["-3.0000", "1000.0000"]]),
    ],
)
def test_every_cell_is_formatted(frame, decimals, rows):
    assert format_cells(frame, decimals).values.tolist() == rows


def test_labels_are_kept(frame):
    formatted = format_cells(frame, 1)
    assert list(formatted.index) == ["north", "south"]
    assert list(formatted.columns) == ["low", "high"]


def test_input_is_untouched(frame):
    before = frame.copy()
    format_cells(frame, 3)
    pd.testing.assert_frame_equal(frame, before)
