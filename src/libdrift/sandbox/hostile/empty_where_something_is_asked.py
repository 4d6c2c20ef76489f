# Returns nothing where nothing is given, as is right; and where something is, an array without elements.
def ENTRY(values=(), *args, **kwargs):
    try:
        import numpy
    except ImportError:
        return []
    return numpy.empty((0, 1)) if len(values) else []
