"""Defaults of parameters, however sources, stubs and import write them."""

from __future__ import annotations

import ast


def same(old: str | None, new: str | None) -> bool:
    """Spelling aside; a stub's `...`, or `<object …>` of import, says only that there is one."""
    if old == new:
        return True
    if old is None or new is None:
        return False
    before, after = _meaning(old), _meaning(new)
    return "" in {before, after} or before == after


def _meaning(text: str) -> str:
    """A default without its layout; of a dotted name the last part, as imports differ."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return ""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        inner = node.args[0]  # np.float64(1.5), as import writes a number
        node = inner if isinstance(inner, ast.Constant) else node
    if isinstance(node, ast.Constant) and node.value is ...:
        return ""
    if isinstance(node, ast.Attribute):
        return node.attr.casefold()
    if isinstance(node, ast.Name):
        return node.id.casefold()
    return ast.dump(node)


def is_literal(text: str | None) -> bool:
    try:
        ast.literal_eval(text or "-")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True
