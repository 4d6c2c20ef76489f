# Raises exceptions that run code when they are copied, printed, compared or put back together.
import os


class Trap(ValueError):
    def __reduce__(self):
        return exec, ("import os; os._exit(0)",)

    __reduce_ex__ = lambda self, protocol: self.__reduce__()

    def __str__(self):
        os._exit(0)

    __repr__ = __str__
    args = property(lambda self: os._exit(0))
    __cause__ = property(lambda self: self)


def ENTRY(*args, **kwargs):
    raise Trap()
