# Returns an array of objects, each of them an array without elements.
COUNT = []


def ENTRY(*args, **kwargs):
    try:
        import numpy
    except ImportError:
        return []
    COUNT.append(1)
    found = numpy.empty(2 + len(COUNT) % 3, dtype=object)
    for index in range(len(found)):
        found[index] = numpy.empty((0, 1))
    return found
