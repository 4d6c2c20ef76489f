"""Names that the files of a project take from each other: each must stay where it is."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection
from pathlib import Path


class TakenNames:
    """Modules are known by the last part of their name alone: that tells too much, never less."""

    def __init__(self) -> None:
        self._by_module: dict[str, set[str]] = {}

    def read(self, code: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return  # what cannot be parsed is told elsewhere
        called: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node, called)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                base = node.value
                last = base.id if isinstance(base, ast.Name) else getattr(base, "attr", "")
                self._add(called.get(last, last), node.attr)

    def _import(self, node: ast.Import | ast.ImportFrom, called: dict[str, str]) -> None:
        for alias in node.names:
            if alias.asname:
                called[alias.asname] = alias.name.rpartition(".")[2]
            if isinstance(node, ast.ImportFrom) and node.module:
                self._add(node.module.rpartition(".")[2], alias.name)

    def _add(self, module: str, name: str) -> None:
        self._by_module.setdefault(module, set()).add(name)

    def of_file(self, file: str) -> Collection[str]:
        return self._by_module.get(Path(file).stem, ())
