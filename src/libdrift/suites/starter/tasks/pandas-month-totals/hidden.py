import warnings

import pandas as pd
import pytest
from answer import month_totals


def series(pairs: dict[str, float]) -> pd.Series:
    return pd.Series(list(pairs.values()), index=pd.to_datetime(list(pairs)))


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_leap_year_and_gap():
    values = series({"2024-03-05": 4, "2024-01-31": 1, "2024-01-01": 2})
    assert month_totals(values) == {"2024-01-31": 3.0, "2024-02-29": 0.0, "2024-03-31": 4.0}


def test_year_boundary():
    values = series({"2021-12-31": 1.5, "2022-01-01": 2.5})
    assert month_totals(values) == {"2021-12-31": 1.5, "2022-01-31": 2.5}


def test_single_day_and_types():
    totals = month_totals(series({"2020-06-15": -7}))
    assert totals == {"2020-06-30": -7.0}
    assert all(type(total) is float for total in totals.values())
