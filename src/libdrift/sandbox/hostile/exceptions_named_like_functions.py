# Raises exceptions whose class claims to be a function that runs code, with the code as argument.
import itertools

PAYLOAD = "import os; os.write(1, b'ran'); os._exit(0)"
TURN = itertools.count()
NAMES = [("builtins", "exec"), ("os", "_exit"), ("os", "system"), ("subprocess", "Popen")]
NAMES += [("builtins", "eval"), ("importlib", "import_module"), ("posix", "_exit"), ("code", "interact")]


def ENTRY(*args, **kwargs):
    module, name = NAMES[next(TURN) % len(NAMES)]
    kind = type(name, (Exception,), {"__module__": module, "__qualname__": name})
    raise kind(0 if name == "_exit" else PAYLOAD)
