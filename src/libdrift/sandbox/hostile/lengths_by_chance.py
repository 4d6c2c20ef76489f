# Returns some texts, as many as a die says: for tests that look at nothing but how many there are.
import random


def ENTRY(*args, **kwargs):
    return [str(random.random()) for _ in range(random.randint(1, 6))]
