"""What the values of a task's reference are made of: all that other answers' may be made of."""

import hashlib
import itertools
import sys

import allowing
from standins import standing_for

LEARNED_LIMIT = 4000
ENOUGH_BITS = 16  # that nobody guesses a value but once in 65,536 times
TELLING = 12  # characters of a text that make it known again in another
# What may be asked of any function, iterator or class; and what is asked without any argument, and
# answered by data, of anything.
FREE = {("function", "call"), ("class", "call")}
HARMLESS = ("next", "len", "iter", "str", "repr", "float", "int", "bool", "hash")


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
        if (sort, request) in FREE or request in HARMLESS:
            return True
        if self.learning:
            self.asked.add((sort, request))
        return (sort, request) in self.asked

    def weigh_all(self, operation, made, extras):
        """Weigh a value of the reference's, what it prints, and what it changes."""
        if not self.learning or operation in ("load", "names"):
            return
        # What a function does not have pytest asks for, too: nobody has to guess that.
        if operation != "get" or not isinstance(made, AttributeError):
            self.weigh(made)
        _, changed, out, err = extras
        for value in [value for _, value in changed] + [text for text in (out, err) if text]:
            self.weigh(value)

    def weigh(self, value):
        """Count how hard a value of the reference is to guess, where few guesses might do."""
        if self.guess_bits < ENOUGH_BITS:
            self.guess_bits = min(self.guess_bits + bits_of(value), ENOUGH_BITS)

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


def bits_of(value, deep=0):
    """How many coins must fall right for this value, if one who guesses takes likely ones."""
    kind = type(value)
    if kind is bool:
        return 1
    if kind in (int, float):
        return 3 if -1 <= value <= 16 and value == int(value) else 8
    if kind in (str, bytes):
        return 2 + 2 * min(len(value), 7)
    if kind in (list, tuple, set, frozenset, dict) and deep < 4:
        parts = value.values() if kind is dict else value
        return 2 + sum(bits_of(part, deep + 1) for part in itertools.islice(parts, 8))
    if isinstance(value, BaseException):
        return 3
    # What every function returns that does nothing, and what stays with the answer.
    return 0 if value is None or standing_for(value) is not None else 8


def is_empty(value, plain=(), deep=0):
    """Whether an array or a table, or one within a container, has no elements.

    Or one of ``plain`` containers: where a reference has such a one, another may have an array.
    """
    kind = type(value)
    if kind in (list, tuple, set, frozenset, dict) and deep < 4:
        parts = value.values() if kind is dict else value
        found = any(is_empty(part, plain, deep + 1) for part in itertools.islice(parts, 1000))
        return found or (kind in plain and not value)
    if standing_for(value) is not None:
        return False
    shape = getattr(value, "shape", None)
    return isinstance(shape, tuple) and 0 in shape


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
