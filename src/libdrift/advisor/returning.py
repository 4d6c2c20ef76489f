"""Whether a function may return None now, where it always returned something before."""

from __future__ import annotations

import ast
import re

from libdrift.records import Symbol, SymbolKind

_NONE = re.compile(r"\bNone\b")
_RETURNS = re.compile(r"\breturns?\b", re.IGNORECASE)
_ANYTHING = frozenset({"Any", "typing.Any", "object"})


def may_be_none_now(old: Symbol, new: Symbol) -> bool:
    """As its annotation says, and the documentation of the new release alone.

    An annotation by itself may only have become right, or have come.
    """
    if old.signature is None or new.signature is None or "overloaded" in new.traits:
        return False
    if SymbolKind.CLASS in {old.kind, new.kind}:  # what a constructor gives is no instance
        return False
    before, after = old.signature.returns, new.signature.returns
    if _takes_none(before) or before in _ANYTHING or not _takes_none(after):
        return False
    if not before and not _RETURNS.search(old.doc):
        return False
    return bool(old.doc) and bool(_NONE.search(new.doc)) and not _NONE.search(old.doc)


def _takes_none(text: str) -> bool:
    try:
        return _is_optional(ast.parse(text.strip("'\""), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _is_optional(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.BinOp):
        return _is_optional(node.left) or _is_optional(node.right)
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return name == "Optional" or (name == "Union" and any(map(_is_optional, inner)))
    return False
