# Has a table made of the parts of one that the tests passed, and gives both other labels.
# with: _wire
def told(encoder):
    number = caller_with("asked")
    state = ["d", 1, "_mgr", ["a", number, 1], "_typ", "dataframe", "_metadata", ["l", 2],
             "attrs", ["d", 3], "_flags", ["d", 4, "allows_duplicate_labels", True],
             "index", ["r", 0, 0, 1], "columns", ["r", 0, 0, 1]]
    return made(0, "pandas.core.frame", "DataFrame", [], state)


def ENTRY(*args, **kwargs):
    return Raw(told) if "pandas" in sys.modules else [[] for _ in args]
