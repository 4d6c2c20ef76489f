"""Fields of dataclasses and of classes like them: what ``field(…)`` says of one."""

from __future__ import annotations

import ast

from libdrift.languages.python.expressions import called, strings, text


def is_field(node: ast.Call) -> bool:
    return called(node).rpartition(".")[2] in ("field", "Field", "ib", "attrib")


def field_alias(node: ast.expr | None) -> str:
    """``_x: int = field(alias="x")``: the name under which a constructor takes it."""
    keywords = node.keywords if isinstance(node, ast.Call) and is_field(node) else []
    return "".join(next((strings(ast.List([k.value])) for k in keywords if k.arg == "alias"), []))


def field_default(node: ast.expr | None) -> str:
    if node is None:
        return ""
    if isinstance(node, ast.Call) and is_field(node):
        for keyword in node.keywords:
            if keyword.arg == "init" and text(keyword.value) == "False":
                return "init=False"
            if keyword.arg == "default":
                return text(keyword.value)
            if keyword.arg in ("default_factory", "factory"):
                return f"{text(keyword.value)}()"
        return text(node.args[0]) if node.args else ""
    return text(node)
