"""Values as data: how arguments and results are told to the other process.

JSON scalars stand for themselves; everything else is a list that begins with its kind.
"""

import copyreg
import math
import sys
import types

from allowing import Untold, address

DEPTH = 200  # of nested values
NODES = 2000000  # values in one message
NUMPY_KINDS = "biufcSUmM"
VIEWS = {type({}.keys()): "dk", type({}.values()): "dv", type({}.items()): "di"}
SIMPLE = {tuple: "t", frozenset: "fs"}


class Encoder(object):
    """Tells one message. ``refer`` tells what only this side has; ``known`` are arguments.

    ``hidden`` are modules that the other side does not have, ``refused`` what it will not make.
    What is told as data holds nothing that is only referred to, unless ``mixed``.
    """

    def __init__(self, refer, known=None, hidden=(), refused=(), mixed=False):
        self.blobs = []
        self.kept = {}  # id → (number, value): the value is kept, or its id might be used again
        self._refer = refer
        self._known = known or {}  # id → the request that it was an argument of, and its number
        self._hidden = hidden
        self._refused = refused
        self._mixed = mixed
        self._inside = 0  # how many values that are told as data this one is a part of
        self._depth = 0
        self._nodes = 0

    def tell(self, value):
        self._nodes += 1
        self._depth += 1
        if self._depth > DEPTH or self._nodes > NODES:
            raise Untold("a value is nested too deeply, or too large")
        try:
            return self._tell(value)
        finally:
            self._depth -= 1

    def _tell(self, value):
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -(2**63) < value < 2**63 else ["i", "%x" % value]
        if kind is float:
            return value if math.isfinite(value) else ["f", repr(value)]
        if kind is complex:
            return ["c", self.tell(value.real), self.tell(value.imag)]
        if kind is bytes:
            return ["b", self._blob(value)]
        simple = SIMPLE.get(kind) or VIEWS.get(kind)
        if simple is not None:
            return [simple] + [self.tell(item) for item in value]
        if kind is slice:
            return ["sl", self.tell(value.start), self.tell(value.stop), self.tell(value.step)]
        if kind is range:
            return ["r", self.tell(value.start), self.tell(value.stop), self.tell(value.step)]
        if value is Ellipsis:
            return ["e"]
        if id(value) in self._known:
            return ["a"] + list(self._known[id(value)])
        if id(value) in self.kept:
            return ["m", self.kept[id(value)][0]]
        return self._tell_object(value, kind)

    def _keep(self, value):
        number = len(self.kept)
        self.kept[id(value)] = (number, value)
        return number

    def _tell_object(self, value, kind):
        if kind is list:
            return ["l", self._keep(value)] + [self.tell(item) for item in value]
        if kind is dict:
            told = ["d", self._keep(value)]
            for key, item in value.items():
                told += [self.tell(key), self.tell(item)]
            return told
        if kind is set:
            return ["s", self._keep(value)] + [self.tell(item) for item in value]
        if kind is bytearray:
            return ["ba", self._keep(value), self._blob(bytes(value))]
        if isinstance(value, types.ModuleType):
            refused = value.__name__ in self._refused or value.__name__ in self._hidden
            return self._other(value) if refused else ["M", value.__name__]
        if isinstance(value, type) or kind in (types.FunctionType, types.BuiltinFunctionType):
            found = address(value)
            if found is not None and self._shared(found):
                return ["g", found[0], found[1]]
            return self._other(value)
        told = self._tell_numbers(value, kind)
        return self._tell_reduced(value, kind) if told is None else told

    def _shared(self, found):
        return found[0] not in self._hidden and ".".join(found) not in self._refused

    def _other(self, value):
        if self._inside and not self._mixed:
            raise Untold("a part of a value cannot be told as data")
        told = self._refer(value, self)
        if told is None:
            raise Untold("%s cannot be told as data" % type(value).__name__)
        return told

    def _blob(self, data):
        self.blobs.append(data)
        return len(self.blobs) - 1

    def _tell_numbers(self, value, kind):
        """Arrays, tensors and their scalars, where those libraries are loaded."""
        numpy = sys.modules.get("numpy")
        if numpy is not None and hasattr(numpy, "ndarray"):
            if kind is numpy.ndarray:
                if value.dtype.kind == "O" and value.dtype.names is None:
                    told = ["no", self._keep(value), list(value.shape)]
                    return told + [self.tell(item) for item in value.ravel().tolist()]
                if value.dtype.names is None and value.dtype.kind in NUMPY_KINDS:
                    told = ["n", self._keep(value), value.dtype.str, list(value.shape)]
                    return told + [self._blob(numpy.ascontiguousarray(value).tobytes())]
            elif isinstance(value, numpy.generic) and kind.__module__ == "numpy":
                if value.dtype.names is None and value.dtype.kind in NUMPY_KINDS:
                    return ["ns", value.dtype.str, self._blob(value.tobytes())]
            elif isinstance(value, numpy.dtype):
                if value.names is None and value.subdtype is None:
                    return ["nd", value.str]
        torch = sys.modules.get("torch")
        if torch is not None and kind is getattr(torch, "Tensor", None):
            return self._tell_tensor(value, torch)
        if torch is not None and kind is getattr(torch, "dtype", None):
            return ["td", str(value).rpartition(".")[2]]
        return None

    def _tell_tensor(self, value, torch):
        plain = value.detach()
        if value.layout is not torch.strided or value.device.type != "cpu" or value.is_quantized:
            raise Untold("a tensor of a kind that cannot be told as data")
        name = str(value.dtype).rpartition(".")[2]
        if name == "bfloat16":
            plain = plain.float()
        if plain.is_complex() and hasattr(plain, "resolve_conj"):
            plain = plain.resolve_conj()
        if hasattr(plain, "resolve_neg"):
            plain = plain.resolve_neg()
        array = plain.contiguous().numpy()
        told = ["tt", self._keep(value), name, array.dtype.str, list(array.shape)]
        return told + [self._blob(array.tobytes()), bool(value.requires_grad)]

    def _tell_reduced(self, value, kind):
        """As the value's own ``__reduce_ex__`` tells it, or as something only this side has."""
        if kind.__module__ in self._hidden or address(kind) is None:
            return self._other(value)
        mark, blobs = len(self.kept), len(self.blobs)
        self._inside += 1
        try:
            told = self._reduced(value)
            self._inside -= 1
            return told
        except RecursionError:
            raise Untold("a value is nested too deeply")
        except Exception:
            self._inside -= 1
            # Half of it may be told already: forget that, and tell all of it another way.
            for known in [known for known, kept in self.kept.items() if kept[0] >= mark]:
                del self.kept[known]
            del self.blobs[blobs:]
            return self._other(value)

    def _reduced(self, value):
        told_by = copyreg.dispatch_table.get(type(value))
        reduced = value.__reduce_ex__(4) if told_by is None else told_by(value)
        if type(reduced) is str:
            module = getattr(value, "__module__", None)
            if type(module) is not str or not self._shared((module, reduced)):
                raise Untold("%s has no address" % reduced)
            if address(value) != (module, reduced):
                raise Untold("%s has no address" % reduced)
            return ["g", module, reduced]
        make, arguments, state, items, pairs = (tuple(reduced) + (None,) * 4)[:5]
        if len(reduced) > 5 and reduced[5] is not None:
            raise Untold("%s sets its state by a function" % type(value).__name__)
        named = {}
        if make is copyreg.__newobj__:
            make, arguments, way = arguments[0], arguments[1:], "o"
        elif make is getattr(copyreg, "__newobj_ex__", None):
            make, arguments, named = arguments
            way = "o"
        elif make is copyreg._reconstructor:
            if arguments[1] is not object:
                raise Untold("%s is made by copyreg" % type(value).__name__)
            make, arguments, way = arguments[0], (), "o"
        else:
            way = "c!"
        found = address(make)
        if found is None or not self._shared(found):
            raise Untold("%s has no address" % (make,))
        told = [way, None, found[0], found[1], [self.tell(item) for item in arguments]]
        told.append({key: self.tell(item) for key, item in named.items()})
        # Numbered after its arguments, which are made first, and before its state, which may
        # lead back to it.
        told[1] = self._keep(value)
        told.append(self.tell(state))
        told.append(None if items is None else [self.tell(item) for item in items])
        pairs = None if pairs is None else [(self.tell(k), self.tell(v)) for k, v in pairs]
        told.append(pairs)
        return told
