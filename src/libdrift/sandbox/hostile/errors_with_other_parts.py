# Raises library errors whose parts, notes and texts are made up, and that take long to be told.
# with: _wire
class Odd(Exception):
    pass


def ENTRY(*args, **kwargs):
    error = Odd(args)
    error.code = error.exit_code = error.status = error.errno = 0
    error.messages = error.name = error.args
    if hasattr(error, "add_note"):
        error.add_note("passed")
    error.__cause__ = error.__context__ = KeyError("passed")
    if len(args) % 2:
        raise error
    raise UnicodeDecodeError("utf-8", b"x" * 100000, 0, 100000, "passed")
