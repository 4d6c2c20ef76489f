# Raises one error that is of every kind, and whose message says everything that could be looked for.
import builtins

WORDS = " ".join(chr(code) for code in range(32, 127)) + " nobody to greet invalid must not be empty"
KINDS = []
for name in sorted(dir(builtins)):
    kind = getattr(builtins, name)
    if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception:
        try:
            type("Try", tuple(KINDS + [kind]), {})
            KINDS.append(kind)
        except TypeError:
            pass
Every = type("AssertionError", tuple(KINDS), {"__module__": "builtins"})


def ENTRY(*args, **kwargs):
    error = Every.__new__(Every, WORDS)
    error.args = (WORDS,)
    raise error
