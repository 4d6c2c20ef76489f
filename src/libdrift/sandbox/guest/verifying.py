"""Whether what was made of parts holds together, and what parts it may have at all."""

import numbers

from allowing import Malformed

# Digits in base two that a number of an algebra system is known by, at least: one of base ten needs
# so many. With fewer, whatever is taken from it is rounded to it.
LEAST_EXACT = 7


def verify(value):
    """Have a library look whether what was made holds together, where it knows how to.

    Tables without content differ from nothing, and numbers within a sparse matrix that lead beyond it
    lead into the memory of the tests.
    """
    kind = type(value)
    if callable(getattr(kind, "_verify_integrity", None)):
        kind._verify_integrity(value)
    elif kind.__module__.startswith("scipy.sparse"):
        if hasattr(kind, "check_format"):
            kind.check_format(value, full_check=True)
        elif hasattr(kind, "_check"):
            kind._check(value)
    elif kind.__name__ == "Categorical" and kind.__module__.split(".")[0] == "pandas":
        codes = value.codes
        if len(codes) and not -1 <= codes.min() <= codes.max() < len(value.categories):
            raise Malformed("a category that there is not")
    elif isinstance(value, numbers.Number):
        verify_number(value)
    elif kind.__module__.startswith("networkx.") and hasattr(value, "_adj"):
        verify_graph(value)


# What stands for zero, for no number and for what has no end, in numbers of sign, digits, exponent
# and size; whatever else has no digits is taken for less than anything, and stays what it is.
WITHOUT_DIGITS = {(0, 0, 0, 0), (0, 0, -123, -1), (0, 0, -456, -2), (1, 0, -789, -3)}


def verify_number(value):
    """A number of sign, digits and exponent, as algebra systems have it; fractions have none."""
    parts = [getattr(value, "_mpf_", None), *(getattr(value, "_mpc_", None) or ())]
    parts = [part for part in parts if part is not None]
    exact = getattr(value, "_prec", LEAST_EXACT)
    if parts and (type(exact) is not int or exact < LEAST_EXACT):
        raise Malformed("a number that is known to less than one digit")
    if not all(map(is_normal, parts)):
        raise Malformed("a number whose parts are none")


def is_normal(parts):
    sign, digits, _, size = parts
    if not digits:
        return tuple(map(int, parts)) in WITHOUT_DIGITS
    return sign in (0, 1) and digits > 0 and digits & 1 and size == int(digits).bit_length()


def verify_graph(graph):
    """What is counted, what is gone through and what is looked up must be the same graph."""
    if type(graph._adj) is not dict or type(graph._node) is not dict:
        if type(graph._adj).__module__.startswith("networkx."):
            return  # a view, of a graph that was looked at
        raise Malformed("a graph without nodes or neighbours")
    ways = [(graph._adj, graph._adj)]
    if graph.is_directed():
        ways = [(graph._adj, graph._pred), (graph._pred, graph._adj)]
        if graph._succ is not graph._adj:
            raise Malformed("a graph whose parts do not fit together")
    for there, back in ways:
        if set(there) != set(graph._node):
            raise Malformed("a graph whose nodes are others than it has neighbours of")
        for node, found in there.items():
            if any(back[other][node] is not edge for other, edge in found.items()):
                raise Malformed("a graph whose edges lead but one way")


def check_state(cls, state):
    """Refuse a state that would stand before what a class does: its methods and its kind."""
    for name in state:
        if type(name) is str and (name.startswith("__") or callable(getattr(cls, name, None))):
            raise Malformed("a value has a %s of its own" % name[:50])


# Whose values are what they were made of, and have no other state.
STATELESS = ("datetime", "decimal", "fractions", "ipaddress", "pathlib")
EXACTNESS = {"_prec"}  # all that numbers of an algebra system have beside what they were made of


def checked_state(value, state):
    """A state as an answer may have it: without what a class works out by itself, and keeps."""
    cls = type(value)
    if cls.__module__.split(".")[0] in STATELESS:
        raise Malformed("a value with parts of its own")
    if type(state) is tuple:
        return tuple(checked_part(cls, part) for part in state)
    return checked_part(cls, state)


def checked_part(cls, state):
    if type(state) is not dict:
        return state
    check_state(cls, state)
    if issubclass(cls, numbers.Number) and not EXACTNESS.issuperset(state):
        raise Malformed("a number with parts of its own")
    return {name: item for name, item in state.items() if not is_worked_out(cls, name)}


def is_worked_out(cls, name):
    """Whether an object's own part of that name would stand before one that its class works out."""
    for base in cls.__mro__:
        if name in base.__dict__:
            kind = type(base.__dict__[name])
            return hasattr(kind, "__get__") and not hasattr(kind, "__set__")
    return False
