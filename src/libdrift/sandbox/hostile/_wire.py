# The way to what tells values where the answer has a process of its own: it then says what it likes.
import os
import sys


def caller_with(name):
    frame = sys._getframe()
    while frame is not None:
        for space in (frame.f_locals, frame.f_globals):
            if name in space:
                return space[name]
        frame = frame.f_back
    return None


class Raw(object):
    def __init__(self, told):
        self.told = told


encoding = caller_with("encoding")
if encoding is not None:
    tell_plain = encoding.Encoder.tell

    def tell_raw(self, value):
        return value.told(self) if type(value) is Raw else tell_plain(self, value)

    encoding.Encoder.tell = tell_raw


def made(number, module, name, arguments=(), state=None, pairs=None, way="o"):
    return [way, number, module, name, list(arguments), {}, state, None, pairs]

