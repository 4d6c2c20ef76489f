"""The literals that an example starts from: what could be passed to it instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_OPTION = re.compile(r"[A-Za-z_][\w-]*")


def literals_of(node: ast.AST, wanted: str) -> Iterator[tuple[ast.expr, str]]:
    """The largest literals below a node, with what they are called by where they stand."""
    if isinstance(node, ast.expr) and _is_literal(node):
        if _is_telling(node):
            yield node, wanted
        return
    match node:
        case ast.JoinedStr() | ast.Lambda() | ast.FunctionDef() | ast.ClassDef():
            return
        case ast.Subscript(value=value):  # an index is of the value's shape
            yield from literals_of(value, "")
        case ast.Call(func=func, args=args, keywords=keywords):
            yield from literals_of(func, "")
            label = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            for place, item in enumerate(args):
                yield from literals_of(item, f"{label}:{place}")
            for named in keywords:
                if not _is_option(named.value):
                    yield from literals_of(named.value, named.arg or "")
        case _:
            for child in ast.iter_child_nodes(node):
                yield from literals_of(child, "")


def _is_option(node: ast.expr) -> bool:
    """A word by its keyword is one of a few that are allowed: `method="exact"`."""
    match node:
        case ast.Constant(value=str(text)):
            return _OPTION.fullmatch(text) is not None
        case _:
            return False


def _is_literal(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float | str) or value is None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return all(map(_is_literal, items))
        case ast.Dict(keys=keys, values=items):
            return all(key is not None and _is_literal(key) for key in keys) and all(
                map(_is_literal, items)
            )
        case _:
            return False


def _is_telling(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, bool) and value is not None and value != ""
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return bool(items)
        case ast.Dict(keys=keys):
            return bool(keys)
        case _:
            return True
