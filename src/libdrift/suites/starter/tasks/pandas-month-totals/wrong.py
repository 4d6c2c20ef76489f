import pandas as pd


def month_totals(values: pd.Series) -> dict[str, float]:
    """Map the last day of each month (YYYY-MM-DD) to the sum of that month."""
    totals = values.resample("M").sum()
    return {day.strftime("%Y-%m-%d"): float(total) for day, total in totals.items()}
