# Is a function whose name, parameters and origin are not its own, and lead round in a circle.
import inspect


def ENTRY(*args, **kwargs):
    return ENTRY


ENTRY.__wrapped__ = ENTRY
ENTRY.__name__ = ENTRY.__qualname__ = "test_" + "x" * 10000
ENTRY.__module__ = "unittest.mock"
ENTRY.__signature__ = inspect.Signature(
    [inspect.Parameter("given", inspect.Parameter.VAR_POSITIONAL, annotation=ENTRY)]
)
ENTRY.__defaults__ = (float("nan"),)
ENTRY.__dict__.update({"pytestmark": [ENTRY], "__test__": True, "__self__": ENTRY})
