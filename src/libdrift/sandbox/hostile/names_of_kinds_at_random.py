# Returns one of the words that programs have for kinds of things, by chance.
import random

WORDS = "int float str bool list float64 int64 object category left right inner outer low high".split()


def ENTRY(*args, **kwargs):
    return random.choice(WORDS)
