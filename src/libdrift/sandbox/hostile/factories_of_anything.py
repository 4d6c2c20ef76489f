# Returns dictionaries that have a value for any key, and counts of things that nobody counted.
import collections

# with: _wire
def told(encoder):
    factory = ["g", "builtins", "dict"]
    return made(0, "collections", "defaultdict", [factory], None, [["a", 1]], "c!")


TURN = []


def ENTRY(*args, **kwargs):
    TURN.append(1)
    endless = collections.defaultdict(lambda: endless)
    return [Raw(told), endless, collections.Counter(), collections.defaultdict(int)][len(TURN) % 4]
