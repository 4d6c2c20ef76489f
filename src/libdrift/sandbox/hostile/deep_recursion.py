# Recurses until the stack is gone.
import sys

sys.setrecursionlimit(10**9)


def ENTRY(*args, **kwargs):
    return ENTRY(*args, **kwargs)
