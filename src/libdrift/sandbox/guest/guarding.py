"""What a candidate may not do to see its judge, and values that would fool any test."""

import _thread
import ast
import binascii
import builtins
import os
import sys
import types

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)

FORBIDDEN = {
    "sys._getframe": "reads the caller's frames",
    "sys._current_frames": "reads the frames of other threads",
    "sys._current_exceptions": "reads the frames of other threads",
    "sys.settrace": "traces its judge",
    "sys.setprofile": "traces its judge",
    "sys.monitoring.register_callback": "traces its judge",
    "gc.get_objects": "searches the judge's memory",
    "gc.get_referrers": "searches the judge's memory",
    "gc.get_referents": "searches the judge's memory",
    "ctypes.string_at": "reads raw memory",
    "ctypes.cdata": "reads raw memory",
    "ctypes.PyObj_FromPtr": "reads raw memory",
}
HIDDEN_ATTRIBUTES = ("tb_frame",)
STATIC_NAMES = HIDDEN_ATTRIBUTES + (
    "_getframe",
    "currentframe",
    "f_back",
    "f_locals",
    "f_globals",
    "f_code",
    "get_objects",
    "get_referrers",
    "_current_frames",
    "settrace",
    "setprofile",
)


def owned_files(path):
    """The file names that code of the candidate's own may bear."""
    return (path, "<string>", "<stdin>", "<unknown>")


def make_guard(path, breaches):
    """Watch for introspection by the candidate's own code; return the audit hook."""
    getframe = sys._getframe
    breach = breaches.append
    own = owned_files(path)

    def owned(frame):
        return frame.f_code.co_filename in own

    busy, ident = set(), _thread.get_ident

    def caller():
        # Asking for the frame raises an event of its own.
        me = ident()
        busy.add(me)
        try:
            return getframe(2)
        finally:
            busy.discard(me)

    def hook(event, arguments):
        reason = forbidden(event)
        if reason is not None:
            if ident() in busy:
                return
            frame = caller()
            if event == "sys._getframe":
                # `inspect.currentframe()` and the like hand the frame on to their caller;
                # `logging` asks for frames of its own, and hands on only `currentframe()`.
                module = frame.f_globals.get("__name__", "")
                if module == "logging" and frame.f_back is not None:
                    frame = frame.f_back
                while module == "inspect" and frame.f_globals.get("__name__") == module:
                    if frame.f_back is None:
                        break
                    frame = frame.f_back
            if owned(frame):
                breach(reason)
                raise RuntimeError("not allowed in a graded answer: " + reason)
        elif event == "object.__getattr__":
            if arguments[1] in HIDDEN_ATTRIBUTES and owned(caller()):
                breach("reads the caller's frames")
                raise RuntimeError("not allowed in a graded answer: reads the caller's frames")
        elif event == "object.__setattr__":
            if arguments[1] == "__code__" and owned(caller()):
                breach("rewrites functions in place")
                raise RuntimeError("not allowed in a graded answer: rewrites functions in place")
        elif event == "open":
            target = arguments[0]
            if type(target) is bytes:
                target = target.decode("utf-8", "replace")
            if type(target) is str and target.startswith("/proc/") and target.endswith("/mem"):
                breach("reads raw memory")
                raise RuntimeError("not allowed in a graded answer: reads raw memory")

    forbidden = FORBIDDEN.get
    return hook


def set_guard(path, source, breaches):
    if hasattr(sys, "addaudithook"):
        sys.addaudithook(make_guard(path, breaches))
        return
    # Python 3.7 has no audit hooks: names in the text are all there is to go by.
    try:
        tree = ast.parse(source)
    except Exception:
        return  # it will not load either
    used = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    used |= {n.s for n in ast.walk(tree) if isinstance(n, ast.Str)}
    used |= {a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    for name in STATIC_NAMES:
        if name in used:
            breaches.append("reads the caller's frames (%s)" % name)


OPERATORS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__sub__", "__rsub__",
    "__contains__", "__array_ufunc__", "__array_function__",
)  # fmt: skip


def make_suspicion(path, answer):
    """A function that tells whether a value's operators are the candidate's own.

    Or a mock's, where the answer speaks of mocks: asking other mocks would show in their records.
    """
    own, modules = owned_files(path), sys.modules
    function, kind = types.FunctionType, type
    words = {"mock": "unittest/mock.py", "pytest": "_pytest/python_api.py"}
    generous = tuple(file for word, file in words.items() if word in answer)
    mro = type.__dict__["__mro__"].__get__
    look = type.__dict__["__dict__"].__get__

    def foreign(found):
        found = getattr(found, "__func__", found)  # static and class methods
        if kind(found) is not function:
            # A slot of a C type is what it is; any other callable may be anything.
            maker = kind(found).__module__
            if maker in ("unittest.mock", "mock"):
                return "mock" in answer
            return found is not None and maker not in ("builtins", "cython_function")
        file = found.__code__.co_filename
        if file in own or (generous and file.endswith(generous)):
            return True
        # Made by `exec`, under whatever file name: its globals are no module's.
        home = modules.get(found.__globals__.get("__name__"))
        return home is None or home.__dict__ is not found.__globals__

    def suspicious(value):
        for base in mro(kind(value))[:-1]:
            space = look(base)
            for name in OPERATORS:
                if name in space and foreign(space[name]):
                    return True
        return False

    return suspicious


def lies(value, tokens, numbers):
    """Whether a value agrees with things that no honest value agrees with."""

    def holds(test):
        try:
            return bool(test())
        except Exception:
            return False

    if any(holds(lambda t=t: value == t) or holds(lambda t=t: not value != t) for t in tokens):
        return "equals anything"
    if holds(lambda: value < numbers[0]) and holds(lambda: value > numbers[0]):
        return "is both less and greater"
    if all(holds(lambda n=n: value <= n) and holds(lambda n=n: value >= n) for n in numbers):
        return "is both less and greater"
    for minus in (lambda n: value - n, lambda n: n - value):
        try:
            one, other = minus(numbers[0]), minus(numbers[1])
        except Exception:
            continue  # it cannot be subtracted at all: no lie in that
        if type(one) in (int, float) and one == other and abs(one) < 1e300:
            return "has the same distance from everything"
    if holds(lambda: tokens[1] in value):
        return "contains anything"
    numpy = sys.modules.get("numpy")
    if numpy is not None and (
        holds(lambda: numpy.allclose(value, numbers[0]) and numpy.allclose(value, numbers[1]))
        or holds(lambda: numpy.array_equal(value, tokens))
    ):
        return "equals anything, to numpy"
    return ""


def make_probe(path, answer, breaches):
    """Two identity functions for values that tests get and compare: they find those that lie."""
    plain = {int, float, str, bytes, bool, complex, type(None), type}
    containers = (list, tuple, set, frozenset)
    mapping, kind, size, lies_ = dict, type, len, lies
    compared, suspicious = [None, None], make_suspicion(path, answer)
    text = binascii.hexlify(os.urandom(8)).decode()
    numbers = [int.from_bytes(os.urandom(4), "big") + 0.25 + n for n in (0, 12345678.5)]
    tokens = [object(), text, numbers[0], (text,), [text], {text: text}, text.encode()]
    tokens += [int(numbers[0]), -int(numbers[1])]
    dice = iter(os.urandom(4096))

    def check(value, depth):
        cls = kind(value)
        if cls in plain:
            return
        if cls in containers and depth < 4:
            if size(value) <= 1000:
                for item in value:
                    check(item, depth + 1)
        elif cls is mapping and depth < 4:
            if size(value) <= 1000:
                for key, item in value.items():
                    check(key, depth + 1)
                    check(item, depth + 1)
        elif suspicious(value):
            # More than once, and not always as often: a liar cannot count on when it is asked.
            for _ in range(1 + next(dice, 0) % 3):
                lie = lies_(value, tokens, numbers)
                if lie:
                    breaches.append("returns an object that " + lie)
                    return

    def probe(value):
        compared[0] = compared[1]
        compared[1] = value
        check(value, 0)
        return value

    def look(value):
        check(value, 0)
        return value

    def last_compared():
        return "compared %s with %s" % tuple(repr(value)[:300] for value in compared)

    return probe, look, last_compared
