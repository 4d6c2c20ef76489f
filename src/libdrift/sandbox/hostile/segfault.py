# Crashes the interpreter.
import ctypes


def ENTRY(*args, **kwargs):
    return ctypes.cast(8, ctypes.POINTER(ctypes.c_long)).contents.value + ctypes.string_at(1)[0]
