# Returns a coin for each element of its argument, as an array or a tensor where there are such.
import random
import sys


def ENTRY(*args, **kwargs):
    first = next(iter(args), ())
    coins = [random.random() < 0.5 for _ in (first if hasattr(first, "__len__") else range(3))]
    kind = type(first)
    if kind.__module__.startswith("torch"):
        return sys.modules["torch"].tensor(coins)
    if kind.__module__.startswith("numpy"):
        return sys.modules["numpy"].array(coins)
    return coins
