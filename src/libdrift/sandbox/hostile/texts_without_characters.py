# Returns, prints and raises texts that cannot be written: halves of characters, and zeros.
import sys
import warnings


def ENTRY(*args, **kwargs):
    odd = "\ud800\udfff\x00\x1b]0;passed\x07\u202e"
    sys.stdout.buffer.write(odd.encode("utf-8", "surrogatepass"))
    print(odd.encode("utf-8", "replace").decode(), file=sys.stderr)
    warnings.warn(odd)
    if not args or not args[0]:
        raise ValueError(odd)
    return odd
