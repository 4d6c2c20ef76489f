"""What else code does with a value of which nothing is known: a sign of its class."""

from __future__ import annotations

import ast
from functools import cached_property

from libdrift.languages.python.usage import Span, Use

_OWN = "self."
_Place = tuple[int, int, int, int]


class VariableMembers:
    """Over one program, which is walked through once, and only if it is asked."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._asked: dict[tuple[int, str], set[str]] = {}

    def members(self, use: Use) -> frozenset[str]:
        """All that is asked of the variable that a member is taken of, in the same function.

        Of ``self.x``, in the same class. Of anything else than a variable, nothing is told.
        """
        found = self._variables.get(_place(use.span))
        return frozenset(self._asked[found]) if found else frozenset()

    @cached_property
    def _variables(self) -> dict[_Place, tuple[int, str]]:
        """The variable that each attribute is taken of: the line of its scope, and its name."""
        found: dict[_Place, tuple[int, str]] = {}
        waiting: list[tuple[ast.AST, int, int]] = [(self._tree, 0, 0)]
        while waiting:
            node, function, kind = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                function = node.lineno
            elif isinstance(node, ast.ClassDef):
                kind = node.lineno
            elif isinstance(node, ast.Attribute):
                holder = _text(node.value)
                if holder:
                    scope = kind if holder.startswith(_OWN) else function
                    place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
                    found[place] = (scope, holder)  # type: ignore[index]
                    self._asked.setdefault((scope, holder), set()).add(node.attr)
            waiting += [(inner, function, kind) for inner in ast.iter_child_nodes(node)]
        return found


def _place(span: Span) -> _Place:
    return span.line, span.column, span.end_line, span.end_column


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}" if node.value.id == "self" else ""
    return node.id if isinstance(node, ast.Name) else ""
