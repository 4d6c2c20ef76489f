"""How a failure is told: the exception, and the frames of tests, answer and libraries.

pytest's own account reads and parses every file that a traceback leads through, which takes longer
than most tests do, and shows the judge's own frames.
"""

import builtins
import os
import traceback

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)

FRAMES = 30  # of each exception, the innermost

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def describe(error):
    """An exception in one line."""
    name = type(error).__name__
    # Of messages that are framed by lines of stars, or begin with an empty line, what they say.
    said = [line.strip() for line in str(error).splitlines() if any(c.isalnum() for c in line)]
    return ("%s: %s" % (name, said[0]) if said else name)[:500]


_OPENING = "Traceback (most recent call last):\n"


def failure(error, path="", beyond=""):
    """An exception with its frames, from the first one in the file at ``path`` on.

    ``beyond`` is what another process tells of the same exception: its frames come after.
    """
    told = traceback.TracebackException(type(error), error, error.__traceback__, lookup_lines=False)
    waiting, seen = [told], set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.stack = traceback.StackSummary.from_list(_shown(one.stack, path))
        waiting += [one.__cause__, one.__context__]
    if beyond.startswith(_OPENING):
        return _OPENING + "".join(told.stack.format()) + beyond[len(_OPENING) :]
    return "".join(told.format())


def _shown(frames, path):
    names = [frame.filename for frame in frames]
    first = names.index(path) if path in names else 0
    kept = [frame for frame in frames[first:] if not frame.filename.startswith(_HERE)]
    return kept[-FRAMES:]
