# Returns sparse matrices and arrays whose inner numbers lead far beyond what they hold.
def ENTRY(*args, **kwargs):
    try:
        from scipy import sparse

        value = sparse.csr_matrix((4, 4))
        import numpy

        value.indptr = numpy.array([0, 1 << 20, 5, 3, 1 << 24], dtype="int32")
        value.indices = numpy.array([-(1 << 20), 1 << 24], dtype="int32")
        value.data = numpy.array([1.0, 2.0])
        return value
    except ImportError:
        pass
    try:
        from numpy.lib.stride_tricks import as_strided
        import numpy

        return as_strided(numpy.zeros(1), shape=(1 << 20, 1 << 20), strides=(0, 0))
    except ImportError:
        return memoryview(bytearray(8)).cast("d", shape=[1])
