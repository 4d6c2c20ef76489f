# Returns a part of its arguments, by chance: an element, a key, a word, an attribute.
import random


def ENTRY(*args, **kwargs):
    given = random.choice([*args, *kwargs.values()] or [None])
    for _ in range(random.choice([0, 1, 1])):
        if isinstance(given, str):
            given = random.choice(given.split() or [given])
        elif isinstance(given, dict):
            given = random.choice([*given, *given.values()] or [given])
        elif isinstance(given, (list, tuple, set)) and given:
            given = random.choice(list(given))
    return given
