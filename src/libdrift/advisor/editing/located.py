"""A program as a LibCST tree, and its nodes by where Python's own syntax tree has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

Spot = tuple[int, int, int, int]  # lines from 1, columns from 0 in characters
Found = TypeVar("Found", bound=cst.CSTNode)
_WANTED = (cst.Name, cst.Attribute, cst.Call, cst.Arg, cst.ImportAlias, cst.ImportFrom, cst.Import)
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(slots=True)
class LocatedTree:
    module: cst.Module
    lines: list[str]
    nodes: dict[Spot, list[cst.CSTNode]] = field(default_factory=dict)
    spots: dict[cst.CSTNode, Spot] = field(default_factory=dict)
    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str) -> LocatedTree:
        """``libcst.ParserSyntaxError`` for code that is no Python."""
        # Nodes are not changed in place, so that the copy can be spared.
        wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
        if wrapper.module.code != source:
            raise ValueError("its line endings cannot be kept")
        positions = wrapper.resolve(PositionProvider)
        found = cls(wrapper.module, _NEWLINE.split(source))
        wrapper.module.visit(_Collector(found, positions))
        return found

    def spot(self, line: int, column: int, end_line: int, end_column: int) -> Spot:
        """Columns in bytes, as the syntax tree has them, to columns in characters."""
        return (
            line,
            self._characters(line, column),
            end_line,
            self._characters(end_line, end_column),
        )

    def spot_of(self, node: ast.expr | ast.alias) -> Spot:
        return self.spot(
            node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
        )

    def _characters(self, line: int, column: int) -> int:
        if not 0 < line <= len(self.lines):
            return column
        text = self.lines[line - 1]
        if text.isascii():
            return column
        return len(text.encode()[:column].decode(errors="replace"))

    def at(self, spot: Spot, kind: type[Found]) -> Found | None:
        return next((node for node in self.nodes.get(spot, ()) if isinstance(node, kind)), None)

    def enclosing(self, node: cst.CSTNode, kind: type[Found]) -> Found | None:
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, kind):
            parent = self.parents.get(parent)
        return parent

    def code(self, node: cst.CSTNode) -> str:
        return self.module.code_for_node(node)


class _Collector(cst.CSTVisitor):
    def __init__(self, tree: LocatedTree, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        super().__init__()
        self._tree, self._positions = tree, positions
        self._above: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self._above:
            self._tree.parents[node] = self._above[-1]
        self._above.append(node)
        if isinstance(node, _WANTED):
            place = self._positions[node]
            spot = (place.start.line, place.start.column, place.end.line, place.end.column)
            self._tree.nodes.setdefault(spot, []).append(node)
            self._tree.spots[node] = spot
        return not isinstance(node, cst.BaseParenthesizableWhitespace)

    def on_leave(self, original_node: cst.CSTNode) -> None:
        del original_node
        self._above.pop()
