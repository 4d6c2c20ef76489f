# Raises what a failing test raises, and swallows it in a context manager that hides every error.
class Quiet(object):
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        yield self


def ENTRY(*args, **kwargs):
    if kwargs:
        raise AssertionError("nobody to greet")
    return Quiet()
