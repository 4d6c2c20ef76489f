"""What can be told of a condition, or of a list of names, without running anything."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from libdrift.languages.python.expressions import called, dotted

PART = "?"  # after a module's name: a list of it that cannot be told; its values, most likely

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def is_typing(test: ast.expr) -> bool:
    """Whether only a type checker runs what stands under it."""
    return dotted(test).rpartition(".")[2] in ("TYPE_CHECKING", "MYPY", "MYPY_CHECK_RUNNING")


def truth(test: ast.expr, python: tuple[int, int]) -> bool | None:
    """Whether a condition holds on this Python and on Linux; None where it cannot be told."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand, python)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _combined(test, python)
    name = dotted(test).rpartition(".")[2]
    if name in ("PY2", "py2k", "IS_WINDOWS", "WINDOWS", "WIN", "is_pypy", "PYPY", "IS_PYPY"):
        return False
    if name in ("PY3", "py3k"):
        return True
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test, python)
    if isinstance(test, ast.Call) and dotted(test.func) == "sys.platform.startswith" and test.args:
        start = test.args[0]
        if isinstance(start, ast.Constant):
            return "linux".startswith(str(start.value))
    return None


def _combined(test: ast.BoolOp, python: tuple[int, int]) -> bool | None:
    parts = [truth(value, python) for value in test.values]
    decisive = isinstance(test.op, ast.Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _comparison(test: ast.Compare, python: tuple[int, int]) -> bool | None:
    compare = _COMPARE.get(type(test.ops[0]))
    index = test.left.slice if isinstance(test.left, ast.Subscript) else None
    name = dotted(test.left.value if isinstance(test.left, ast.Subscript) else test.left)
    try:
        value = ast.literal_eval(test.comparators[0])
    except (ValueError, TypeError, SyntaxError):
        return None
    if compare is None:
        return None
    if name in ("sys.platform", "os.name", "__name__"):
        known = {"sys.platform": "linux", "os.name": "posix"}.get(name, "")
        return compare(known, value) if isinstance(value, str) else None
    if name.rpartition(".")[2] == "version_info":
        return _version(compare, index, value, python)
    return None


def _version(
    compare: Callable[[Any, Any], bool],
    index: ast.expr | None,
    value: object,
    python: tuple[int, int],
) -> bool | None:
    if isinstance(index, ast.Constant) and isinstance(value, int):
        return compare(python[1 if index.value == 1 else 0], value)
    if not isinstance(value, tuple) or not all(isinstance(part, int) for part in value):
        return None
    whole = (*python, 99) if index is None else python
    return compare(whole[: max(len(value), 2)] if index is None else whole[: len(value)], value)


def read_listing(
    node: ast.expr | None, names: list[str], modules: list[str], known: Mapping[str, ast.expr]
) -> bool:
    """Collect what a value of ``__all__`` is made of; False where a part is made at import."""
    if node is None:
        return False
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            names.append(node.value)
        return True
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return _each(node.elts, names, modules, known)
    if isinstance(node, (ast.Starred, ast.Subscript)):  # *a.__all__, a.__all__[:]
        return read_listing(node.value, names, modules, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.BitOr)):
        left = read_listing(node.left, names, modules, known)
        return read_listing(node.right, names, modules, known) and left
    if isinstance(node, ast.Attribute):
        return _listing_attribute(node, names, modules)
    if isinstance(node, ast.Name):
        if node.id == "__all__":
            return True
        inner = known.get(node.id)
        return inner is not node and read_listing(inner, names, modules, {})
    if isinstance(node, ast.Call):
        return _listing_call(node, names, modules, known)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) and _is_own_names(node):
        modules.append("")  # whatever the module has
        return True
    return False


def _is_own_names(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> bool:
    """``[n for n in dir() if …]``."""
    source = node.generators[0].iter
    while isinstance(source, ast.Call) and source.args:  # sorted(globals())
        source = source.args[0]
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute):
        source = source.func.value  # globals().keys()
    return isinstance(source, ast.Call) and called(source) in ("dir", "vars", "globals", "locals")


def _each(
    nodes: Iterable[ast.expr | None],
    names: list[str],
    modules: list[str],
    known: Mapping[str, ast.expr],
) -> bool:
    whole = True
    for node in nodes:
        whole = read_listing(node, names, modules, known) and whole
    return whole


def _listing_attribute(node: ast.Attribute, names: list[str], modules: list[str]) -> bool:
    owner = dotted(node.value)
    if owner and node.attr == "__all__":
        modules.append(owner)
    elif owner and node.attr == "__name__":  # [Class.__name__, …]
        names.append(owner.rpartition(".")[2])
    else:
        if owner:
            modules.append(owner + PART)  # some list of another module's
        return False
    return True


def _listing_call(
    node: ast.Call, names: list[str], modules: list[str], known: Mapping[str, ast.expr]
) -> bool:
    name = called(node)
    if name in ("list", "tuple", "sorted", "set") and node.args:
        return read_listing(node.args[0], names, modules, known)
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if node.func.attr in ("copy", "keys"):
            if isinstance(owner, ast.Name) and isinstance(known.get(owner.id), ast.Dict):
                table = known[owner.id]
                keys = getattr(table, "keys", [])
                return _each(keys, names, modules, known)
            return read_listing(owner, names, modules, known)
        if node.func.attr == "split" and isinstance(owner, ast.Constant):
            names += str(owner.value).split()
            return True
    return False


def comprehended(node: ast.DictComp, known: Mapping[str, ast.expr]) -> list[str]:
    """The keys of ``{n: … for n, … in TABLE}``, where the table is written out."""
    table = node.generators[0].iter
    if isinstance(table, ast.Name):
        table = known.get(table.id, table)
    rows = getattr(table, "elts", [])
    firsts = [row.elts[0] if isinstance(row, ast.Tuple) and row.elts else row for row in rows]
    return [f.value for f in firsts if isinstance(f, ast.Constant) and isinstance(f.value, str)]


def is_globals_update(call: ast.Call) -> bool:
    """``globals().update(…)``."""
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "update"
        and called(function.value) in ("globals", "vars", "locals")
    )


def changes_listing(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function calls a method of ``__all__``, or adds to it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            if called(inner).startswith("__all__."):
                return True
        elif isinstance(inner, ast.AugAssign) and dotted(inner.target) == "__all__":
            return True
    return False
