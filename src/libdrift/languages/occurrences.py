"""Where code writes a name of a library, by the name's full path."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Lines count from 1, columns from 0 and in bytes."""

    path: str  # with dots, as surfaces have it: java.lang.Thread.stop, std.mem.swap
    written: str  # as the code has it
    line: int
    column: int
    end_line: int
    end_column: int
    is_import: bool = False

    @classmethod
    def of(cls, path: str, node: Node, *, is_import: bool = False) -> Occurrence:
        (line, column), (end_line, end_column) = node.start_point, node.end_point
        written = (node.text or b"").decode("utf-8", "replace")
        return cls(path, written, line + 1, column, end_line + 1, end_column, is_import)
