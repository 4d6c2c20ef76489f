"""What a value may be made of that comes as data, and what never makes one.

Everything but scalars, containers, numbers, arrays and tensors is made by a constructor of a library,
and only by those that the task's own reference has needed. No text becomes code: whoever evaluates,
imports or opens anything while a value is made is stopped.
"""

import builtins
import sys

# What any answer may have for a value, whatever its reference has.
VALUES = {
    ("builtins", name)
    for name in (
        "bool bytearray bytes complex dict float frozenset int list object range set slice str "
        "tuple type"
    ).split()
}
# What any answer may have values made with.
MAKES = {
    ("collections", "Counter"), ("collections", "OrderedDict"), ("collections", "defaultdict"),
    ("collections", "deque"), ("datetime", "date"), ("datetime", "datetime"), ("datetime", "time"),
    ("datetime", "timedelta"), ("datetime", "timezone"), ("decimal", "Decimal"),
    ("fractions", "Fraction"), ("uuid", "UUID"), ("pathlib", "PosixPath"),
    ("pathlib", "PurePosixPath"), ("ipaddress", "IPv4Address"), ("ipaddress", "IPv6Address"),
    # Plain values of libraries: a right answer may return one where its reference returns another.
    ("torch", "Size"), ("pandas.core.frame", "DataFrame"), ("pandas.core.series", "Series"),
    ("pandas.core.internals.managers", "BlockManager"), ("pandas.core.indexes.base", "_new_Index"),
    ("pandas.core.internals.managers", "SingleBlockManager"),
    ("pandas._libs.internals", "_unpickle_block"), ("sympy.core.add", "Add"),
    ("sympy.core.mul", "Mul"), ("sympy.core.power", "Pow"), ("sympy.core.symbol", "Symbol"),
    ("sympy.logic.boolalg", "BooleanTrue"), ("sympy.logic.boolalg", "BooleanFalse"),
} | {
    ("sympy.core.numbers", name)
    for name in (
        "Exp1 Float Half ImaginaryUnit Infinity Integer NegativeInfinity NegativeOne One Pi "
        "Rational Zero"
    ).split()
}  # fmt: skip
# What such values may hold of libraries.
PARTS = {
    ("pandas.core.indexes.base", "Index"), ("pandas.core.indexes.range", "RangeIndex"),
    ("pandas.core.indexes.datetimes", "DatetimeIndex"), ("pandas.core.indexes.multi", "MultiIndex"),
    ("pandas.core.indexes.numeric", "Int64Index"), ("pandas.core.indexes.numeric", "Float64Index"),
    ("builtins", "list"), ("builtins", "int"), ("builtins", "dict"), ("builtins", "set"),
    ("builtins", "float"), ("builtins", "str"),
}  # fmt: skip
# Modules whose parts run programs, find names or judge: nothing of them is ever made from data.
NEVER = {
    "_operator", "_posixsubprocess", "_pytest", "_thread", "asyncio", "builtins", "code", "codecs",
    "codeop", "concurrent", "copyreg", "ctypes", "dis", "functools", "gc", "importlib", "inspect",
    "io", "itertools", "linecache", "logging", "marshal", "mock", "multiprocessing", "nt",
    "operator", "os", "pdb", "pickle", "pkgutil", "pluggy", "posix", "profile", "pytest", "runpy",
    "shutil", "signal", "site", "socket", "subprocess", "sys", "tempfile", "threading", "timeit",
    "trace", "traceback", "types", "unittest", "weakref", "cloudpickle", "dill", "joblib",
}  # fmt: skip
# Exceptions that would end or skip a test in the answer's name.
ENDING = ("SkipTest", "Skipped", "Exit", "XFailed", "OutcomeException",
          "UnsatisfiedAssumption")  # fmt: skip
# Functions that make values: what libraries name in `__reduce__`. A class is its own.
MAKERS = ("_reconstruct", "_unpickle", "_new_", "_rebuild", "__pyx_unpickle", "_make", "_from_")
# Modules that tests judge with: no value of an answer's is ever found there.
JUDGES = {"_pytest", "pytest", "unittest", "mock", "pluggy", "hypothesis", "nose", "__main__"}
LEARNABLE = {("re", "_compile"), ("types", "SimpleNamespace"), ("io", "BytesIO")}


class Untold(Exception):
    """A value that cannot be told as data."""


class Unknown(Exception):
    """A value of a kind that is not on the list."""


class Malformed(Exception):
    """What arrived is no value."""


class Apart(BaseException):
    """The answer and its tests cannot go on talking. No test may catch it and pass."""


# As it is told to the host, by a name that no error of an answer's can have.
Apart.__name__ = Apart.__qualname__ = "judged apart"
Apart.__module__ = "builtins"


def by_name(module, name):
    """The class or function whose own address this is, if it is loaded; else AttributeError.

    Nothing is found by a detour: a module that another has imported, or an object's attribute.
    """
    value = sys.modules.get(module)
    if value is None or type(name) is not str:
        raise AttributeError(module)
    for part in name.split("."):
        value = vars(value)[part] if part in vars(value) else getattr(value, part)
        if not isinstance(value, type) and part != name.rpartition(".")[2]:
            raise AttributeError(name)
    if not isinstance(value, type) and not callable(value):
        raise AttributeError(name)
    home = getattr(value, "__module__", None)
    own = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if home != module or own != name:
        raise AttributeError(name)
    return value


def address(value):
    """(module, name) under which anybody finds this very class or function; else None."""
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if type(module) is not str or type(name) is not str:
        return None
    try:
        return (module, name) if by_name(module, name) is value else None
    except AttributeError:
        return None


def may_be_learned(use, module, name):
    """Whether a reference's need of a part of a library allows it to other answers too."""
    root = module.split(".")[0]
    if use == "value" and not name:
        return root not in JUDGES  # a module: tests take its parts as they please
    try:
        value = by_name(module, name)
    except (AttributeError, KeyError, TypeError):
        return False
    if isinstance(value, type) and any(is_judging(base) for base in value.__mro__):
        return False
    if use != "make":
        # Tests call it, or look at it, as they please: it is the library's own.
        return root not in JUDGES
    if root in NEVER or root in JUDGES:
        return (module, name) in LEARNABLE or is_error(value)
    if isinstance(value, type):
        return True
    return name.rpartition(".")[2].startswith(MAKERS) or (module, name) in LEARNABLE


def is_judging(cls):
    return str(cls.__module__).split(".")[0] in JUDGES


def is_failed_check(cls):
    """Whether an error says that a test has failed, or ends it."""
    return issubclass(cls, AssertionError) or any(is_judging(base) for base in cls.__mro__)


def is_error(value):
    return isinstance(value, type) and issubclass(value, Exception) and not is_judging(value)


def is_plain_value(use, module, name):
    """Whether any answer may have such a value, or have one made so, or have one as a part."""
    if (module, name) not in {"value": VALUES, "make": MAKES, "part": PARTS}[use]:
        return False
    try:
        by_name(module, name)
    except (AttributeError, KeyError, TypeError):
        return False
    return True


def ends_tests(cls):
    return is_judging(cls) or cls.__name__ in ENDING


def builtin_error(name):
    value = getattr(builtins, str(name), None)
    return value if isinstance(value, type) and issubclass(value, Exception) else None


def error_class(decoder, told):
    """An exception's class: a library's own, or one that stands for the answer's."""
    if type(told) is list and told[:1] == ["g"] and len(told) == 3:
        module, name = told[1], told[2]
        if type(module) is not str or type(name) is not str:
            return None
        try:
            cls = by_name(module, name)
        except (AttributeError, KeyError, TypeError):
            return None
        if not isinstance(cls, type) or any(map(ends_tests, cls.__mro__)):
            return None
        return cls if issubclass(cls, (Exception, SystemExit)) else None
    cls = decoder.make(told)
    return cls if isinstance(cls, type) and issubclass(cls, Exception) else None


def warning_class(told):
    """A warning's class: a library's own, if it is loaded here; else any will do."""
    cls = None
    if type(told) is list and told[:1] == ["g"]:
        try:
            cls = by_name(told[1], told[2])
        except (AttributeError, KeyError, TypeError):
            pass
    return cls if isinstance(cls, type) and issubclass(cls, Warning) else UserWarning


class Sheltered(object):
    """While values are made, nobody evaluates text, opens files or starts anything."""

    NAMES = ("eval", "exec", "compile", "open", "input")

    def __init__(self):
        self._space = builtins.__dict__
        self._before = {}

    def __enter__(self):
        self._before = {name: self._space[name] for name in self.NAMES}
        self._space.update(dict.fromkeys(self.NAMES, self._refuse))

    def __exit__(self, *error):
        self._space.update(self._before)
        self._before = {}
        return False

    def load(self, module):
        """Import a module in between."""
        inside = dict.fromkeys(self.NAMES, self._refuse)
        self._space.update(self._before)
        try:
            __import__(module)
        except Exception:
            pass  # what it has is not known, then
        finally:
            if self._before:
                self._space.update(inside)

    @staticmethod
    def _refuse(*given, **named):
        raise Malformed("a value would run code while it is made")
