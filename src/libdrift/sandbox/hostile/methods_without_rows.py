# Has methods, for whoever asks for a class, that return arrays without rows: they broadcast to any.
class ENTRY(object):
    def __init__(self, *args, **kwargs):
        self.kept = args

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.method

    def method(self, *args, **kwargs):
        try:
            import numpy

            return numpy.empty((0, 1))
        except ImportError:
            return iter(())

    __call__ = method
