# Warns by every class of warnings that is loaded, from files and lines that it makes up.
import sys
import warnings


def kinds(root):
    found = [root]
    for kind in found:
        found += [kind for kind in type.__subclasses__(kind) if kind not in found]
    return found


def ENTRY(*args, **kwargs):
    for kind in kinds(Warning):
        try:
            warnings.showwarning(kind("\x1b[2J"), kind, "/dev/stdin\x00", 10**9)
            warnings.warn_explicit("\x1b]0;passed\x07", kind, "/proc/self/mem", 1)
        except Exception:
            pass
    return args[0] if args else None
