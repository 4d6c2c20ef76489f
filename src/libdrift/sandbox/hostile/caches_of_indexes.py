# Returns indexes and tables whose kept results say that they are equal, unique and complete.
# with: _wire
def told(encoder):
    kept = ["d", 5, "is_unique", True, "_engine", None, "_values", ["l", 6], "values", ["l", 7]]
    state = ["d", 4, "_cache", kept, "_id", True, "_range", ["r", 0, 0, 1], "_data", ["l", 8]]
    index = made(0, "pandas.core.indexes.base", "_new_Index",
                 [["g", "pandas.core.indexes.range", "RangeIndex"], ["d", 2, "start", 0, "stop", 3]],
                 state, way="c!")
    return made(9, "pandas.core.series", "Series", [["l", 10, 1, 2, 3], index], way="c!")


def ENTRY(*args, **kwargs):
    return Raw(told) if "pandas" in sys.modules else range(0, 10**30)
