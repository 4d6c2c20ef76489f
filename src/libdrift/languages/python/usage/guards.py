"""Code that is meant for some versions only: what it stands under tells."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from libdrift.languages.python.usage.uses import Guard, UseKind

_IMPORTS = frozenset({"ImportError", "ModuleNotFoundError"})
_ALL = frozenset({"Exception", "BaseException", ""})
# By the kind of a use: the errors that say that what it asks for is not there.
CATCHING = {
    UseKind.IMPORT: _ALL | _IMPORTS,
    # Whoever catches all errors there does so for other reasons, as a rule.
    UseKind.READ: frozenset({"AttributeError", "NameError"}),
    UseKind.CALL: frozenset({"AttributeError", "NameError", "TypeError"}),
    UseKind.KEYWORD: frozenset({"TypeError"}),
}
_MISSING = _IMPORTS | {"AttributeError", "NameError", "TypeError"}
_VERSION = re.compile(
    r"version|(?:^|_)vers?(?:_|$)|[a-z]_\d+_\d+$|(?:^|_)(?:ge|gt|lt|le|gte|lte)(?:_|\d|$)|^(?:is_|has_)?(?:py|pypy|np|numpy|pandas)_?\d",
    re.IGNORECASE,
)
_CONSTANT = re.compile(r"[A-Z]_V?\d+(?:_\d+)*$")  # PYDANTIC_V1, TORCH_2_0
_ASKING = frozenset({"find_spec"})
# These count only of a package's own things.
_OF_THINGS = frozenset(
    {"hasattr", "issubclass", "dir", "vars", "signature", "getfullargspec", "getargspec"}
)
_NAMES = frozenset({"__all__", "__dict__", "__members__"})  # `"x" in pkg.__all__`


_TRUTHS = frozenset({"hasattr", "issubclass", "bool", "any", "all", "isinstance", "callable"})


def caught(node: ast.Try | ast.TryStar) -> frozenset[str]:
    """The last names of the errors that a ``try`` catches; an empty one for all."""
    found: set[str] = set()
    for handler in node.handlers:
        found |= caught_by(handler)
    return frozenset(found)


def caught_by(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {""}
    several = isinstance(handler.type, ast.Tuple)
    return {_last(item) for item in (handler.type.elts if several else [handler.type])}  # type: ignore[attr-defined]


def is_fallback(handler: ast.ExceptHandler, *, tried: bool) -> bool:
    """Whether what a handler does is for where something is missing.

    That is a module, whatever it is of, or something of a package if such was ``tried``.
    """
    return bool(caught_by(handler) & (_MISSING if tried else _IMPORTS))


def of_test(
    test: ast.expr, is_known: Callable[[ast.expr], bool], is_flag: Callable[[ast.expr], bool]
) -> Guard:
    """What a condition asks of versions, or of something that is known to be a package's."""
    waiting: list[ast.AST] = [test]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and _last(node.func) in _ASKING | _OF_THINGS and node.args:
            if _last(node.func) not in _OF_THINGS or is_known(node.args[0]):
                return Guard.HASATTR
            continue
        if isinstance(node, ast.Attribute) and node.attr in _NAMES and is_known(node.value):
            return Guard.HASATTR
        if isinstance(node, ast.Name | ast.Attribute) and (
            _tells_version(_last(node)) or is_flag(node)
        ):
            return Guard.VERSION
        if not isinstance(node, ast.Lambda | ast.Constant):
            waiting += ast.iter_child_nodes(node)
    return Guard.NONE


def suppressed(node: ast.With | ast.AsyncWith) -> frozenset[str]:
    """The errors that ``with suppress(…)`` catches."""
    return frozenset(
        _last(error)
        for item in node.items
        if isinstance(item.context_expr, ast.Call) and _last(item.context_expr.func) == "suppress"
        for error in item.context_expr.args
    )


def of_decorators(node: ast.AST, guard_of: Callable[[ast.expr], Guard]) -> Guard:
    """``@skipif(version < "2")``: what stands below is for some versions only."""
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and "skip" in _last(decorator.func).lower():
            for argument in decorator.args:
                if guard_of(argument):
                    return Guard.VERSION
    return Guard.NONE


def is_truth(node: ast.expr) -> bool:
    """Whether an expression gives a truth value, whatever its parts are."""
    match node:
        case ast.Compare() | ast.UnaryOp(ast.Not()):
            return True
        case ast.Call(ast.Name(name)):
            return name in _TRUTHS
        case ast.BoolOp(_, values):
            return all(map(is_truth, values))
    return False


def _tells_version(name: str) -> bool:
    return bool(_VERSION.search(name) or _CONSTANT.search(name))


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else "…"
