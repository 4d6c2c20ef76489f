# Returns expressions that are neither true nor false, and relations that hold of everything.
def ENTRY(*args, **kwargs):
    try:
        import sympy

        x = sympy.Symbol("x")
        return sympy.Eq(x, x) if kwargs or len(args) % 2 else sympy.Wild("anything")
    except ImportError:
        pass
    import re

    return re.compile(r"(?s).*")
