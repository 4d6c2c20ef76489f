# Is a thing whose parts, elements and text are in turn more and less than anything.
class ENTRY(object):
    turn = -1.0

    def __init__(self, *args, **kwargs):
        pass

    def _next(self):
        ENTRY.turn = -ENTRY.turn
        return ENTRY.turn * float("inf")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._next()

    def __getitem__(self, key):
        return self._next()

    def __str__(self):
        return " ".join("mean %.2f" % (n / 100) for n in range(10000)) if self._next() > 0 else ""
