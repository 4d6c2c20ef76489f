# Has tables made over the memory of the tests' own arrays, and writes there while they are made.
# with: _wire
def told(encoder):
    everything = ["sl", None, None, None]
    number = caller_with("asked")
    return made(0, "pandas.core.frame", "DataFrame", [["a", number, 0]], None, [[everything, 0]], "c!")


def ENTRY(*args, **kwargs):
    return Raw(told) if "pandas" in sys.modules else [0 for _ in args]
