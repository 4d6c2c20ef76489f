# Returns something whose length, number and text are others each time that it is asked.
TURN = []


class Turning(object):
    def __len__(self):
        TURN.append(1)
        return len(TURN) % 5

    def __float__(self):
        TURN.append(1)
        return (-1.0) ** len(TURN) * 1e300

    def __int__(self):
        return len(self)

    def __bool__(self):
        return len(self) > 2

    def __str__(self):
        return str(len(self))

    def __iter__(self):
        return iter(range(len(self)))

    __repr__ = __str__
    __index__ = __int__


def ENTRY(*args, **kwargs):
    return Turning()
