"""What import statements bind: of syntax trees, and of text that does not parse."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE = re.compile(r"^[ \t]*((?:import|from)[ \t].*)$", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n;#]+)", re.MULTILINE)
_FROM = re.compile(
    r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n;#(]*))", re.MULTILINE
)
_ITEM = re.compile(r"\s*([\w.]+|\*)(?:\s+as\s+(\w+))?\s*")
_Import = ast.Import | ast.ImportFrom


@dataclass(frozen=True, slots=True)
class Imported:
    """One name of an import statement."""

    name: str  # that it binds; a star binds what the module has
    path: str  # what the name stands for: of `import a.b` that is `a`
    module: str  # that is imported, or imported from; begins with dots where it is relative
    item: str = ""  # that is taken from the module; empty for `import a.b`
    renamed: bool = False

    @property
    def is_star(self) -> bool:
        return self.item == "*"

    @property
    def is_relative(self) -> bool:
        return self.module[:1] == "."

    @property
    def full(self) -> str:
        """All that is imported: of `import a.b` that is `a.b`."""
        return f"{self.module}.{self.item}" if self.item else self.module


def imported(node: ast.AST, home: str = "") -> Iterator[Imported]:
    """The names that a statement imports; none if it is no import.

    ``home`` is the package that relative imports start from, where it is known.
    """
    if isinstance(node, ast.Import):
        for item in node.names:
            yield _plain(item.name, item.asname)
    elif isinstance(node, ast.ImportFrom):
        module = absolute(node, home)
        for item in node.names:
            yield _taken(module, item.name, item.asname)


def absolute(node: ast.ImportFrom, home: str = "") -> str:
    """The module that names are taken from; as it is written where that cannot be told."""
    module = node.module or ""
    parts = home.split(".") if home else []
    if not node.level:
        return module
    if node.level > len(parts):
        return "." * node.level + module
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, module] if module else kept)


def _plain(name: str, known_as: str | None) -> Imported:
    path = name if known_as else name.partition(".")[0]
    return Imported(known_as or path, path, name, "", bool(known_as))


def _taken(module: str, name: str, known_as: str | None) -> Imported:
    dot = "" if module.endswith(".") else "."
    return Imported(known_as or name, f"{module}{dot}{name}", module, name, bool(known_as))


def is_import(node: ast.AST) -> bool:
    return isinstance(node, _Import)


def all_imported(nodes: Iterable[ast.AST], home: str = "") -> Iterator[Imported]:
    for node in nodes:
        if isinstance(node, _Import):
            yield from imported(node, home)


def parsed(code: str) -> ast.Module | None:
    """The syntax tree; nothing for what is no Python, or no Python of today."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes: the code's own affair
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def imported_by_lines(code: str) -> Iterator[Imported]:
    """Of code of another Python, or cut off: its lines may still tell."""
    for line in _LINE.findall(code):
        tree = parsed(line.strip())
        yield from all_imported(tree.body if tree else ())


def imported_by_text(code: str) -> Iterator[Imported]:
    """Of code with gaps, without comments and strings: whatever looks like an import."""
    for line in _IMPORT.findall(code):
        for item in line.split(","):
            match = _ITEM.fullmatch(item)
            if match and match[1] != "*":
                yield _plain(match[1], match[2])
    for module, several, one in _FROM.findall(code):
        for item in (several or one).split(","):
            match = _ITEM.fullmatch(item)
            if match:
                yield _taken(module, match[1], match[2])


def without_imports(code: str) -> str:
    return _FROM.sub("", _IMPORT.sub("", code))
