"""Values made of data: strictly, and by nothing that is not allowed."""

import collections
import copy
import sys

from allowing import Malformed, Unknown, by_name
from emptiness import coarse_kind, is_bare, is_missing, is_rounded
from encoding import DEPTH, NODES, NUMPY_KINDS
from verifying import checked_state, verify


class Decoder(object):
    """Makes the values of one message. ``allowed`` says what may be found by its name.

    What is made of parts holds nothing that is only referred to, unless ``mixed``.
    """

    def __init__(self, blobs, refer, allowed, arguments=None, mixed=False):
        self.mixed = mixed
        self._blobs = blobs
        self._refer = refer
        self._allowed = allowed
        self.made = {}  # number → value
        self.bare = []  # values without elements, wherever they are
        self.coarse = set()  # kinds of numbers of few digits, or of none
        self._arguments = arguments
        self._copies = {}  # of arguments that are parts of values
        self.inside = 0  # how many objects that are made of parts this one is a part of
        self._depth = 0
        self._nodes = 0

    def make(self, told):
        kind = type(told)
        if told is None or kind in (bool, str, int, float):
            return told
        if kind is not list or not told or type(told[0]) is not str:
            raise Malformed("no value")
        self._nodes += 1
        self._depth += 1
        if self._depth > DEPTH or self._nodes > NODES:
            raise Malformed("a value is nested too deeply, or too large")
        maker = MAKE.get(told[0])
        if maker is None:
            raise Malformed("no kind of value: %r" % told[0][:20])
        try:
            return maker(self, *told[1:])
        finally:
            self._depth -= 1

    def all(self, told):
        return [self.make(item) for item in told]

    def keep(self, number, value):
        if type(number) is not int or number in self.made:
            raise Malformed("a value has no number of its own")
        self.made[number] = value
        return value

    def blob(self, number):
        return self._blobs[number]

    def find(self, module, name, use):
        """What is known by this name, to be handed on (a "value") or to "make" others with."""
        if type(module) is not str or type(name) is not str:
            raise Malformed("no name")
        if use == "value" and self.inside:
            use = "part"
        if not self._allowed(use, module, name):
            raise Unknown("%s.%s" % (module, name))
        try:
            return by_name(module, name)
        except AttributeError:
            raise Unknown("%s.%s" % (module, name))

    def allows(self, use, module, name):
        return self._allowed(use, module, name)

    def argument(self, asked, number):
        """An argument of the tests': that very object, or a copy of it as a part of a value.

        What is made of parts may write to them while it is made: a table to its array.
        """
        value = self._arguments(asked, number)
        if self.mixed or not self.inside:
            return value
        if (asked, number) not in self._copies:
            try:
                self._copies[asked, number] = copy.deepcopy(value)
            except Exception:
                raise Unknown(type(value).__name__)
        return self._copies[asked, number]

    def another(self):
        """For another value of the same message, with numbers of its own."""
        other = Decoder(self._blobs, self._refer, self._allowed, self._arguments, self.mixed)
        other.bare, other.coarse = self.bare, self.coarse
        return other

    def note(self, value, name=""):
        """Note what compares with too much: a value without elements, a number of few digits."""
        if self.mixed:
            return value  # of the tests' own
        if is_bare(value):
            self.bare.append(value)
        if name:
            kind = coarse_kind(name, value)
        else:
            kind = "missing" if is_missing(value) else "rounded" if is_rounded(value) else ""
        if kind:
            self.coarse.add(kind)
        return value

    def refer(self, *told):
        if self.inside and not self.mixed:
            raise Malformed("a part of a value that is no data")
        return self._refer(self, *told)


def _make_float(decoder, text):
    if text not in ("nan", "inf", "-inf"):
        raise Malformed("no number")
    return float(text)


def _make_integer(decoder, text):
    if type(text) is not str or len(text) > 10000:
        raise Malformed("no number")
    return int(text, 16)


def _make_list(decoder, number, *told):
    value = decoder.keep(number, [])
    value.extend(decoder.all(told))
    return value


def _make_dict(decoder, number, *told):
    value = decoder.keep(number, {})
    for index in range(0, len(told), 2):
        value[decoder.make(told[index])] = decoder.make(told[index + 1])
    if len(value) * 2 != len(told):
        raise Malformed("a key occurs twice")
    return value


def _make_keys(decoder, *told):
    return dict.fromkeys(decoder.all(told)).keys()


def _make_values(decoder, *told):
    return dict(enumerate(decoder.all(told))).values()


def _make_items(decoder, *told):
    return dict(decoder.all(told)).items()


def _make_set(decoder, number, *told):
    value = decoder.keep(number, set())
    value.update(decoder.all(told))
    return value


def _make_module(decoder, name):
    if type(name) is not str or not decoder.allows("value", name, ""):
        raise Unknown(str(name))
    if name not in sys.modules:
        raise Unknown(name)
    return sys.modules[name]


def _numpy():
    numpy = sys.modules.get("numpy")
    if numpy is None:
        raise Unknown("numpy.ndarray")
    return numpy


def _dtype(text):
    if type(text) is not str or len(text) > 40:
        raise Malformed("no type of numbers")
    dtype = _numpy().dtype(text)
    if dtype.kind not in NUMPY_KINDS or dtype.names is not None:
        raise Malformed("no type of numbers")
    return dtype


def _filled(dtype, shape, data):
    """An array from its bytes: of its own, so that it can be written to."""
    numpy = _numpy()
    count = 1
    for size in shape:
        if type(size) is not int or not 0 <= size < 2**40:
            raise Malformed("no shape")
        count *= size
    if len(shape) > 32 or count * dtype.itemsize != len(data):
        raise Malformed("an array is not as long as it says")
    if dtype.kind == "b":
        return (numpy.frombuffer(data, numpy.uint8) != 0).reshape(shape)
    if not dtype.itemsize or not count:
        return numpy.zeros(shape, dtype)
    return numpy.frombuffer(data, dtype).reshape(shape).copy()


def _make_array(decoder, number, dtype, shape, blob):
    value = _filled(_dtype(dtype), shape, decoder.blob(blob))
    return decoder.keep(number, decoder.note(value, value.dtype.name))


def _make_objects(decoder, number, shape, *told):
    numpy = _numpy()
    value = numpy.empty(len(told), dtype=object)
    for index, item in enumerate(told):
        value[index] = decoder.make(item)
    return decoder.keep(number, decoder.note(value.reshape(shape)))


def _make_number(decoder, dtype, blob):
    value = _filled(_dtype(dtype), [], decoder.blob(blob))
    return decoder.note(value, value.dtype.name)[()]


def _make_type_of_numbers(decoder, text):
    if type(text) is not str or len(text) > 40:
        raise Malformed("no type of numbers")
    return _numpy().dtype(text)


def _make_tensor(decoder, number, name, dtype, shape, blob, grows):
    torch = sys.modules.get("torch")
    if torch is None:
        raise Unknown("torch.Tensor")
    array = _filled(_dtype(dtype), shape, decoder.blob(blob))
    value = torch.from_numpy(array) if array.shape else torch.tensor(array[()].item())
    wanted = getattr(torch, str(name), None)
    if type(wanted) is not torch.dtype:
        raise Malformed("no type of numbers")
    value = value.to(wanted)
    decoder.note(array, str(name) if array.dtype.kind in "fc" else "")
    if grows is True:
        value.requires_grad_(True)
    return decoder.keep(number, value)


def _make_type_of_tensor(decoder, name):
    torch = sys.modules.get("torch")
    value = getattr(torch, str(name), None)
    if torch is None or type(value) is not torch.dtype:
        raise Unknown("torch.dtype")
    return value


def _make_object(decoder, number, module, name, arguments, named, state, items, pairs):
    cls = decoder.find(module, name, "make")
    if not isinstance(cls, type):
        raise Malformed("no class")
    decoder.inside += 1
    named = {str(key): decoder.make(item) for key, item in named.items()}
    value = cls.__new__(cls, *decoder.all(arguments), **named)
    new = decoder.mixed or _references(value) <= ALONE
    return _finish(decoder, decoder.keep(number, value), (state, items, pairs), new)


def _make_call(decoder, number, module, name, arguments, named, state, items, pairs):
    make = decoder.find(module, name, "make")
    decoder.inside += 1
    value = make(*decoder.all(arguments))
    new = decoder.mixed or _references(value) <= ALONE
    return _finish(decoder, decoder.keep(number, value), (state, items, pairs), new)


def _references(value):
    return sys.getrefcount(value)


def _references_of_a_new_object():
    value = object()
    return _references(value)


ALONE = _references_of_a_new_object()


def _finish(decoder, value, rest, new):
    """Give a value what its constructor does not; one that others have too is as they have it.

    Libraries keep some objects for all: single ones, members, what a cache holds. Tests would
    calculate with whatever an answer says of those.
    """
    state, items, pairs = rest
    state = decoder.make(state)
    items = decoder.all(items or ())
    pairs = [(decoder.make(key), decoder.make(item)) for key, item in pairs or ()]
    if (items and not isinstance(value, (list, collections.deque))) or (
        pairs and not isinstance(value, dict)
    ):
        raise Malformed("a value with items that is no list, nor a dictionary")
    if new:
        if state is not None:
            set_state(value, state, decoder.mixed)
        for item in items:
            value.append(item)
        for key, item in pairs:
            value[key] = item
    decoder.inside -= 1
    if not decoder.mixed:
        verify(value)
        decoder.note(value)
    return value


def set_state(value, state, trusted=False):
    if not trusted:
        state = checked_state(value, state)
    setter = getattr(value, "__setstate__", None)
    if setter is not None:
        setter(state)
        return
    slots = None
    if type(state) is tuple and len(state) == 2:
        state, slots = state
    if state:
        value.__dict__.update(state)
    for name, item in (slots or {}).items():
        setattr(value, name, item)


MAKE = {
    "i": _make_integer,
    "f": _make_float,
    "c": lambda decoder, real, imag: complex(decoder.make(real), decoder.make(imag)),
    "b": lambda decoder, blob: decoder.blob(blob),
    "ba": lambda decoder, number, blob: decoder.keep(number, bytearray(decoder.blob(blob))),
    "t": lambda decoder, *told: tuple(decoder.all(told)),
    "fs": lambda decoder, *told: frozenset(decoder.all(told)),
    "dk": _make_keys,
    "dv": _make_values,
    "di": _make_items,
    "sl": lambda decoder, *told: slice(*decoder.all(told)),
    "r": lambda decoder, *told: range(*decoder.all(told)),
    "e": lambda decoder: Ellipsis,
    "a": lambda decoder, asked, number: decoder.argument(asked, number),
    "m": lambda decoder, number: decoder.made[number],
    "l": _make_list,
    "d": _make_dict,
    "s": _make_set,
    "M": _make_module,
    "g": lambda decoder, module, name: decoder.find(module, name, "value"),
    "n": _make_array,
    "no": _make_objects,
    "ns": _make_number,
    "nd": _make_type_of_numbers,
    "tt": _make_tensor,
    "td": _make_type_of_tensor,
    "o": _make_object,
    "c!": _make_call,
    "p": lambda decoder, *told: decoder.refer("p", *told),
    "k": lambda decoder, *told: decoder.refer("k", *told),
}
