import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _days = pd.to_datetime(["2023-02-10", "2023-04-01", "2023-02-28"])
    assert month_totals(pd.Series([1.0, 5.0, 2.0], index=_days)) == {
        "2023-02-28": 3.0,
        "2023-03-31": 0.0,
        "2023-04-30": 5.0,
    }
