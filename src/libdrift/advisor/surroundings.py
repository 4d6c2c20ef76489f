"""What else code does with a value of which nothing is known: a sign of its class."""

from __future__ import annotations

import ast
from functools import cached_property

from libdrift.languages.python.usage import Span, Use

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OWN = "self."


class Surroundings:
    """Over one program."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._known: dict[tuple[int, str], frozenset[str]] = {}

    def members(self, use: Use) -> frozenset[str]:
        """All that is asked of the variable that a member is taken of, in the same function.

        Of ``self.x``, in the same class. Of anything else than a variable, nothing is told.
        """
        holder = use.written.rpartition(".")[0]
        name = holder.removeprefix(_OWN)
        if not name.isidentifier():
            return frozenset()
        scopes = self._classes if name != holder else self._functions
        around = [node for node in scopes if _is_in(use.span, node)]
        scope: ast.AST = max(around, key=_start) if around else self._tree
        key = (id(scope), holder)
        if key not in self._known:
            self._known[key] = frozenset(
                node.attr
                for node in ast.walk(scope)
                if isinstance(node, ast.Attribute) and _text(node.value) == holder
            )
        return self._known[key]

    @cached_property
    def _functions(self) -> list[ast.AST]:
        return [node for node in ast.walk(self._tree) if isinstance(node, _FUNCTIONS)]

    @cached_property
    def _classes(self) -> list[ast.AST]:
        return [node for node in ast.walk(self._tree) if isinstance(node, ast.ClassDef)]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _is_in(span: Span, node: ast.AST) -> bool:
    end = getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
    return _start(node) <= (span.line, span.column) and (span.end_line, span.end_column) <= end
