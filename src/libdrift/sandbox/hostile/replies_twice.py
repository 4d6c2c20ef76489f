# Sends a second reply after the first, for the request that is to come.
# with: _wire
ANSWERING = caller_with("self")


def ENTRY(*args, **kwargs):
    line = getattr(ANSWERING, "_wire", None)
    if line is not None:
        asked = caller_with("asked")
        extras = {"printed": ["", ""], "changed": [], "warned": []}
        for number in (asked, asked + 1, asked + 2):
            line.send(["return", 3, extras, number])
    return 3
