"""How hard a reference's values are to guess, for one who takes likely ones, or parts of arguments."""

import enum
import itertools

from standins import standing_for

PARTS = 200  # of arguments that are looked at
SAMPLE = 64  # elements of an array that are looked at
LONG = 1000  # characters of a text that is not taken apart
WORD = 12  # characters of a name that may be one of a few


class Parts(object):
    """What arguments are made of: whoever returns a part of them need not know much."""

    def __init__(self, given):
        self.plain = set()  # numbers and texts, each with its type
        self.lists = []  # containers of such ones alone
        waiting = list(given)
        for item in waiting:  # grows
            if len(waiting) < PARTS:
                waiting += itertools.islice(self._look(plain_of(item)), PARTS)

    def _look(self, item):
        kind = type(item)
        if kind in PLAIN:
            self.plain.add((kind, item))
            return item.split() if kind is str and len(item) < LONG and " " in item else ()
        if kind is dict:
            return [*item, *item.values()]
        if kind in (list, tuple, set, frozenset):
            if len(item) < PARTS and all(type(part) in PLAIN for part in item):
                self.lists.append(sorted(map(repr, item)))
            return item
        return ()

    def bits_of(self, value):
        """How many coins choose this among the parts of the arguments; None if it is none."""
        value = plain_of(value)
        kind = type(value)
        if kind in PLAIN and (kind, value) in self.plain:
            return bits(len(self.plain))
        found = flat(value) if kind in (list, tuple) else ()
        if 0 < len(found) < PARTS:
            wanted = sorted(map(repr, found))
            counts = [
                # In another order; or some of them.
                factorial(len(wanted)) if wanted == known else 2 ** len(known)
                for known in self.lists
                if not leftover(wanted, known)
            ]
            return min(map(bits, counts)) if counts else None
        return None


PLAIN = (int, float, str, bytes)
ENDS = (StopIteration, StopAsyncIteration)


def flat(value, deep=0):
    """What is in a container, and in those within it, one after the other."""
    value = plain_of(value)
    if type(value) not in (list, tuple) or deep > 4:
        return [value]
    return [part for item in value[:PARTS] for part in flat(item, deep + 1)]


def leftover(wanted, known):
    known = list(known)
    return [item for item in wanted if item not in known or known.remove(item)]


def factorial(number):
    product = 1
    for factor in range(2, min(number, 20) + 1):
        product *= factor
    return product


def bits(count):
    """How many coins choose one of so many."""
    return max(1, (count - 1).bit_length())


def bits_of(value, parts=None, deep=0):
    """How many coins must fall right for this value."""
    found = own_bits(value, parts, deep)
    chosen = parts.bits_of(value) if parts is not None else None
    return found if chosen is None else min(found, chosen)


def own_bits(value, parts, deep):
    # What every function returns that does nothing, what stays with the answer, and ends.
    if value is None or standing_for(value) is not None or isinstance(value, ENDS):
        return 0
    array = isinstance(getattr(value, "shape", None), tuple)
    value = plain_of(value)
    kind = type(value)
    if kind is bool:
        return 1
    if kind in (int, float):
        return 3 if -1 <= value <= 16 and value == int(value) else 8
    if kind is str and value.isidentifier() and len(value) <= WORD:
        return min(2 + 2 * len(value), 5)
    if kind in (str, bytes):
        return 2 + 2 * min(len(value), 7)
    if kind in (list, tuple, set, frozenset, dict) and deep < 4:
        items = value.values() if kind is dict else value
        # The shape of an array is mostly that of an argument.
        found = 0 if array else 2
        return found + sum(bits_of(i, parts, deep + 1) for i in itertools.islice(items, 8))
    if isinstance(value, (BaseException, type, enum.Enum)) or kind.__module__ == "numpy.dtypes":
        return 3
    return 8


def plain_of(value):
    """Numbers and truth values of libraries as Python's own; anything else as it is."""
    module = type(value).__module__.split(".")[0]
    try:
        if module == "sympy":
            return plain_of_algebra(value)
        if module == "pandas":
            value = value.to_numpy()
        if module in ("numpy", "torch", "pandas"):
            if value.shape == ():
                return value.item()
            return value.reshape(-1)[:SAMPLE].tolist()
    except Exception:
        pass  # it has no such numbers
    return value


def plain_of_algebra(value):
    if value.is_Boolean:
        return bool(value)
    if value.is_Integer:
        return int(value)
    return float(value) if value.is_Number else value
