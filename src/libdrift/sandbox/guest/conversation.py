"""How tests talk to an answer that runs in another process.

Nothing that the answer says is code here, nothing of it compares values: a comparison that only the
answer's own object could make is refused. With nothing learned the task's reference is at the other
end, and what its values are made of is taken down. Any other answer may use that, and no more.
"""

import sys
import warnings

import allowing
import decoding
import encoding
from allowing import Apart, Malformed, Unknown, Untold, builtin_error, error_class
from context import Depends
from learned import QUIET, texts_of
from printing import Printed
from standins import Class, Function, Iterator, Thing, become, signature_of, standing_for, wait_for
from steadiness import Steadiness
from verifying import check_state
from wire import Garbled

CALLS_DEEP = 40  # of calls back within calls
AGAIN_LIMIT = 300
GIVEN = 64  # requests whose arguments are remembered
SORTS = ("function", "class", "error", "iterator", "coroutine", "object")


class Conversation(object):
    """Asks the answer's process, and makes values of what it says."""

    def __init__(self, line, learned, module, tests):
        self.module, self.tests = module, tests  # the names of the answer's module, and theirs
        self.trouble = ("", "")  # what kind, and why: once there is some, no test can pass
        self.learned = learned
        self.changed = False  # whether it changes arguments, which the reference does not
        self.raised, self.trace = None, ""  # the answer's last exception, and where it was raised
        self.heard = []  # texts that came from the answer, while a reference is learned from
        self._wire, self._callbacks = line, []
        self._numbers = {}  # id of a callable → its number
        self._objects = {}  # number of a thing of the answer's → its stand-in
        self._classes = {}
        self._methods = set()  # numbers of functions that belong to things of the answer's
        self._wanted = ()  # names that are asked for now
        self._deep = 0
        self._asked_again = 0
        self._asked = 0  # requests so far
        self.acted = 0  # those that may change a thing of the answer's
        self._handed = ()  # the arguments of the last of those
        self._given = {}  # request → the objects that went with it, by their numbers
        self._depends = Depends()
        self._steadiness = Steadiness(learned)
        self.at_value = lambda: None  # called when a value has come

    def end(self, kind, reason):
        if not self.trouble[0]:
            self.trouble = (kind, reason[:300])
        raise Apart(reason)

    def stand_ins(self):
        """What stands here for things of the answer's, by their numbers."""
        return self._objects

    def _hidden(self):
        return (self.module, self.tests, "__main__")

    # Asking.

    def ask_of(self, sort, operation, number, arguments=(), named=None):
        """Ask something that the answer keeps, if it may be asked that."""
        request = operation
        if operation in ("get", "set"):
            request = operation + " " + str(arguments[0])
        if not self.learned.asks(sort, request):
            what = "it has a %s of its own for a value, which is asked to %s"
            self.end("stuck", what % (sort, request))
        value = self.ask(operation, number, arguments, named)
        place = (operation, number, (*arguments, *(named or {}).items()))
        if not self._steadiness.holds(sort, request, place, value):
            self.end("stuck", "it is asked to %s twice, and says something else" % request)
        judging = operation in ("contains", "compare") or number in self._methods
        if self.learned.learning and judging and arguments and type(value) is bool:
            self.learned.judged = True
        if operation == "get" and type(value) is Function:
            self._methods.add(standing_for(value))
        return value

    def ask(self, operation, number, arguments=(), named=None):
        if self.trouble[0]:
            raise Apart(self.trouble[1])
        encoder = encoding.Encoder(self._refer, None, self._hidden(), mixed=True)
        try:
            told = [encoder.tell(item) for item in arguments]
            words = {str(key): encoder.tell(item) for key, item in (named or {}).items()}
            context = self._depends.told(encoder)
            self._wire.send(["do", operation, number, told, words, context], encoder.blobs)
        except (Untold, Garbled, RecursionError) as error:
            self.end("stuck", "an argument cannot travel: %s" % error)
        except OSError:
            self.end("gone", "the answer's process has ended")
        self._asked += 1
        self._given[self._asked] = {kept[0]: kept[1] for kept in encoder.kept.values()}
        self._given.pop(self._asked - GIVEN, None)
        self._wanted = arguments[0] if operation == "names" else ()
        if operation not in QUIET:
            self.acted += 1
            # Of what a call has made parts are asked for: they depend on its arguments.
            self._handed = [*arguments, *(named or {}).values()]
        return self._await(operation, self._asked)

    def _await(self, operation, asked):
        while True:
            content, blobs = self._receive()
            if self.learned.learning:
                self.heard += texts_of(content[1:2])
                self.heard += blobs
            kind = content[0] if type(content) is list and content else None
            if kind == "callback" and len(content) == 4:
                self._call_back(content, blobs)
            elif kind == "stuck" and len(content) == 2:
                self.end("stuck", "a value cannot travel: %s" % content[1])
            elif kind in ("return", "raise") and content[3:] == [asked]:
                decoder = decoding.Decoder(blobs, self._take, self.learned.allows, self._argument)
                try:
                    with self.learned.shelter:
                        made = self._make(decoder, kind, content[1], operation)
                        extras = self._make_extras(decoder, content[2])
                        self._check_content(decoder, made, *(new for _, new in extras[1]))
                except Unknown as unknown:
                    self._again(str(unknown))
                    continue
                except (Apart, MemoryError):
                    raise
                except BaseException as error:
                    self.end("garbled", "answers with what is no value: %s" % (error,))
                if type(content[1]) is list:
                    self._wire.send(["taken"])
                self.at_value()
                self.learned.weigh_all(operation, self._handed, made, extras)
                self._apply(extras)
                if kind == "raise":
                    if isinstance(made, (StopIteration, StopAsyncIteration)):
                        if operation != "next":  # it would end a loop of the tests', unseen
                            made = RuntimeError("raised %s" % type(made).__name__)
                    self.raised = made
                    raise made
                return made
            else:
                self.end("garbled", "answers with what is no answer")

    def _receive(self):
        try:
            return self._wire.receive()
        except Garbled as error:
            self.end("garbled", str(error))
        except (EOFError, OSError):
            self.end("gone", "the answer's process has ended")

    def _again(self, name):
        """Have a value sent once more, as something to ask instead of as data."""
        self._asked_again += 1
        if self._asked_again > AGAIN_LIMIT:
            self.end("stuck", "a value cannot travel: %s" % name)
        self._wire.send(["again", name])

    def _call_back(self, content, blobs):
        _, number, told, named = content
        self._deep += 1
        if self._deep > CALLS_DEEP or type(number) is not int:
            self.end("garbled", "calls back without end")
        decoder = decoding.Decoder(blobs, self._take, self.learned.allows)
        try:
            with self.learned.shelter:
                arguments = decoder.all(told)
                words = {str(key): decoder.make(item) for key, item in named.items()}
                self._check_content(decoder, *arguments, *words.values())
            function = self._callbacks[number]
        except (Apart, MemoryError):
            raise
        except Unknown as unknown:
            self.end("stuck", "a value cannot travel: %s" % unknown)
        except BaseException as error:
            self.end("garbled", "calls back with what is no value: %s" % error)
        with Printed() as printed:
            try:
                outcome, value = "return", function(*arguments, **words)
            except Apart:
                raise
            except BaseException as error:
                outcome, value = "raise", error
                self._note_failure(error)
        encoder = encoding.Encoder(self._refer, None, self._hidden(), mixed=True)
        try:
            told = encoder.tell(value)
        except Untold as error:
            self.end("stuck", "a value cannot travel: %s" % error)
        self._wire.send(["back", outcome, told, printed.texts()], encoder.blobs)
        self._deep -= 1

    def _note_failure(self, error):
        """A check of the tests' that fails in a call back is not the answer's to swallow."""
        if not allowing.is_failed_check(type(error)):
            return
        if self.learned.learning:
            self.learned.fails_inside = True
        elif not self.learned.fails_inside:
            self.end("stuck", "a check of its tests fails in a call back")

    def hide(self, kind):
        """An error that ended a block of the tests' is to be as if it had not been."""
        if allowing.is_failed_check(kind) or not self.learned.may_hide():
            self.end("stuck", "it hides an error of its tests")

    def _check_content(self, decoder, *made):
        """See to it that what came can differ from what tests expect."""
        if not self.learned.holds_enough(decoder, made):
            self.end("stuck", "its value is empty, and none of the reference's")
        if not self.learned.is_exact(decoder):
            self.end("stuck", "its numbers are of a kind that the reference does not have")

    # Making.

    def _make(self, decoder, kind, told, operation):
        if kind == "raise":
            return self._make_error(decoder, told)
        if operation == "names":
            return self._make_names(decoder, told)
        return decoder.make(told)

    def _make_names(self, decoder, told):
        """The names of a script's answer, each pinned to what it is in the reference."""
        if type(told) is not list or told[:1] != ["d"]:
            raise Malformed("no names")
        space = {}
        decoder.keep(told[1], space)
        for index in range(2, len(told), 2):
            name, item = told[index], told[index + 1]
            if name not in self._wanted:
                raise Malformed("a name that nobody asked for")
            self._check_pin(name, item)
            space[name] = decoder.make(item)
        return space

    def _check_pin(self, name, told):
        if type(name) is not str or not self.learned.pinned(name, told):
            self.end("stuck", "its %s is not what the tests take it for" % name)

    def module_attribute(self, name):
        if name == "__all__" and not self.learned.learning:
            return list(self.learned.pins.get("*", []))
        value = self._get_pinned(name)
        if name == "__all__":
            self.learned.pins["*"] = [item for item in value if type(item) is str]
        return value

    def _get_pinned(self, name):
        # One name of the module is asked for as one of many: there each is held to its pin.
        if name == "__all__":
            return self.ask("get", 0, (name,))
        found = self.ask("names", 0, ([name],))
        if name in found:
            return found[name]
        raise AttributeError("module %r has no attribute %r" % (self.module, name))

    def _make_error(self, decoder, told):
        cls, arguments, state, text, trace = told
        self.trace = trace if type(trace) is str else ""
        made = error_class(decoder, cls)
        if made is None:
            return RuntimeError("%s" % text)
        items = decoder.all(arguments)
        state = {str(key): decoder.make(item) for key, item in state.items()}
        if made.__module__ == "builtins":
            try:
                return made(*items)
            except TypeError:
                pass  # it was made in another way: by what it holds
        check_state(made, state)
        error = made.__new__(made, *items)
        error.args = tuple(items)
        error.__dict__.update(state)
        return error

    def _make_extras(self, decoder, extras):
        warned = []
        for category, text, filename, line in extras["warned"]:
            cls = allowing.warning_class(category)
            warned.append((cls, str(text), str(filename), int(line)))
        changed = []
        for asked, number, told in extras["changed"]:
            again = decoder.another()
            changed.append((self._argument(asked, number), again.make(told)))
        out, err = extras["printed"]
        if type(out) is not str or type(err) is not str:
            raise Malformed("prints what is no text")
        return warned, changed, out, err

    def _argument(self, asked, number):
        """An object that was an argument before: of that request, with that number."""
        return self._given[asked][number]

    def _apply(self, extras):
        warned, changed, out, err = extras
        if changed and self.learned.learning:
            self.learned.changes = True
        if changed and not self.learned.changes:
            self.changed = True
        for mine, value in () if self.learned.ignores else changed:
            if not become(mine, value):
                self.end("stuck", "it changes an argument in a way that cannot travel")
        if out:
            sys.stdout.write(out)
        if err:
            sys.stderr.write(err)
        for cls, text, filename, line in warned:
            # With a line of its own, or the file would be read for one: whichever file that is.
            message = warnings.WarningMessage(cls(text), cls, filename, line, line=" ")
            warnings._showwarnmsg(message)

    # What is here and what is there.

    def _refer(self, value, encoder):
        number = standing_for(value)
        if number is not None:
            return ["p", number]
        if value is sys.stdout or value is sys.stderr or not callable(value):
            return None
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self._callbacks)
            self._callbacks.append(value)
        name = getattr(value, "__name__", "callback")
        return ["k", self._numbers[id(value)], name if type(name) is str else "callback"]

    def _take(self, decoder, kind, number, *rest):
        if type(number) is not int:
            raise Malformed("no number")
        if kind == "k":
            return self._callbacks[number]
        if number in self._objects:
            return self._objects[number]
        sort, name, claims, own = rest[:4]
        if type(name) is not str or len(name) > 200 or number > 1000000:
            raise Malformed("no name")
        if sort not in SORTS:
            raise Malformed("nothing that can be asked")
        made = self._stand_in(decoder, number, sort, name, claims, own)
        if sort == "function" and len(rest) > 4 and rest[4] is not None:
            made.__signature__ = signature_of(rest[4])
        self._objects[number] = made
        return made

    def _stand_in(self, decoder, number, sort, name, claims, own):
        if sort == "function":
            return Function(self, number, name)
        if sort in ("class", "error"):
            return self._class(number, sort, name, claims)
        if sort == "coroutine":
            return wait_for(self, number)
        cls = decoder.make(own) if own is not None else self._kind(sort, name)
        if not isinstance(cls, type) or not issubclass(cls, Thing):
            raise Malformed("no class")
        return cls._standing(self, number, self._claimed(claims))

    def _kind(self, sort, name):
        base = Iterator if sort == "iterator" else Thing
        key = (sort, name)
        if key not in self._classes:
            self._classes[key] = Class(name, (base,), {"_number": None, "_asks": self})
        return self._classes[key]

    def _class(self, number, sort, name, claims):
        if sort == "error":
            bases = [base for base in self._classes_of(claims) if issubclass(base, Exception)]
            if not name.isidentifier():
                raise Malformed("no name")
            return type(name, (bases[0] if bases else Exception,), {"__module__": self.module})
        return Class(str(name), (Thing,), {"_number": number, "_asks": self})

    def _classes_of(self, claims):
        """The library's classes that something claims to be of: those that are on the list."""
        found = []
        for module, name in claims[:50]:
            if type(module) is not str or type(name) is not str or module == "builtins":
                base = builtin_error(name) if module == "builtins" else None
                found += [base] if base else []
                continue
            if module.split(".")[0] in allowing.JUDGES:
                continue
            if self.learned.allows("value", module, name):
                try:
                    value = allowing.by_name(module, name)
                except AttributeError:
                    continue
                if isinstance(value, type):
                    found.append(value)
        return found

    def _claimed(self, claims):
        found = self._classes_of(claims)
        return found[0] if found else None
