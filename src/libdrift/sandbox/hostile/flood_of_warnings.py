# Warns and prints without end in every call, with categories of its own and texts of all sizes.
import sys
import warnings


def ENTRY(*args, **kwargs):
    for number in range(20000):
        kind = type("Warning%d" % (number % 50), (UserWarning,), {"__module__": "builtins"})
        warnings.warn_explicit("x" * (number % 4000), kind, "/" * 200 + "x.py", number)
        sys.stderr.write("y" * 100)
    return 3
