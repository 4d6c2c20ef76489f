# Has tables made that have, beside their columns, attributes by the same names with other values.
# with: _wire
def told(encoder):
    number = caller_with("asked")
    attributes = []
    for name in "value count low high a b c x y total result index columns values shape".split():
        attributes += [name, ["dk"]]
    state = ["d", 1, "_mgr", ["a", number, 1], "_typ", "dataframe", "_metadata", ["l", 2],
             "attrs", ["d", 3], "_flags", ["d", 4, "allows_duplicate_labels", True]] + attributes
    return made(0, "pandas.core.frame", "DataFrame", [], state)


def ENTRY(*args, **kwargs):
    return Raw(told) if "pandas" in sys.modules else ()
