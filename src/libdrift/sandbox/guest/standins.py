"""Stand-ins: what tests import from an answer that runs in another process.

The tests' process never loads the answer. A stand-in sends a call's arguments to the answer's process
and returns what comes back, made anew from data.
"""

import inspect
import types

FORWARDED = (
    "__all__", "__annotations__", "__attrs_attrs__", "__dataclass_fields__", "__doc__",
    "__match_args__", "__members__", "__version__",
)  # fmt: skip


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


def rename(function, name, parameters):
    """Have a stand-in go by another name, with other parameters: of another answer's function."""
    if type(function) is Function and type(name) is str:
        function.__name__ = function.__qualname__ = name
        function.__dict__.pop("__signature__", None)
        if parameters is not None:
            function.__signature__ = signature_of(parameters)


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

    def __len__(self):
        length = object.__getattribute__(self, "_ask")("len")
        object.__getattribute__(self, "_hold")(length)
        return length

    def __iter__(self):
        made = object.__getattribute__(self, "_ask")("iter")
        return object.__getattribute__(self, "_counted")(made)

    def _counted(self, elements):
        """Its elements, which must be as many as it says that it has."""
        count = 0
        for element in elements:
            count += 1
            yield element
        if "_length" in object.__getattribute__(self, "__dict__"):
            object.__getattribute__(self, "_hold")(count)
            len(self)

    def _hold(self, length):
        """As long as nobody does anything, it has one length, whoever asks, and in whatever way."""
        own, asks = (object.__getattribute__(self, name) for name in ("__dict__", "_asks"))
        known, acted = own.get("_length", (length, asks.acted))
        if acted == asks.acted and known != length:
            asks.end("stuck", "its value has as many elements as it is asked how many")
        own["_length"] = (length, asks.acted)

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
for _operation in "getitem setitem delitem contains str repr float int bool enter".split():
    setattr(Thing, "__%s__" % _operation, _forward(_operation))


def _leave(self, kind, error, trace):
    """Have a context ended; an error of the tests' goes on, unless the reference hides some too."""
    hidden = object.__getattribute__(self, "_ask")("exit")
    if hidden and kind is not None:
        object.__getattribute__(self, "_asks").hide(kind)
    return hidden


Thing.__exit__ = _leave
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
