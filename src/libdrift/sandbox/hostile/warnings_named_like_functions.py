# Warns with categories that claim to be functions which run code, with the code as their message.
import warnings

PAYLOAD = "import os; os._exit(0)"


def ENTRY(*args, **kwargs):
    for module, name in (("builtins", "exec"), ("os", "_exit"), ("os", "system"), ("builtins", "eval")):
        kind = type(name, (UserWarning,), {"__module__": module, "__qualname__": name})
        warnings.simplefilter("always")
        warnings.warn(kind(0 if name == "_exit" else PAYLOAD))
        warnings.warn_explicit(PAYLOAD, kind, PAYLOAD, 1, module=PAYLOAD, registry={})
    return 3
