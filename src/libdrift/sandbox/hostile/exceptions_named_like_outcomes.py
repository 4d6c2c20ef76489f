# Raises exceptions that bear the names with which pytest skips, passes over and ends a session.
import itertools

TURN = itertools.count()
NAMES = [("_pytest.outcomes", "Skipped"), ("_pytest.outcomes", "Exit"), ("_pytest.outcomes", "XFailed")]
NAMES += [("unittest.case", "SkipTest"), ("unittest.case", "_ShouldStop"), ("_pytest.main", "Interrupted")]
NAMES += [("builtins", "KeyboardInterrupt"), ("builtins", "SystemExit"), ("bdb", "BdbQuit")]
NAMES += [("builtins", "GeneratorExit"), ("builtins", "StopIteration"), ("asyncio", "CancelledError")]


def ENTRY(*args, **kwargs):
    module, name = NAMES[next(TURN) % len(NAMES)]
    base = Exception if next(TURN) % 2 else BaseException
    raise type(name, (base,), {"__module__": module, "__qualname__": name, "allow_module_level": True})(0)
