# Returns tables and arrays with rows but without columns, or of one row that is spread over all.
TURN = []


def ENTRY(*args, **kwargs):
    TURN.append(1)
    try:
        import numpy
    except ImportError:
        return [[]]
    try:
        import pandas
    except ImportError:
        return [numpy.empty((3, 0)), numpy.nan * numpy.ones(1), numpy.ma.masked_all(1)][len(TURN) % 3]
    return [pandas.DataFrame(index=range(3)), pandas.DataFrame({"a": [pandas.NA]}),
            pandas.Series([pandas.NA] * 3), pandas.Index([])][len(TURN) % 4]
