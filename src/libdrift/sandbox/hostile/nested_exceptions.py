# Raises exceptions with endless causes, contexts, notes and groups in groups.
def ENTRY(*args, **kwargs):
    error = ValueError("nobody to greet")
    error.__cause__ = error.__context__ = inner = KeyError()
    inner.__context__ = error
    for number in range(50000):
        outer = ValueError(error)
        outer.__cause__ = error
        outer.__notes__ = ["note"] * 3
        error = outer
    try:
        error = ExceptionGroup("many", [error] * 1000)
        for number in range(5000):
            error = ExceptionGroup("more", [error])
    except NameError:
        pass
    raise error
