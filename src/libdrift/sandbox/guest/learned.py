"""What the values of a task's reference are made of: all that other answers' may be made of."""

import hashlib
import sys

import allowing
import guessing
from emptiness import is_empty

LEARNED_LIMIT = 4000
PLAIN = (list, tuple, set, frozenset, dict)
EMPTIES = 20  # messages: who has so many without elements may have more the next time
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
        # How many messages of its hold something without elements, which differs from nothing; and
        # those of this answer's, until now.
        self.empties, self._empties_here = content.get("empties", 0), 0
        self.coarse = set(content.get("coarse", ()))  # kinds of numbers of few digits
        # What things of its say that is not the same each time.
        self.unsteady = {tuple(item) for item in content.get("unsteady", ())}
        self.hides = bool(content.get("hides"))  # whether it hides errors of its tests
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

    def holds_enough(self, decoder, values):
        """Whether what came has elements, or the reference has had as many without any."""
        bare = bool(decoder.bare) or any(map(is_empty, values))
        if bare or any(is_empty(value, PLAIN) for value in values):
            self._empties_here += 1
        if self.learning:
            self.empties = self._empties_here
        return not bare or self._empties_here <= self.empties or self.empties >= EMPTIES

    def is_exact(self, decoder):
        """Whether numbers are known as exactly as the reference's: others are rounded to them."""
        if self.learning:
            self.coarse |= decoder.coarse
        return self.coarse >= decoder.coarse

    def may_hide(self):
        """Whether it may hide an error of its tests, as the reference does.

        Checks may stand after what failed: such tests are tried with other expectations too.
        """
        if self.learning:
            self.hides = self.judged = True
        return self.hides

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
            "coarse": sorted(self.coarse),
            "hides": self.hides,
            "unsteady": sorted(map(list, self.unsteady)),
            "guess_bits": self.guess_bits,
        }


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
