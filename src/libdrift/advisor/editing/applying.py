"""Planned changes, made in one pass over the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst

from libdrift.advisor.editing.imports import AliasChange, ImportChanger

# From the node as it is after changes below it, to what takes its place.
NodeChange = Callable[[Any], cst.CSTNode]


class TreeChanger(cst.CSTTransformer):
    def __init__(
        self,
        changes: Mapping[cst.CSTNode, NodeChange],
        imports: Mapping[cst.ImportAlias, AliasChange],
    ) -> None:
        super().__init__()
        self._changes, self._imports = changes, ImportChanger(imports)

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Any:  # noqa: ANN401  (whatever takes the node's place)
        if isinstance(original_node, cst.SimpleStatementLine):
            return self._imports.line(original_node, updated_node)  # type: ignore[arg-type]
        if isinstance(original_node, cst.SimpleStatementSuite):
            return self._imports.suite(original_node, updated_node)  # type: ignore[arg-type]
        change = self._changes.get(original_node)
        return updated_node if change is None else change(updated_node)
