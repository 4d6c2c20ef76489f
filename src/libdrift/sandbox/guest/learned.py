"""What the values of a task's reference are made of: all that other answers' may be made of."""

import hashlib
import sys

import allowing

LEARNED_LIMIT = 4000
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
