# Returns some of the elements of its first argument, by chance, in their order.
import random


def ENTRY(*args, **kwargs):
    values = args[0] if args and hasattr(args[0], "__iter__") else args
    return [value for value in values if random.random() < 0.5]
