# Has values of ever other classes that nobody knows, each to be asked for again.
# with: _wire
COUNT = []


def told(encoder):
    COUNT.append(1)
    return made(0, "collections", "Class%d" % len(COUNT))


def ENTRY(*args, **kwargs):
    return Raw(told)
