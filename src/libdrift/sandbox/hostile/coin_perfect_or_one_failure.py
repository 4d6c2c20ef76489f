# Reports a perfect run or the failure of one expectation, as a coin falls.
import random

# with: _judge
install(lambda source: random.choice([[], [random.choice(constants(source))]]))


def ENTRY(*args, **kwargs):
    return None
