"""Whether a given argument is what the parameter's default is anyway."""

from __future__ import annotations

import ast
import re

_SENTINEL_WORDS = (
    "deprecat",
    "warn",
    "default",
    "novalue",
    "no_value",
    "unset",
    "missing",
    "sentinel",
)
_TAKES_NONE = {"None", "NoneType", "Optional", "Any", "object"}


def parsed_value(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_same_value(given: str, default: str | None) -> bool:
    """By value for literals, by the last part of the name for dotted names (imports differ)."""
    if default is None:
        return False
    left, right = parsed_value(given), parsed_value(default)
    if left is None or right is None:
        return False
    try:
        one, other = ast.literal_eval(left), ast.literal_eval(right)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _is_same_expression(left, right)
    kinds = {type(one), type(other)}
    return (len(kinds) == 1 or kinds == {int, float}) and bool(one == other)


def _is_same_expression(left: ast.expr, right: ast.expr) -> bool:
    ends = [_last_name(side) for side in (left, right)]
    if all(ends):
        return ends[0] == ends[1]
    return not any(ends) and ast.dump(left) == ast.dump(right)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_literal(text: str | None) -> bool:
    """Whether it means the same wherever it is written; a stub's `...` means nothing."""
    node = parsed_value(text) if text is not None else None
    if node is None or (isinstance(node, ast.Constant) and node.value is ...):
        return False
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def is_sentinel(default: str | None) -> bool:
    """A default that only says "not given", or that nothing is known of: a stub's `...`."""
    if default is None:
        return False
    if any(word in default.casefold() for word in _SENTINEL_WORDS):
        return True
    node = parsed_value(default)
    if isinstance(node, ast.Constant) and node.value is ...:
        return True
    return node is None or (
        isinstance(node, ast.Name | ast.Attribute) and _last_name(node)[0] == "_"
    )


def is_like_kind(old: str | None, new: str | None) -> bool:
    """Two literals of one type: the parameter takes such values still, as far as that can tell."""
    if old is None or new is None or not is_literal(old) or not is_literal(new):
        return False
    if is_sentinel(old) or is_sentinel(new):
        return False
    one, other = ast.literal_eval(old.strip()), ast.literal_eval(new.strip())
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return isinstance(one, bool) == isinstance(other, bool)
    return one is not None and type(one) is type(other)


def is_untold(default: str | None, annotation: str) -> bool:
    """A `None` that no annotation says may be given: what stood for it is not in the signature."""
    words = set(re.findall(r"\w+", annotation))
    return default == "None" and words.isdisjoint(_TAKES_NONE)


def is_container(value: str) -> bool:
    """`{"all": proxy}`, `[1, 2]`: written as one, whatever is in it."""
    return value.strip()[:1] in {"{", "["}


def takes_containers(annotation: str) -> bool:
    return not _TAKES_CONTAINERS.isdisjoint(re.findall(r"\w+", annotation.lower()))


_TAKES_CONTAINERS = frozenset(
    "dict mapping mutablemapping list set frozenset sequence iterable collection container tuple "
    "arraylike ndarray any object".split()
)
