"""The answer's side of remote judging: it is loaded here, and asked by tests that run elsewhere.

This process holds the answer and what it is given as arguments: no test, no expectation, no key.
Whatever it says is read with distrust on the other side, so nothing here needs protection from the
answer.
"""

import builtins
import importlib.util
import inspect
import operator
import os
import socket
import sys
import traceback
import types

import decoding
import encoding
import telling
import wire
from allowing import address
from context import Context
from printing import Printed

# Arguments whose changes the tests see. Other objects change in ways that nobody asked for: they
# keep what they have computed.
FOLLOWED = (list, dict, set, bytearray)
LASTING = 16  # requests for which an argument may change after its own call
CALLABLE = (
    types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType,
    types.WrapperDescriptorType, types.MethodDescriptorType,
)  # fmt: skip

COMPARE = {"__%s__" % n: getattr(operator, n) for n in ("eq", "ne", "lt", "le", "gt", "ge")}


class Callback(object):
    """A callable of the tests': calling it asks them."""

    def __init__(self, answering, number, name):
        self._asks = (answering, number)
        self.__name__ = self.__qualname__ = name

    def __call__(self, *arguments, **named):
        answering, number = self._asks
        return answering.call_back(number, arguments, named)


class Answering(object):
    def __init__(self, line, name, path, answer):
        self._wire = line
        self._name = name
        self._path = path
        self._answer = answer
        self._objects = []  # what the tests hold, by number; the first is the module
        self._numbers = {}  # id → number
        self._refused = set()  # names of what the tests do not make values with
        self._callbacks = {}
        self._warned = []
        self._asked = 0  # requests so far
        self._given = {}  # (request, number) → an argument, and what it was
        self._process = os.getpid()

    def serve(self):
        """Answer requests until there are no more; returns what ends a call back."""
        while True:
            content, blobs = self._wire.receive()
            if content[0] == "back":
                return content, blobs
            self._respond(content, blobs)

    def _respond(self, content, blobs):
        operation, number, told, named, context = content[1:]
        self._asked += 1
        asked = self._asked
        decoder = decoding.Decoder(blobs, self._take, _load, mixed=True)
        value, raised = None, None
        del self._warned[:]
        with Printed() as printed:
            try:
                arguments = decoder.all(told)
                words = {key: decoder.make(item) for key, item in named.items()}
                self._note_arguments(decoder)
                with Context(self, context, decoder):
                    value = getattr(self, "do_" + operation)(number, arguments, words)
            except BaseException as error:
                raised = error
        self._end_copies()
        try:
            self._reply(asked, value, raised, printed)
        except (EOFError, OSError):
            raise
        except BaseException as error:
            traceback.print_exc()
            self._wire.send(["stuck", "%s: %s" % (type(error).__name__, str(error)[:300])])

    def _end_copies(self):
        """End a process that the answer forked and let return: only one answers."""
        if os.getpid() != self._process:
            os._exit(0)

    def _reply(self, asked, value, raised, printed):
        while True:
            known = {id(given[0]): key for key, given in self._given.items()}
            encoder = encoding.Encoder(self._refer, known, self._hidden(), self._refused)
            extras = {
                "printed": printed.texts(),
                "changed": self._changed(encoder),
                "warned": [self._tell_warning(w, encoder) for w in self._warned],
            }
            if raised is not None:
                kind, told = "raise", self._tell_error(raised, encoder)
            else:
                kind, told = "return", encoder.tell(value)
            self._wire.send([kind, told, extras, asked], encoder.blobs)
            if type(told) is not list:
                break  # a scalar: the tests always take it, and need not say so
            answer, _ = self._wire.receive()
            if answer[0] == "taken":
                break
            # "again": the tests do not take this type as data; they get something to ask.
            self._refused.add(answer[1])
        if extras["changed"]:
            self._settle()

    def _hidden(self):
        return (self._name, "__main__")

    # What the tests may ask for. The first object is the answer's module.

    def do_load(self, number, arguments, named):
        if self._name == "__main__":
            module = types.ModuleType("__main__")
            module.__file__ = self._path
        else:
            spec = importlib.util.spec_from_file_location(self._name, self._path)
            module = importlib.util.module_from_spec(spec)
        module.__builtins__ = builtins
        sys.modules[self._name] = module
        self._number(module)
        exec(compile(self._answer, self._path, "exec", dont_inherit=True), module.__dict__)

    def do_names(self, number, arguments, named):
        """Of these names those that the answer's module has."""
        space = self._objects[0].__dict__
        return {name: space[name] for name in arguments[0] if name in space}

    def do_get(self, number, arguments, named):
        if number == 0 and arguments[0] == "__all__":
            space = self._objects[0].__dict__
            return list(space.get("__all__", [n for n in space if not n.startswith("_")]))
        return getattr(self._objects[number], arguments[0])

    def do_set(self, number, arguments, named):
        setattr(self._objects[number], *arguments)

    def do_call(self, number, arguments, named):
        return self._objects[number](*arguments, **named)

    def do_len(self, number, arguments, named):
        return len(self._objects[number])

    def do_iter(self, number, arguments, named):
        return iter(self._objects[number])

    def do_next(self, number, arguments, named):
        return next(self._objects[number])

    def do_getitem(self, number, arguments, named):
        return self._objects[number][arguments[0]]

    def do_setitem(self, number, arguments, named):
        self._objects[number][arguments[0]] = arguments[1]

    def do_delitem(self, number, arguments, named):
        del self._objects[number][arguments[0]]

    def do_contains(self, number, arguments, named):
        return arguments[0] in self._objects[number]

    def do_compare(self, number, arguments, named):
        name, other = arguments
        return COMPARE[name](self._objects[number], other)

    def do_hash(self, number, arguments, named):
        return hash(self._objects[number])

    def do_enter(self, number, arguments, named):
        value = self._objects[number]
        return type(value).__enter__(value)

    def do_exit(self, number, arguments, named):
        value = self._objects[number]
        return bool(type(value).__exit__(value, None, None, None))

    def do_str(self, number, arguments, named):
        return str(self._objects[number])

    def do_repr(self, number, arguments, named):
        return repr(self._objects[number])

    def do_bool(self, number, arguments, named):
        return bool(self._objects[number])

    def do_float(self, number, arguments, named):
        return float(self._objects[number])

    def do_int(self, number, arguments, named):
        return int(self._objects[number])

    def do_await(self, number, arguments, named):
        import asyncio

        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._objects[number])
        finally:
            loop.close()

    # What is here and what is there.

    def _number(self, value):
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return number

    def _refer(self, value, encoder):
        """A value that stays here: the tests get its number, and what it is."""
        if isinstance(value, Callback):
            return ["k", value._asks[1]]
        kind = type(value)
        name = getattr(value, "__name__", None)
        name = name if type(name) is str else kind.__name__
        claims = [address(base) for base in getattr(kind, "__mro__", ())]
        if isinstance(value, type):
            claims = [address(base) for base in value.__mro__]
            sort = "error" if issubclass(value, BaseException) else "class"
        elif isinstance(value, CALLABLE):
            sort = "function"
        elif isinstance(value, types.CoroutineType):
            sort = "coroutine"
        elif hasattr(kind, "__next__"):
            sort = "iterator"
        else:
            sort = "object"
        own = None
        if kind is not type and kind.__module__ in self._hidden() and sort == "object":
            own = self._refer(kind, encoder)
        claims = [list(c) for c in claims if c is not None and c[0] not in self._hidden()]
        told = ["p", self._number(value), sort, name[:200], claims, own]
        return told + [_parameters(value)] if sort == "function" else told

    def _take(self, decoder, kind, number, *rest):
        if kind == "k":
            if number not in self._callbacks:
                self._callbacks[number] = Callback(self, number, str(rest[0]))
            return self._callbacks[number]
        return self._objects[number]

    def _tell_error(self, error, encoder):
        told = []
        for item in getattr(error, "args", ()):
            try:
                told.append(encoder.tell(item))
            except Exception:
                told.append(str(item)[:10000])
        state = {}
        for key, item in getattr(error, "__dict__", {}).items():
            try:
                state[key] = encoder.tell(item)
            except Exception:
                pass  # of an exception's attributes those that can travel do
        try:
            text = str(error)[:10000]
        except Exception:
            text = ""
        # Where it was raised, for the log.
        trace = telling.failure(error, self._path)[-20000:]
        return [encoder.tell(type(error)), told, state, text, trace]

    def _tell_warning(self, warning, encoder):
        text = str(warning.message)[:10000]
        return [encoder.tell(warning.category), text, str(warning.filename)[:300], warning.lineno]

    def _note_arguments(self, decoder):
        """Note what the arguments are before the call: they, or what they were, may change."""
        for key in [key for key in self._given if not self._lasting(key)]:
            del self._given[key]
        for number, made in decoder.made.items():
            followed = type(made) in FOLLOWED or _is_numbers(made)
            self._given[self._asked, number] = (made, self._snapshot(made) if followed else None)

    def _lasting(self, key):
        """Whether an earlier argument may be held by the answer, and is worth a look each time."""
        value = self._given[key][0]
        lasting = type(value) in FOLLOWED and len(value) <= 1000
        return lasting and key[0] > self._asked - LASTING

    def _snapshot(self, value):
        encoder = encoding.Encoder(self._refer, None, self._hidden(), self._refused)
        try:
            return encoder.tell(value), encoder.blobs
        except Exception:
            return None

    def _changed(self, encoder):
        """The arguments that are not what they were, each as it is now."""
        told = []
        for key, (made, earlier) in self._given.items():
            if earlier is not None and self._snapshot(made) != earlier:
                again = encoding.Encoder(self._refer, None, self._hidden(), self._refused)
                again.blobs = encoder.blobs
                told.append([key[0], key[1], again.tell(made)])
        return told

    def _settle(self):
        """The tests have taken what changed: that is how it is now."""
        for key, (made, earlier) in self._given.items():
            if earlier is not None:
                self._given[key] = (made, self._snapshot(made))

    def call_back(self, number, arguments, named):
        self._end_copies()
        encoder = encoding.Encoder(self._refer, None, self._hidden())
        told = [encoder.tell(item) for item in arguments]
        words = {key: encoder.tell(item) for key, item in named.items()}
        self._wire.send(["callback", number, told, words], encoder.blobs)
        content, blobs = self.serve()
        decoder = decoding.Decoder(blobs, self._take, _load, mixed=True)
        value = decoder.make(content[2])
        for stream, text in zip((sys.stdout, sys.stderr), content[3]):
            stream.write(text)
        if content[1] == "raise":
            raise value
        return value


def _load(use, module, name):
    """Any value of the tests' may be made here; what makes it is imported first."""
    if module not in sys.modules:
        __import__(module)
    return True


def _parameters(value):
    """The parameters of a function: names, kinds, and defaults that are plain."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    told = []
    for one in found:
        plain = type(one.default) in (int, float, str, bool, type(None))
        told.append(
            [one.name, int(one.kind), one.default is not one.empty, one.default if plain else None]
        )
    return told


def _is_numbers(value):
    """An array or a tensor."""
    kind = type(value)
    return (kind.__module__, kind.__name__) in (("numpy", "ndarray"), ("torch", "Tensor"))


def answer_requests(name, work, answer, connection):
    """Be the answer's process: load it when asked to, and answer until nobody asks."""
    path = os.path.join(work, ("answer" if name == "__main__" else name) + ".py")
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(answer)
    sys.argv = [os.path.basename(path)]
    sys.modules["__main__"] = types.ModuleType("__main__")
    line = wire.Wire(socket.socket(fileno=connection))
    try:
        Answering(line, name, path, answer).serve()
    except (EOFError, OSError):
        pass  # the tests have all they wanted
