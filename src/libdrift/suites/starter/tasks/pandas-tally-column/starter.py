import pandas as pd


def tally(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the distinct values of a column and their counts, most frequent first."""
    ...
