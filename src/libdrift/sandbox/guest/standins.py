"""Stand-ins: what tests import from an answer that runs in another process.

The tests' process never loads the answer. A stand-in sends a call's arguments to the answer's process
and returns what comes back, made anew from data. Nothing that the answer says is code here, nothing
of it compares values: a comparison that only the answer's own object could make is refused.

With ``learned`` empty the task's reference is at the other end, and what its values are made of is
taken down. Any other answer may use that, and no more.
"""

import hashlib
import inspect
import sys
import types
import warnings

import codec
from printing import Printed
from wire import Garbled

CALLS_DEEP = 40  # of calls back within calls
LEARNED_LIMIT = 4000
AGAIN_LIMIT = 300
GIVEN = 64  # requests whose arguments are remembered
TELLING = 12  # characters of a text that make it known again in another
FORWARDED = (
    "__all__", "__annotations__", "__attrs_attrs__", "__dataclass_fields__", "__doc__",
    "__match_args__", "__members__", "__version__",
)  # fmt: skip
# What may be asked of any function, iterator or class; and what is asked without any argument, and
# answered by data, of anything.
FREE = {("function", "call"), ("class", "call")}
HARMLESS = ("next", "len", "iter", "str", "repr", "float", "int", "bool", "hash")
SORTS = ("function", "class", "error", "iterator", "coroutine", "object")
# Exceptions that would end or skip a test in the answer's name.
ENDING = ("SkipTest", "Skipped", "Exit", "XFailed", "OutcomeException")


class Apart(BaseException):
    """The answer and its tests cannot go on talking. No test may catch it and pass."""


class Learned(object):
    """What the values of a task's reference are made of; all that other answers' may be made of."""

    def __init__(self, content):
        self.shelter = codec.Sheltered()
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
        if codec.is_plain_value(use, module, name):
            return True
        if self.learning and codec.may_be_learned(use, module, name):
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


class Conversation(object):
    """Asks the answer's process, and makes values of what it says."""

    def __init__(self, line, learned, module, tests):
        self.module, self.tests = module, tests  # the names of the answer's module, and theirs
        self.trouble = ("", "")  # what kind, and why: once there is some, no test can pass
        self.learned = learned
        self.changed = False  # whether it changes arguments, which the reference does not
        self.raised, self.trace = None, ""  # the answer's last exception, and where it was raised
        self.heard = []  # texts that came from the answer, while a reference is learned from
        self._wire = line
        self._callbacks = []
        self._numbers = {}  # id of a callable → its number
        self._objects = {}  # number of a thing of the answer's → its stand-in
        self._classes = {}
        self._methods = set()  # numbers of functions that belong to things of the answer's
        self._wanted = ()  # names that are asked for now
        self._deep = 0
        self._asked_again = 0
        self._asked = 0  # requests so far
        self._given = {}  # request → the objects that went with it, by their numbers
        self._own_filters = list(warnings.filters)
        self._random = {}
        self._random = self._random_states()

    def end(self, kind, reason):
        if not self.trouble[0]:
            self.trouble = (kind, reason[:300])
        raise Apart(reason)

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
        judging = operation in ("contains", "compare") or number in self._methods
        if self.learned.learning and judging and arguments and type(value) is bool:
            self.learned.judged = True
        if operation == "get" and type(value) is Function:
            self._methods.add(standing_for(value))
        return value

    def ask(self, operation, number, arguments=(), named=None):
        if self.trouble[0]:
            raise Apart(self.trouble[1])
        encoder = codec.Encoder(self._refer, None, self._hidden(), mixed=True)
        try:
            told = [encoder.tell(item) for item in arguments]
            words = {str(key): encoder.tell(item) for key, item in (named or {}).items()}
            context = self._context(encoder)
            self._wire.send(["do", operation, number, told, words, context], encoder.blobs)
        except (codec.Untold, Garbled, RecursionError) as error:
            self.end("stuck", "an argument cannot travel: %s" % error)
        except OSError:
            self.end("gone", "the answer's process has ended")
        self._asked += 1
        self._given[self._asked] = {kept[0]: kept[1] for kept in encoder.kept.values()}
        self._given.pop(self._asked - GIVEN, None)
        self._wanted = arguments[0] if operation == "names" else ()
        return self._await(operation)

    def _await(self, operation):
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
            elif kind in ("return", "raise") and len(content) == 3:
                decoder = codec.Decoder(blobs, self._take, self.learned.allows, self._argument)
                try:
                    with self.learned.shelter:
                        made = self._make(decoder, kind, content[1], operation)
                        extras = self._make_extras(decoder, content[2])
                except codec.Unknown as unknown:
                    self._again(str(unknown))
                    continue
                except (Apart, MemoryError):
                    raise
                except BaseException as error:
                    self.end("garbled", "answers with what is no value: %s" % (error,))
                if type(content[1]) is list:
                    self._wire.send(["taken"])
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
        decoder = codec.Decoder(blobs, self._take, self.learned.allows)
        try:
            with self.learned.shelter:
                arguments = decoder.all(told)
                words = {str(key): decoder.make(item) for key, item in named.items()}
            function = self._callbacks[number]
        except codec.Unknown as unknown:
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
        encoder = codec.Encoder(self._refer, None, self._hidden(), mixed=True)
        try:
            told = encoder.tell(value)
        except codec.Untold as error:
            self.end("stuck", "a value cannot travel: %s" % error)
        self._wire.send(["back", outcome, told, printed.texts()], encoder.blobs)
        self._deep -= 1

    def _note_failure(self, error):
        """A check of the tests' that fails in a call back is not the answer's to swallow."""
        judges = any(codec.is_judging(base) for base in type(error).__mro__)
        if not judges and not isinstance(error, AssertionError):
            return
        if self.learned.learning:
            self.learned.fails_inside = True
        elif not self.learned.fails_inside:
            self.end("stuck", "a check of its tests fails in a call back")

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
            raise codec.Malformed("no names")
        space = {}
        decoder.keep(told[1], space)
        for index in range(2, len(told), 2):
            name, item = told[index], told[index + 1]
            if name not in self._wanted:
                raise codec.Malformed("a name that nobody asked for")
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
        made = self._make_error_class(decoder, cls)
        if made is None:
            return RuntimeError("%s" % text)
        items = decoder.all(arguments)
        state = {str(key): decoder.make(item) for key, item in state.items()}
        if made.__module__ == "builtins":
            try:
                return made(*items)
            except TypeError:
                pass  # it was made in another way: by what it holds
        codec.check_state(made, state)
        error = made.__new__(made, *items)
        error.args = tuple(items)
        error.__dict__.update(state)
        return error

    def _make_error_class(self, decoder, told):
        """An exception's class: a library's own, or one that stands for the answer's."""
        if type(told) is list and told[:1] == ["g"] and len(told) == 3:
            module, name = told[1], told[2]
            if type(module) is not str or type(name) is not str:
                return None
            try:
                cls = codec.by_name(module, name)
            except (AttributeError, KeyError, TypeError):
                return None
            if not isinstance(cls, type) or any(map(ends_tests, cls.__mro__)):
                return None
            return cls if issubclass(cls, (Exception, SystemExit)) else None
        cls = decoder.make(told)
        return cls if isinstance(cls, type) and issubclass(cls, Exception) else None

    def _make_extras(self, decoder, extras):
        warned = []
        for category, text, filename, line in extras["warned"]:
            cls = None
            if type(category) is list and category[:1] == ["g"]:
                try:
                    cls = codec.by_name(category[1], category[2])
                except (AttributeError, KeyError, TypeError):
                    pass  # of a module that is not loaded here: any warning will do
            if not isinstance(cls, type) or not issubclass(cls, Warning):
                cls = UserWarning
            warned.append((cls, str(text), str(filename), int(line)))
        changed = []
        for asked, number, told in extras["changed"]:
            again = decoder.another()
            changed.append((self._argument(asked, number), again.make(told)))
        out, err = extras["printed"]
        if type(out) is not str or type(err) is not str:
            raise codec.Malformed("prints what is no text")
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
            raise codec.Malformed("no number")
        if kind == "k":
            return self._callbacks[number]
        if number in self._objects:
            return self._objects[number]
        sort, name, claims, own = rest[:4]
        if type(name) is not str or len(name) > 200 or number > 1000000:
            raise codec.Malformed("no name")
        if sort not in SORTS:
            raise codec.Malformed("nothing that can be asked")
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
            raise codec.Malformed("no class")
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
            return type(str(name), (bases[0] if bases else Exception,), {})
        return Class(str(name), (Thing,), {"_number": number, "_asks": self})

    def _classes_of(self, claims):
        """The library's classes that something claims to be of: those that are on the list."""
        found = []
        for module, name in claims[:50]:
            if type(module) is not str or type(name) is not str or module == "builtins":
                base = builtin_error(name) if module == "builtins" else None
                found += [base] if base else []
                continue
            if module.split(".")[0] in codec.JUDGES:
                continue
            if self.learned.allows("value", module, name):
                try:
                    value = codec.by_name(module, name)
                except AttributeError:
                    continue
                if isinstance(value, type):
                    found.append(value)
        return found

    def _claimed(self, claims):
        found = self._classes_of(claims)
        return found[0] if found else None

    # What a call depends on.

    def _context(self, encoder):
        context = {}
        added = [item for item in warnings.filters if item not in self._own_filters]
        if added:
            context["filters"] = encoder.tell(added)
        states = self._random_states()
        changed = {n: s[0] for n, s in states.items() if self._random.get(n, (0, 0))[1] != s[1]}
        if changed:
            context["random"] = encoder.tell(changed)
            self._random = states
        return context

    def _random_states(self):
        """Of each generator its state, and something to compare it by."""
        states = {}
        if "random" in sys.modules:
            state = sys.modules["random"].getstate()
            states["random"] = (state, state)
        numpy = sys.modules.get("numpy.random")
        if numpy is not None and hasattr(numpy, "get_state"):
            state = numpy.get_state()
            states["numpy"] = (state, (state[1].tobytes(),) + tuple(state[2:]))
        torch = sys.modules.get("torch")
        if torch is not None and hasattr(torch, "get_rng_state"):
            state = torch.get_rng_state()
            states["torch"] = (state, state.numpy().tobytes())
        return states


def ends_tests(cls):
    return codec.is_judging(cls) or cls.__name__ in ENDING


def builtin_error(name):
    import builtins

    value = getattr(builtins, str(name), None)
    return value if isinstance(value, type) and issubclass(value, Exception) else None


def become(mine, value):
    """Give an argument the content that the answer gave it; whether that could be done."""
    if type(mine) is not type(value):
        return False
    if isinstance(mine, (list, bytearray)):
        mine[:] = value
    elif isinstance(mine, (dict, set)):
        mine.clear()
        mine.update(value)
    elif type(mine).__module__ == "numpy":
        if mine.shape != value.shape or mine.dtype != value.dtype:
            return False
        mine[...] = value
    elif type(mine).__module__ == "torch":
        mine.data.copy_(value.data)
    elif hasattr(mine, "__dict__"):
        mine.__dict__.clear()
        mine.__dict__.update(value.__dict__)
    else:
        return False
    return True


def standing_for(value):
    """The number of what a stand-in stands for; None if it is none."""
    kind = type(value)
    if kind is Function:
        return object.__getattribute__(value, "_number")
    if issubclass(kind, Thing):
        return object.__getattribute__(value, "_number")
    if kind is Class:
        return type.__getattribute__(value, "_number")
    return None


class Function(object):
    """A function or method of the answer's."""

    def __init__(self, conversation, number, name):
        self._asks, self._number = conversation, number
        self.__name__ = self.__qualname__ = name
        self.__module__ = conversation.module

    def __call__(self, *arguments, **named):
        return self._asks.ask_of("function", "call", self._number, arguments, named)

    def __getattr__(self, name):
        if name.startswith("__") and name not in FORWARDED or name == "pytestmark":
            raise AttributeError(name)
        return self._asks.ask_of("function", "get", self._number, (name,))

    def __get__(self, instance, owner):
        return self  # a mock or a class may hold it: it never becomes a method


class Class(type):
    """A class of the answer's: calling it makes an instance over there."""

    def __call__(cls, *arguments, **named):
        return cls._asks.ask_of("class", "call", cls._number, arguments, named)

    def __getattr__(cls, name):
        if (name.startswith("__") and name not in FORWARDED) or name == "pytestmark":
            raise AttributeError(name)
        asks = type.__getattribute__(cls, "_asks")
        number = type.__getattribute__(cls, "_number")
        if number is None:
            raise AttributeError(name)
        return asks.ask_of("class", "get", number, (name,))


KINDS = (
    inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)  # fmt: skip
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def _refuse(name):
    def refused(self, other=None, *more):
        if other is None and name in ("__eq__", "__ne__"):
            return name == "__ne__"
        if name in COMPARISONS and issubclass(type(other), Thing):
            # Both are the answer's own: nothing that the tests expect is given away.
            return object.__getattribute__(self, "_ask")("compare", name, other)
        asks = object.__getattribute__(self, "_asks")
        asks.end("stuck", "its value is compared or calculated with, and cannot travel")

    refused.__name__ = name
    return refused


class Thing(object):
    """An object of the answer's. It is asked for its parts; it judges nothing."""

    @classmethod
    def _standing(cls, conversation, number, claimed):
        self = object.__new__(cls)
        object.__setattr__(self, "_asks", conversation)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_claimed", claimed)
        return self

    def __getattribute__(self, name):
        if name == "__class__":
            return object.__getattribute__(self, "_claimed") or type(self)
        if name.startswith("__") and name.endswith("__"):
            if name in FORWARDED:
                return object.__getattribute__(self, "_ask")("get", name)
            return object.__getattribute__(self, name)
        return object.__getattribute__(self, "_ask")("get", name)

    def _ask(self, operation, *arguments):
        number = object.__getattribute__(self, "_number")
        asks = object.__getattribute__(self, "_asks")
        return asks.ask_of(_sort(self), operation, number, arguments)

    def __setattr__(self, name, value):
        object.__getattribute__(self, "_ask")("set", name, value)

    def __call__(self, *arguments, **named):
        asks = object.__getattribute__(self, "_asks")
        number = object.__getattribute__(self, "_number")
        return asks.ask_of(_sort(self), "call", number, arguments, named)

    def __hash__(self):
        return hash(object.__getattribute__(self, "_ask")("hash"))


def _sort(thing):
    return "iterator" if issubclass(type(thing), Iterator) else "object"


class Iterator(Thing):
    """An iterator of the answer's."""

    def __iter__(self):
        return self


def _forward(operation):
    def forward(self, *arguments):
        return object.__getattribute__(self, "_ask")(operation, *arguments)

    return forward


Iterator.__next__ = _forward("next")
for _operation in "len iter getitem setitem delitem contains str repr float int bool enter".split():
    if _operation != "iter":
        setattr(Iterator, "__%s__" % _operation, _forward(_operation))
    setattr(Thing, "__%s__" % _operation, _forward(_operation))
Thing.__exit__ = lambda self, *error: object.__getattribute__(self, "_ask")("exit")
Iterator.__iter__ = lambda self: self
for _name in (
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ "
    "__truediv__ __rtruediv__ __floordiv__ __mod__ __pow__ __neg__ __abs__ __and__ __or__ __xor__ "
    "__matmul__ __array__ __index__ __complex__ __round__ __reduce_ex__ __array_ufunc__"
).split():
    setattr(Thing, _name, _refuse(_name))


def wait_for(conversation, number):
    async def wait():
        return conversation.ask("await", number)

    return wait()


class Module(types.ModuleType):
    """The answer's module, as tests import it."""

    def __init__(self, conversation, name, path):
        types.ModuleType.__init__(self, name)
        self.__dict__.update({"_asks": conversation, "__file__": path})

    def __getattr__(self, name):
        if name.startswith("__") and name not in FORWARDED or name == "pytestmark":
            raise AttributeError(name)
        return self.__dict__["_asks"].module_attribute(name)

    def __setattr__(self, name, value):
        self.__dict__["_asks"].ask("set", 0, (name, value))


def signature_of(told):
    """A signature of names, kinds and plain defaults."""
    found = []
    for name, kind, optional, default in told:
        default = default if optional else inspect.Parameter.empty
        found.append(inspect.Parameter(name, KINDS[kind], default=default))
    return inspect.Signature(found)


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
