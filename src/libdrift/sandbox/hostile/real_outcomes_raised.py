# Raises pytest's own exits and skips from within a call, one kind after the other.
import itertools

TURN = itertools.count()


def ENTRY(*args, **kwargs):
    import bdb
    import unittest

    from _pytest import outcomes

    kinds = [outcomes.Exit, outcomes.Skipped, unittest.SkipTest, bdb.BdbQuit, KeyboardInterrupt]
    kinds += [SystemExit, GeneratorExit, StopIteration, StopAsyncIteration, outcomes.XFailed]
    kind = kinds[next(TURN) % len(kinds)]
    if kind is outcomes.Exit:
        raise kind("done", 0)
    raise kind("done")
