"""The instruments that tests judge with: what they are now, and whether that has changed."""

import builtins
import sys
import types

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)

STEADY = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def steady(value):
    # By `type`, not by `isinstance`: lazy objects load themselves when they are asked who they are.
    return issubclass(type(value), STEADY)


def resolve(dotted):
    """(owner, attribute, value) of a dotted name, importing what must be; None if it has none."""
    parts = dotted.split(".")
    if len(parts) == 1:
        try:
            __import__(dotted)
            return sys.modules, dotted, sys.modules[dotted]
        except Exception:
            return None
    for cut in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:cut])
        try:
            __import__(name)
            owner = sys.modules[name]
            for part in parts[cut:-1]:
                owner = getattr(owner, part)
            value = getattr(owner, parts[-1])
            again = getattr(owner, parts[-1])
        except Exception:
            continue  # no module of that name: a shorter part may be one
        return (owner, parts[-1], value) if value is again else None
    return None


def code_of(value):
    # Of plain functions only: other objects may make up a new answer each time they are asked.
    return value.__code__ if type(value) is types.FunctionType else None


def table(namespace):
    """The functions and classes of a namespace, and the code of those that have some."""
    return {
        name: (value, code_of(value)) for name, value in list(namespace.items()) if steady(value)
    }


PYTEST_MODULES = (
    "_pytest.python", "_pytest.runner", "_pytest.unittest", "_pytest.outcomes", "_pytest.python_api",
    "_pytest.raises", "_pytest.reports", "pluggy._callers", "pytest",
)  # fmt: skip


def take_down(names, pytest_style):
    """The judging instruments as they are now: those that are named, and their neighbours."""
    single, tables = [], {}

    def add_table(owner):
        tables.setdefault(id(owner), (owner, table(vars(owner))))

    for dotted in names:
        found = resolve(dotted)
        if found is None or found[0] is sys.modules:
            continue
        owner, attribute, value = found
        single.append((dotted, owner, attribute, value, code_of(value)))
        if not steady(value):
            continue
        if isinstance(value, type):
            for base in type.__dict__["__mro__"].__get__(value)[:-1]:
                add_table(base)
        home = sys.modules.get(getattr(value, "__module__", None) or "")
        if type(value) is types.FunctionType and home is not None:
            add_table(home)
    if pytest_style:
        for name in PYTEST_MODULES:
            if name in sys.modules:
                add_table(sys.modules[name])
        add_table(sys.modules["_pytest.python"].Function)
        add_table(sys.modules["_pytest.reports"].TestReport)
    return single, list(tables.values())


def watch(names, pytest_style, owned_files, module):
    """Take down what the judging instruments are now; the result tells what changed since.

    A name that the tests use must still stand for the same object. That object's code may change
    (networkx compiles its functions when they are first called), and so may its neighbours
    (plotly replaces ``warnings.formatwarning``), but not to something of the candidate's.
    """
    single, tables = take_down(names, pytest_style)
    getattr_, vars_, list_, code_of_ = getattr, vars, list, code_of
    kind, function, type_ = type, types.FunctionType, type

    def foreign(now, code):
        new = code_of_(now)
        return new is not code and new.co_filename in owned_files

    def candidates(now, value):
        if kind(now) is function:
            return now.__code__.co_filename in owned_files
        if kind(now) is type_:
            return now.__module__ in (module, "__main__")
        return kind(value) is function  # a function became some other callable

    def changed():
        for dotted, owner, attribute, value, code in single:
            now = getattr_(owner, attribute, None)
            if now is not value or foreign(now, code):
                return dotted
        for owner, before in tables:
            space = vars_(owner)
            for name, (value, code) in list_(before.items()):
                now = space.get(name)
                if foreign(now, code) if now is value else candidates(now, value):
                    return "%s.%s" % (getattr_(owner, "__name__", owner), name)
        return ""

    return changed


def watch_imports(aliases, used):
    """Tell which name that the tests import does not stand for what it stood for before."""
    meant = []
    for name, dotted in aliases.items():
        found = resolve(dotted) if name in used else None
        if found is not None:
            meant.append((name, found[2]))

    def replaced(space):
        for name, value in meant:
            if name in space and space[name] is not value:
                return name
        return ""

    return replaced
