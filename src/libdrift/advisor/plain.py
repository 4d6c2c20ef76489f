"""Values of Python's own: what their members are called, and which annotations name them."""

from __future__ import annotations

import ast

from libdrift.languages.python.usage import PLAIN_NAMES, Use

_CLASSES: dict[str, type] = {
    **{kind.__name__: kind for kind in (str, bytes, int, float, bool, list, dict, tuple, set)},
    "List": list,
    "Dict": dict,
    "Tuple": tuple,
    "Set": set,
    "None": type(None),
}
# Keywords that methods of such values take.
_TAKEN = {
    "decode": {"encoding", "errors"},
    "encode": {"encoding", "errors"},
    "expandtabs": {"tabsize"},
    "from_bytes": {"byteorder", "bytes", "signed"},
    "replace": {"count"},
    "rsplit": {"maxsplit", "sep"},
    "sort": {"key", "reverse"},
    "split": {"maxsplit", "sep"},
    "splitlines": {"keepends"},
    "to_bytes": {"byteorder", "length", "signed"},
}
_ANY = frozenset({"format", "update"})  # they take whatever keyword
# Methods of such values that give None: nobody asks for more of what they give.
_SILENT = frozenset(
    "add append clear difference_update discard extend insert intersection_update remove reverse"
    " sort symmetric_difference_update update".split()
)


def is_usual(use: Use) -> bool:
    """Whether a member may be one of Python's own values, by its name and its arguments."""
    if use.name not in PLAIN_NAMES:
        return False
    if use.arguments is not None and use.arguments.is_taken and use.name in _SILENT:
        return False
    if use.arguments is None or use.name in _ANY:
        return True
    return not set(use.arguments.keywords) - _TAKEN.get(use.name, set())


def class_of(annotation: str) -> type | None:
    """The class of Python's own that an annotation names, and nothing else with it."""
    try:
        node = ast.parse(annotation.strip("\"'"), mode="eval").body
    except SyntaxError:
        return None
    node = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(node, ast.Constant) and node.value is None:
        return type(None)
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return _CLASSES.get(name)
