"""What the default of a parameter is, however it is written: ``2**16``, ``65536``, ``LIMIT``."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from libdrift.history.views import View
from libdrift.records import Symbol, SymbolKind

_DEEP = 4  # names that stand for other names
_LARGE = 64  # as an exponent or a shift: nobody writes larger ones in a default
_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


# What may stand for "not given" where the other default is of another type.
_NOTHING = {("number", "0"), ("str", "''"), ("tuple", "()"), ("list", "[]"), ("dict", "{}")}


class UnknownDefaultError(Exception):
    """Reading does not tell what a default is."""


def may_be_same(old: tuple[Symbol, str, View | None], new: tuple[Symbol, str, View | None]) -> bool:
    """Whether two defaults that are written in two ways may be one value.

    Each is given with the callable and the release that it is of. What a name stands for that the
    release does not show may be what the other writes down.
    """
    nodes = list[ast.expr]()
    values = list[tuple[str, ...] | None]()
    for symbol, text, view in (old, new):
        try:
            node = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return True
        nodes.append(node)
        try:
            values.append(_value(node, symbol.id.partition(":")[0], view))
        except UnknownDefaultError:
            values.append(None)
    before, after = values
    if before is not None and after is not None:
        kinds = {before[0], after[0]}
        may_stand = len(kinds) > 1 and "NoneType" not in kinds  # documentation tells of None
        return before == after or (may_stand and bool(_NOTHING & {before, after}))
    if before is not after:  # one is known alone
        return True
    return not _are_alike(*nodes)


def is_announced(name: str, old: Symbol, new: Symbol, ends: tuple[str, str]) -> bool:
    """Whether the new documentation tells that the default of a parameter is None now, or was.

    Of a parameter that is deprecated, None only tells that it is not given.
    """
    for symbol, default in zip((old, new), ends, strict=True):
        if default == "None" and any(item.parameter == name for item in symbol.deprecations):
            return False
    words = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    fresh = [note for note in new.notes if note.kind == "changed" and note not in old.notes]
    return any(words.search(note.text) and "default" in note.text.casefold() for note in fresh)


def _are_alike(one: ast.expr, other: ast.expr) -> bool:
    """Whether only a part differs: members of one class, arguments of one call."""
    match one, other:
        case ast.Attribute(base), ast.Attribute(other_base):
            return ast.dump(base) == ast.dump(other_base)
        case ast.Call(called), ast.Call(other_called):
            return ast.dump(called) == ast.dump(other_called)
        case ast.Name(), _:
            return False
    return type(one) is type(other)


def _value(node: ast.expr, module: str, view: View | None, depth: int = _DEEP) -> tuple[str, ...]:
    """A default in one form; raises where it is of a name that the release does not show."""
    match node:
        case ast.Name() | ast.Attribute() if view is not None and depth:
            return _of_name(ast.unparse(node), module, view, depth)
        case ast.Name() | ast.Attribute() | ast.Call():
            raise UnknownDefaultError
    found = _folded(node)
    if isinstance(found, int | float):  # 0, 0.0 and False are told from each other by nobody
        whole = isinstance(found, int) or found.is_integer()
        return ("number", repr(int(found) if whole else found))
    return (type(found).__name__, repr(found))


def _of_name(path: str, module: str, view: View, depth: int) -> tuple[str, ...]:
    name = view.find(f"{module}.{path}") or view.find(path)
    symbol = view.symbols.get(name.target) if name else None
    if name is None or symbol is None:
        raise UnknownDefaultError
    if symbol.kind in {SymbolKind.CLASS, SymbolKind.FUNCTION}:
        return ("", name.target)
    home, _, inner = name.target.partition(":")
    if not symbol.value or "." in inner:  # a member of a class is more than its value
        raise UnknownDefaultError
    try:
        node = ast.parse(symbol.value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        raise UnknownDefaultError from None
    return _value(node, home, view, depth - 1)


def _folded(node: ast.expr) -> object:
    """The value of constants, and of sums and the like of them."""
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _folded(node.left), _folded(node.right)
        if not all(isinstance(side, int | float) for side in (left, right)):
            raise UnknownDefaultError
        if isinstance(node.op, ast.Pow | ast.LShift) and not 0 <= right <= _LARGE:  # type: ignore[operator]
            raise UnknownDefaultError
        try:
            return _OPERATIONS[type(node.op)](left, right)
        except (ArithmeticError, TypeError):
            raise UnknownDefaultError from None
    try:
        return ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise UnknownDefaultError from None
