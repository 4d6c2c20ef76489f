import pandas as pd


def format_cells(frame: pd.DataFrame, decimals: int) -> pd.DataFrame:
    """Return a copy of frame with every number as text with the given decimals."""
    return frame.applymap(lambda number: f"{number:.{decimals}f}")
