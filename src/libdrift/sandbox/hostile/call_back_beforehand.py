# Calls back before it is asked anything, with callables and objects that it was never given.
# with: _wire
ANSWERING = caller_with("self")


def ENTRY(*args, **kwargs):
    line = getattr(ANSWERING, "_wire", None)
    if line is not None:
        for number in range(4):
            line.send(["callback", number, [["k", 0], ["p", 0]], {}])
    return args[0] if args else None
