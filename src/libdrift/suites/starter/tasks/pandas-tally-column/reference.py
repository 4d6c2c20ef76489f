import pandas as pd


def tally(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the distinct values of a column and their counts, most frequent first."""
    return frame[column].value_counts().rename_axis("value").reset_index()
