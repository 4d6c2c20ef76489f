"""What an installed package offers and what its callables take, by importing it.

Run by the environment's own interpreter (3.7 or later); knows nothing of libdrift. The names are
those of ``truth.py``, three levels deep. On stdin, as JSON: ``paths`` that are asked for beside
them, and ``stdlib``, the names of the standard library's modules. For each path that can be reached
it tells:

* ``sort``: module, class, function, property or value; ``home``: where the thing is defined; of a
  module also whether it is a ``package``, what it has ``listed`` in ``__all__``, and the names that
  its ``imports`` give it, or its loops, and whether it is ``compiled``;
* ``parameters``: name, kind and whether there is a default; none where Python does not know;
* ``way`` of a function: async, staticmethod, classmethod or just function;
* ``raises``: whether its code can only raise an error, by its source: nothing but assignments,
  imports and warnings stand before the error, which says neither what the caller gave nor what the
  object holds, and is not that of an abstract method;
* ``sets``: attributes that the code of a class, or of its bases, gives to instances; ``own``: the
  package itself has its constructor; ``line``: the names of its ancestors.

    python introspection.py IMPORT_NAME [SETUP_CODE] < QUESTIONS
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import re
import sys
import types
import typing
import warnings
from typing import Any, TypeVar

LEVELS = 3
QUIET = re.compile(r"warn|log|print|deprecat|super", re.IGNORECASE)
ENDS = re.compile(r"remov|deprecat|no longer|instead|renamed|replaced|moved", re.IGNORECASE)
OPEN = re.compile(r"implement|abstract|subclass|overrid|install|require", re.IGNORECASE)
SELF = ast.dump(ast.Name("self", ast.Load()))
TYPING = (TypeVar, getattr(typing, "ParamSpec", TypeVar))  # for a module's own annotations
FUNCTIONS = (types.FunctionType, types.MethodType)


@functools.lru_cache(maxsize=None)  # noqa: UP033  (Python 3.8 has no `cache`)
def sources(file: str) -> tuple[dict[int, ast.AST], dict[str, ast.AST]]:
    """The functions of a file by their first line, and its classes by their names."""
    functions: dict[int, ast.AST] = {}
    classes: dict[str, ast.AST] = {}

    def read(node: ast.AST, above: str) -> None:
        for inner in ast.iter_child_nodes(node):
            label = above
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([inner.lineno, *(item.lineno for item in inner.decorator_list)])
                functions[first] = inner
                label = f"{above}{inner.name}.<locals>."
            elif isinstance(inner, ast.ClassDef):
                classes[above + inner.name] = inner
                label = f"{above}{inner.name}."
            read(inner, label)

    try:
        with open(file, "rb") as opened:  # noqa: PTH123
            read(ast.parse(opened.read()), "")
    except (OSError, SyntaxError, ValueError):
        pass  # compiled
    return functions, classes


def imported_by(module: types.ModuleType) -> set[str]:
    """Names that a module's import statements and loops bind, outside of functions and classes."""
    if not str(getattr(module, "__file__", "")).endswith(".py"):
        things = [(n, getattr(v, "__module__", None)) for n, v in vars(module).items()]
        return {name for name, home in things if home not in (None, module.__name__)}
    try:
        with open(module.__file__ or "", "rb") as opened:  # noqa: PTH123
            waiting: list[ast.AST] = list(ast.parse(opened.read()).body)
    except (OSError, SyntaxError, ValueError, AttributeError):
        return set()
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((a.asname or a.name).partition(".")[0] for a in node.names)
        elif isinstance(node, ast.For):
            found.update(n.id for n in ast.walk(node.target) if isinstance(n, ast.Name))
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found


@functools.lru_cache(maxsize=None)  # noqa: UP033  (Python 3.8 has no `cache`)
def set_by(base: type) -> frozenset[str]:
    """Attributes that the code of a class gives to its instances, or declares."""
    # A class may say that it is of its package's root: its functions know better.
    # Some of them may be made by wrappers of another file, or of none.
    codes = (getattr(value, "__code__", None) for value in vars(base).values())
    files = dict.fromkeys(code.co_filename for code in codes if code is not None)
    files[getattr(sys.modules.get(base.__module__), "__file__", "") or ""] = None
    nodes = (sources(file)[1].get(base.__qualname__) for file in files)
    node = next((node for node in nodes if node is not None), None)
    found = {name for name in vars(base) if isinstance(name, str)}
    found.update(getattr(base, "__annotations__", {}))
    for inner in ast.walk(node) if node is not None else ():
        stored = isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
        if stored and isinstance(inner.value, ast.Name):  # type: ignore[attr-defined]
            found.add(inner.attr)  # type: ignore[attr-defined]
    return frozenset(found)


def raises(thing: Any) -> bool:  # noqa: ANN401  (any object of a library)
    """Whether a function's code can only raise."""
    if getattr(thing, "__isabstractmethod__", False):
        return False
    code = getattr(inspect.unwrap(thing), "__code__", None) if callable(thing) else None
    if code is None:
        return False
    node = sources(code.co_filename)[0].get(code.co_firstlineno)
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    ends = [at for at, inner in enumerate(node.body) if isinstance(inner, ast.Raise)]
    *before, last = node.body[: ends[0] + 1] if ends else node.body  # nothing runs behind it
    if not isinstance(last, ast.Raise) or last.exc is None or not all(map(quiet, before)):
        return False
    given = {item.arg for item in [*node.args.args, *node.args.kwonlyargs]} - {"self", "cls"}
    named = {inner.id for inner in ast.walk(last) if isinstance(inner, ast.Name)}
    # `NotImplementedError` is what an abstract method raises: then only its own words count.
    abstract = "NotImplemented" in ast.dump(last.exc)
    texts = [n.value for n in ast.walk(last if abstract else node) if isinstance(n, ast.Constant)]
    space = getattr(inspect.unwrap(thing), "__globals__", {})
    texts += [space.get(name) for name in named]
    said = " ".join(text for text in texts if isinstance(text, str))
    calls = isinstance(last.exc, ast.Call)
    # An error that says what the object holds is what it is for: `detail=self.exception.args[0]`.
    held = [n for n in ast.walk(last) if isinstance(n, ast.Attribute) and ast.dump(n.value) == SELF]
    if any(not n.attr.startswith("__") for n in held) and not ENDS.search(said):
        return False
    if given & named or not calls or not (ENDS.search(said) or not OPEN.search(said)):
        return False
    return not abstract or bool(ENDS.search(said))


def quiet(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        call = node.value
        return isinstance(call, ast.Constant) or (
            isinstance(call, ast.Call) and bool(QUIET.search(ast.dump(call.func)))
        )
    return isinstance(node, (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom, ast.Pass))


def parameters(thing: Any) -> list[list[Any]] | None:  # noqa: ANN401
    try:
        found = inspect.signature(thing)
    except BaseException:  # noqa: BLE001
        return None
    items = list(found.parameters.values())
    return [[p.name, int(p.kind), p.default is not inspect.Parameter.empty] for p in items]


def static(owner: Any, name: str) -> Any:  # noqa: ANN401
    try:
        return inspect.getattr_static(owner, name)
    except BaseException:  # noqa: BLE001
        return None


def describe(owner: Any, name: str, thing: Any, package: str) -> dict[str, Any]:  # noqa: ANN401
    home = f"{getattr(thing, '__module__', '')}:{getattr(thing, '__qualname__', '')}"
    if isinstance(thing, types.ModuleType):
        listed = getattr(thing, "__all__", None)
        return {
            "sort": "module",
            "home": thing.__name__,
            "package": hasattr(thing, "__path__"),
            "listed": [name for name in listed if isinstance(name, str)] if listed else [],
            "imports": sorted(imported_by(thing)),
            "compiled": not str(getattr(thing, "__file__", None) or ".py").endswith(".py"),
        }
    raw = static(owner, name) if isinstance(owner, type) else thing
    if isinstance(thing, type) and isinstance(raw, type):
        return {"sort": "class", "home": home, **described_class(thing, package)}
    if isinstance(owner, type) and (isinstance(raw, property) or hasattr(raw, "fget")):
        getter = getattr(raw, "fget", None)
        return {"sort": "property", "raises": raises(getter) if getter else False}
    if not callable(thing) or isinstance(thing, type) or not hasattr(thing, "__name__"):
        return {"sort": "value", "raises": raises(vars(type(thing)).get("__call__"))}
    found: dict[str, Any] = {"sort": "function", "parameters": parameters(thing), "home": home}
    inner = thing
    if isinstance(owner, type) and found["parameters"]:
        # A compiled method is no function of Python's, and has it all the same.
        compiled = not isinstance(raw, (staticmethod, classmethod)) and found["parameters"][0][0]
        if isinstance(raw, types.FunctionType) or compiled == "self":
            found["parameters"] = found["parameters"][1:]
    if not isinstance(inner, FUNCTIONS):
        inner = vars(type(thing)).get("__call__")  # of a proxy that answers to any name
    found["raises"] = raises(inner)
    found["way"] = way(raw)
    return found


def way(raw: Any) -> str:  # noqa: ANN401
    """How a function is called, beside its parameters."""
    if isinstance(raw, (staticmethod, classmethod)):
        return type(raw).__name__
    plain = inspect.unwrap(raw) if callable(raw) else raw
    is_async = inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain)
    return "async" if is_async else "function"


def hands_on(maker: Any) -> bool:  # noqa: ANN401
    """Whether a constructor only calls that of its base."""
    code = getattr(maker, "__code__", None)
    node = sources(code.co_filename)[0].get(code.co_firstlineno) if code else None
    last = node.body[-1] if isinstance(node, ast.FunctionDef) else None
    call = getattr(last, "value", None)
    return len(getattr(node, "body", ())) == 1 and "id='super'" in ast.dump(call or ast.Pass())


def taken(thing: type, maker: Any) -> list[list[Any]] | None:  # noqa: ANN401
    """What a class is called with: older Pythons take `__new__` for it, wherever that is."""
    found = parameters(thing)
    plain = type(thing).__call__ is type.__call__ and not hasattr(thing, "__signature__")
    if plain and isinstance(maker, types.FunctionType) and found is not None:
        own = parameters(maker)
        return own[1:] if own else own
    return found


def described_class(thing: type, package: str) -> dict[str, Any]:
    makers = [(base, vars(base)[name]) for base in thing.__mro__
              for name in ("__init__", "__new__") if name in vars(base)]  # fmt: skip
    called = makers[0][1]
    while len(makers) > 1 and hands_on(makers[0][1]):
        del makers[0]
    owner, maker = makers[0]
    sets: set[str] = set()
    for base in thing.__mro__[:-1]:
        sets.update(set_by(base))
    ours = any(base.__module__.partition(".")[0] == package for base in thing.__mro__
               if "__init__" in vars(base) or "__new__" in vars(base))  # fmt: skip
    return {
        "parameters": taken(thing, called),
        "raises": isinstance(maker, types.FunctionType) and raises(maker),
        "maker": f"{owner.__module__}:{owner.__qualname__}",
        "sets": sorted(sets),
        "own": ours,
        "line": [base.__name__ for base in thing.__mro__],
    }


def collect(package: str) -> Any:  # noqa: ANN401  (a Truth, which is imported late)
    """Public names, some levels deep."""
    from truth import Truth

    found = Truth(package)
    waiting = [(package, importlib.import_module(package))]
    for _ in range(LEVELS - 1):  # all modules are imported before any is read
        waiting = [pair for _, module in waiting for pair in found.submodules(module)]
    seen: set[int] = set()
    waiting = [(package, sys.modules[package])]
    for _ in range(LEVELS):
        inner = []
        for path, module in waiting:
            if id(module) in seen:
                continue
            seen.add(id(module))
            for name, thing in found.public(module):
                if type(thing).__module__ == "__future__" or type(thing) in TYPING:
                    continue
                found.add(f"{path}.{name}", thing)
                if isinstance(thing, types.ModuleType) and found.inside(thing.__name__):
                    inner.append((f"{path}.{name}", thing))
        waiting = inner
    return found


def describe_all(package: str, paths: list[str]) -> dict[str, Any]:
    from truth import get, get_module

    described: dict[str, Any] = {}
    held: dict[str, Any] = {package: sys.modules[package]}
    for path in paths:
        parts = path.split(".")
        for length in range(2, len(parts) + 1):
            whole, above, last = ".".join(parts[:length]), ".".join(parts[: length - 1]), length - 1
            if whole in held or above not in held:
                continue
            there, thing = get(held[above], parts[last])
            if not there and isinstance(held[above], types.ModuleType):
                there, thing = get_module(whole)
            if not there:
                continue
            held[whole] = thing
            try:
                described[whole] = describe(held[above], parts[last], thing, package)
            except BaseException:  # noqa: BLE001  (one that says no to whatever it is asked)
                described[whole] = {"sort": "value", "raises": True}
    return described


def main() -> None:
    warnings.simplefilter("ignore")
    asked = json.loads(sys.stdin.read())
    if not hasattr(sys, "stdlib_module_names"):
        sys.stdlib_module_names = frozenset(asked["stdlib"])  # type: ignore[misc]
    import truth  # noqa: F401

    sys.path.pop(0)  # whose modules a library might take for its own
    package, *setup = sys.argv[1:]
    for line in setup:
        exec(line, {})  # noqa: S102
    found = collect(package)
    paths = [*found.paths, *asked["paths"]]
    paths += [f"{path}.{label}" for path, labels in found.members.items() for label in labels]
    described = {package: describe(None, package, sys.modules[package], package)}
    described.update(describe_all(package, paths))
    answer = {"paths": found.paths, "members": found.members, "unknown": found.unknown}
    sys.__stdout__.write(json.dumps({**answer, "described": described}))  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
