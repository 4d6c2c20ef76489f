# Has members of enumerations and single objects of the standard library made again, with other parts.
# with: _wire
TURN = []


def told(encoder):
    TURN.append(1)
    state = ["d", 1, "_value_", 0, "_name_", "", "value", 0, "real", 0]
    return [
        made(0, "datetime", "timezone", [made(2, "datetime", "timedelta", [0, 0, 0], way="c!")], state, way="c!"),
        made(0, "decimal", "Decimal", ["0"], state, way="c!"),
        made(0, "pathlib", "PosixPath", ["."], ["t", None, state], way="c!"),
        made(0, "fractions", "Fraction", [1, 2], ["t", None, ["d", 1, "_numerator", ["l", 3]]], way="c!"),
        made(0, "uuid", "UUID", [], ["d", 1, "int", ["f", "nan"], "is_safe", None]),
        made(0, "collections", "OrderedDict", [], ["d", 1, "items", None, "keys", None]),
    ][len(TURN) % 6]


def ENTRY(*args, **kwargs):
    return Raw(told)
