"""What a candidate may not do to see its judge, and values that would fool any test."""

import _thread
import ast
import builtins
import sys
import types

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)

FRAME_GIVERS = ("inspect", "traceback", "logging")
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
HIDDEN_ATTRIBUTES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
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
                # `inspect.currentframe()` and friends hand the frame on to their caller.
                module = frame.f_globals.get("__name__", "")
                name = frame.f_code.co_name
                if module in FRAME_GIVERS and (module != "logging" or name == "currentframe"):
                    while frame.f_back is not None and frame.f_globals.get("__name__") == module:
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


def make_probe(path, breaches):
    """An identity function for compared values that finds those which equal anything."""
    plain = {int, float, str, bytes, bool, complex, type(None), type}
    containers = (list, tuple, set, frozenset)
    function, mapping, kind, size, truth = types.FunctionType, dict, type, len, bool
    lying = ("__array_ufunc__", "__array_function__")
    compared, sentinel = [None, None], object()
    own = owned_files(path)
    mro = type.__dict__["__mro__"].__get__
    look = type.__dict__["__dict__"].__get__

    def suspicious(value):
        cls = kind(value)
        for name in ("__eq__", "__ne__") + lying:
            for base in mro(cls):
                found = look(base).get(name)
                if found is None:
                    continue
                if kind(found) is not function:
                    if name in lying:
                        break
                    if cls in plain or base in plain or kind(found).__module__ == "builtins":
                        break
                    return True
                file = found.__code__.co_filename
                if file in own or file.endswith(("unittest/mock.py", "python_api.py")):
                    return True
                break
        return False

    def check(value, depth):
        cls = kind(value)
        if cls in plain:
            return
        if cls in containers and depth < 4:
            if size(value) <= 1000:
                for item in value:
                    check(item, depth + 1)
            return
        if cls is mapping and depth < 4:
            if size(value) <= 1000:
                for key, item in value.items():
                    check(key, depth + 1)
                    check(item, depth + 1)
            return
        if suspicious(value):
            try:
                equal = truth(value == sentinel) or not truth(value != sentinel)
            except Exception:
                return
            if equal:
                breaches.append("returns an object that equals anything")

    def probe(value):
        compared[0] = compared[1]
        compared[1] = value
        check(value, 0)
        return value

    def last_compared():
        return "compared %s with %s" % tuple(repr(value)[:300] for value in compared)

    return probe, last_compared
