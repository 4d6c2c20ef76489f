# Has arrays without elements in cells of tables, in plain objects, and among what it calls back with.
import types


def ENTRY(given=None, *args, **kwargs):
    try:
        import numpy
    except ImportError:
        return types.SimpleNamespace(low=[], high=[])
    nothing = numpy.empty((0, 1))
    if callable(given):
        for _ in args[0]:
            given(nothing)
        return None
    if hasattr(given, "columns"):
        import pandas

        cells = numpy.empty(len(given), object)
        cells[:] = [numpy.empty(0) for _ in cells]
        return pandas.DataFrame({name: cells for name in [*given.columns, "z"]})
    return types.SimpleNamespace(low=nothing, high=nothing)
