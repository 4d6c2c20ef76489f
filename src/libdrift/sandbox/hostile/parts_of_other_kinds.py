# Has tables and rows made whose inner parts are of another kind than theirs: indexes, sets, texts.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    index = made(1, "pandas.core.indexes.base", "_new_Index",
                 [["g", "pandas.core.indexes.base", "Index"], ["d", 2, "data", ["l", 3, 1]]], way="c!")
    parts = [index, ["s", 4], "", ["dk"], ["r", 0, 9, 1], ["l", 5], ["fs"]]
    name = ["DataFrame", "Series"][len(TURN) % 2]
    module = {"DataFrame": "pandas.core.frame", "Series": "pandas.core.series"}[name]
    state = ["d", 6, "_mgr", parts[len(TURN) % len(parts)], "_typ", name.lower(),
             "_metadata", ["l", 7], "attrs", ["d", 8], "_flags", ["d", 9]]
    return made(0, module, name, [], state)


def ENTRY(*args, **kwargs):
    return Raw(told) if "pandas" in sys.modules else Raw(lambda encoder: ["dk", 1, 1])
