# Returns expressions and types whose names are code, for whoever rebuilds them from their text.
PAYLOAD = "__import__('os')._exit(0)"


def ENTRY(*args, **kwargs):
    try:
        import sympy

        return sympy.Function(PAYLOAD)(sympy.Symbol(PAYLOAD + "+1"))
    except ImportError:
        pass
    try:
        import pandas

        return pandas.DataFrame({PAYLOAD: pandas.Categorical([PAYLOAD])}).rename_axis("@" + PAYLOAD)
    except ImportError:
        pass
    try:
        import numpy

        return numpy.zeros(1, dtype=[(PAYLOAD, "f8"), ("a" * 10000, "V1")])
    except ImportError:
        pass
    return type(PAYLOAD, (int,), {"__module__": PAYLOAD, "__qualname__": PAYLOAD})(3)
