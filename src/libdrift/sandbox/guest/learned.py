"""What the values of a task's reference are made of: all that other answers' may be made of."""

import collections
import hashlib
import itertools
import sys

import allowing
import guessing
from standins import standing_for

LEARNED_LIMIT = 4000
ENOUGH_BITS = 16  # that nobody guesses a value but once in 65,536 times
TELLING = 12  # characters of a text that make it known again in another
# What may be asked of any function, iterator or class; and what is asked without any argument, and
# answered by data, of anything.
FREE = {("function", "call"), ("class", "call")}
HARMLESS = ("next", "len", "iter", "str", "repr", "float", "int", "bool", "hash")
# But for the length of an iterator: it would be another thing than what it gives.
COUNTED = ("iterator", "len")
# Requests that change nothing of what is asked.
QUIET = HARMLESS + ("getitem", "get", "contains", "compare", "names")
DEEP, ELEMENTS = 20, 10000  # how far a container is looked into
CONTAINERS = (
    list, tuple, set, frozenset, collections.deque, type({}.keys()), type({}.values()),
    type({}.items()),
)  # fmt: skip


class Learned(object):
    """What the values of a task's reference are made of; all that other answers' may be made of."""

    def __init__(self, content):
        self.shelter = allowing.Sheltered()
        self.learning = content is None
        content = content or {}
        self.names = {tuple(name) for name in content.get("names", ())}
        self.pins = dict(content.get("pins", {}))  # a name of the answer's module → what it is
        # What the tests ask of things that stay with the answer: its sort, and the request.
        self.asked = {tuple(item) for item in content.get("asked", ())}
        self.judged = bool(content.get("judged"))  # whether such a thing is asked to judge
        self.fails_inside = bool(content.get("fails_inside"))  # a check in a call back may fail
        self.changes = bool(content.get("changes"))  # whether it changes its arguments
        self.ignores = bool(content.get("ignores"))  # whether such changes are to be ignored
        self.brief = bool(content.get("brief"))  # whether the first case that fails is enough
        # Whether something of its has no elements: such a thing differs from nothing.
        self.empties = bool(content.get("empties"))
        self.guess_bits = content.get("guess_bits", 0)  # how hard its values are to guess
        self.code = set(content.get("code", ()))  # hashes of what the tests' libraries compile
        for _, module, _ in sorted(self.names):
            if module not in sys.modules:
                self.shelter.load(module)

    def allows(self, use, module, name):
        if self.learning and module not in sys.modules:
            self.shelter.load(module)
        if allowing.is_plain_value(use, module, name):
            return True
        if self.learning and allowing.may_be_learned(use, module, name):
            self.names.add((use, module, name))
            return len(self.names) <= LEARNED_LIMIT
        return (use, module, name) in self.names

    def asks(self, sort, request):
        """Whether tests may ask this of something that the answer keeps.

        Whoever is asked may agree with anything: so only what the reference was asked too.
        """
        if (sort, request) in FREE or (request in HARMLESS and (sort, request) != COUNTED):
            return True
        if self.learning:
            self.asked.add((sort, request))
        return (sort, request) in self.asked

    def weigh_all(self, operation, given, made, extras):
        """Weigh a value of the reference's, what it prints, and what it changes."""
        if not self.learning or operation in ("load", "names"):
            return
        # What a function does not have pytest asks for, too: nobody has to guess that.
        parts = guessing.Parts(given)
        if operation != "get" or not isinstance(made, AttributeError):
            self.weigh(made, parts)
        _, changed, out, err = extras
        for value in [value for _, value in changed] + [text for text in (out, err) if text]:
            self.weigh(value, parts)

    def weigh(self, value, parts):
        """Count how hard a value of the reference is to guess, where few guesses might do."""
        if self.guess_bits < ENOUGH_BITS:
            found = guessing.bits_of(value, parts)
            self.guess_bits = min(self.guess_bits + found, ENOUGH_BITS)

    def holds_enough(self, value):
        """Whether a value has elements, or the reference has one without any as well."""
        if self.learning and not self.empties:
            self.empties = is_empty(value, (list, tuple, set, frozenset, dict))
        return self.learning or self.empties or not is_empty(value)

    def pinned(self, name, told):
        """Whether a name of the module stands for what it stands for in the reference."""
        library = type(told) is list and told and told[0] in ("g", "M")
        if self.learning:
            if library:
                self.pins[name] = told
            return True
        return self.pins.get(name) == told if name in self.pins else not library

    def content(self):
        return {
            "names": sorted(map(list, self.names)),
            "pins": self.pins,
            "code": sorted(self.code),
            "changes": self.changes,
            "asked": sorted(map(list, self.asked)),
            "judged": self.judged,
            "fails_inside": self.fails_inside,
            "empties": self.empties,
            "guess_bits": self.guess_bits,
        }


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
    return any(
        isinstance(size, tuple) and 0 in size
        for size in (getattr(value, "shape", None), getattr(value, "size", None))
    )


def elements_of(value):
    """What a container has in it; None if it is none, or one of numbers and the like."""
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, CONTAINERS):
        return value
    shape = getattr(value, "shape", None)
    objects = getattr(getattr(value, "dtype", None), "kind", "") == "O"
    if not objects or not isinstance(shape, tuple) or 0 in shape or not hasattr(value, "tolist"):
        return None
    found = value.tolist()  # of objects: an array in it stays one
    return found if shape else [found]


def texts_of(told):
    """The texts in a message."""
    found, waiting = [], [told]
    while waiting:
        item = waiting.pop()
        if type(item) is str:
            found.append(item.encode("utf-8", "replace"))
        elif type(item) is list:
            waiting += item
        elif type(item) is dict:
            waiting += item.values()
    return found


def fingerprint(data):
    return hashlib.blake2b(data, digest_size=12).hexdigest()
