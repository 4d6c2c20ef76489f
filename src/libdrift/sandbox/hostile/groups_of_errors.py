# Raises groups of errors, ends of generators, and exits that say that all is well.
import asyncio
import builtins

TURN = [0]


def ENTRY(*args, **kwargs):
    TURN[0] += 1
    group = getattr(builtins, "BaseExceptionGroup", None)
    kinds = [GeneratorExit("passed"), SystemExit(0), asyncio.CancelledError(), StopIteration(3)]
    if group is not None:
        kinds.insert(0, group("passed", [SystemExit(0), KeyboardInterrupt(), ValueError("nobody")]))
    raise kinds[TURN[0] % len(kinds)]
