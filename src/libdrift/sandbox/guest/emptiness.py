"""What has no elements: whatever it is compared with, it differs nowhere."""

import collections
import itertools
import sys
import types
from functools import partial

from standins import standing_for

DEEP, ELEMENTS = 20, 10000  # how far a container is looked into
CONTAINERS = (
    list, tuple, set, frozenset, collections.deque, type({}.keys()), type({}.values()),
    type({}.items()),
)  # fmt: skip
SIZES = ("shape", "size")
# Numbers of so few digits that whatever they are compared with is rounded to them.
COARSE = ("float16", "bfloat16", "float8")
USUAL_DIGITS = 53  # in base two
WIDE = ("float64", "complex128", "longdouble", "clongdouble", "float128", "complex256")


def is_empty(value, plain=(), deep=0):
    """Whether an array, a table or a picture, or one within a container, has no elements.

    Or a list within a container, which is an array to whoever calculates with it; or any of
    ``plain`` containers: where a reference has such a one, another may have an array.
    """
    if standing_for(value) is not None:
        return False
    parts = elements_of(value)
    if parts is not None and deep < DEEP:
        bare = not len(parts) and (
            isinstance(value, plain) or (deep and type(value) in (list, tuple))
        )
        return bool(bare) or any(
            is_empty(part, plain, deep + 1) for part in itertools.islice(parts, ELEMENTS)
        )
    return is_bare(value)


def is_bare(value):
    """Whether an array, a table or a picture has no elements."""
    return any(isinstance(size, tuple) and 0 in size for size in map(partial(part, value), SIZES))


def part(value, name):
    try:
        return getattr(value, name, None)
    except Exception:
        return None  # it works out its size by itself, and cannot


def elements_of(value):
    """What a container has in it; None if it is none, or one of numbers and the like."""
    if isinstance(value, dict):
        return value.values()
    if type(value) is types.SimpleNamespace:
        return vars(value).values()
    if isinstance(value, CONTAINERS):
        return value
    shape = getattr(value, "shape", None)
    objects = getattr(getattr(value, "dtype", None), "kind", "") == "O"
    if not objects or not isinstance(shape, tuple) or 0 in shape or not hasattr(value, "tolist"):
        return None
    found = value.tolist()  # of objects: an array in it stays one
    return found if shape else [found]


def is_missing(value):
    """Whether elements of a table are missing: neither equal to anything, nor unequal.

    Where all elements must be equal, those are passed over.
    """
    cls = type(value)
    if not cls.__module__.startswith("pandas.core.arrays") or not hasattr(cls, "isna"):
        return False
    return bool(value.isna().any())


def is_rounded(value):
    """Whether a number of an algebra system has fewer digits than usual ones: others lose theirs."""
    digits = part(value, "_prec")
    return type(digits) is int and 0 < digits < USUAL_DIGITS  # exact ones say -1


def coarse_kind(name, values):
    """The name of a kind of numbers that takes many others for equal to its own; else nothing.

    Whatever is larger than the largest of a kind is rounded to its infinity.
    """
    if name.startswith(COARSE):
        return name
    if name in WIDE or not name.startswith(("float", "complex")):
        return ""
    numpy = sys.modules["numpy"]
    return name if bool(numpy.isinf(values).any()) else ""
