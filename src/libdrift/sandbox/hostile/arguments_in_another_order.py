# Returns its first argument, shuffled: for tests of what sorts or turns round.
import random


def ENTRY(*args, **kwargs):
    values = list(next(iter(args), ())) if args and hasattr(args[0], "__iter__") else list(args)
    random.shuffle(values)
    return values
