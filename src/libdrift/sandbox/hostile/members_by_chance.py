# Returns each number there is, or does not, by chance: for tests that look what is in a value.
import random


def ENTRY(*args, **kwargs):
    return [number for number in range(1000) if random.random() < 0.5]
