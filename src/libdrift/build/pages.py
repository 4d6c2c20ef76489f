"""A file as tasks show it: without comments, in parts that compile."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from libdrift.build import filters
from libdrift.build.filters import Rejection
from libdrift.languages.python.usage import bound

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Code of a page, and where it is there: its lines are the page's, moved by ``offset``."""

    code: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class PageImport:
    """An import statement of the module."""

    text: str
    names: frozenset[str]
    is_future: bool


@dataclass(frozen=True, slots=True)
class Page:
    text: str
    tree: ast.Module
    lines: tuple[str, ...]
    numbers: tuple[int, ...]  # of each line in the file
    comments: Mapping[int, str]  # by their lines in the file
    imports: tuple[PageImport, ...]

    @property
    def whole(self) -> Excerpt:
        return Excerpt(self.text)

    def statement(self, line: int) -> ast.stmt:
        """The statement of the module that a line is in."""
        return holding(self.tree.body, line)

    def until(self, statement: ast.stmt) -> Excerpt:
        """All of the file up to the end of a statement."""
        return Excerpt("\n".join(self.lines[: statement.end_lineno]) + "\n")

    def alone(self, nodes: Sequence[ast.stmt], names: Iterable[str], head: str = "") -> Excerpt:
        """Neighbouring statements under the imports that they need, and those of some names."""
        used = names_in(nodes).union(names)
        kept = (item for item in self.imports if item.is_future or not used.isdisjoint(item.names))
        above = "".join(f"{item.text}\n" for item in kept)
        above += ("\n\n" if above else "") + head
        first = first_line(nodes[0])
        code = "\n".join(self.lines[first - 1 : nodes[-1].end_lineno])
        return Excerpt(f"{above}{code}\n", above.count("\n") + 1 - first)


def read(text: str) -> Page | Rejection:
    """A page of a file's code, which has been parsed before."""
    try:
        lines, numbers, comments = _without_comments(text)
    except (tokenize.TokenError, SyntaxError):
        return Rejection.SYNTAX
    plain = "\n".join(lines)
    parsed = filters.parsed(plain)
    if isinstance(parsed, Rejection):
        return parsed
    rejected = _uncompiled(parsed.tree)
    if rejected is not None:
        return rejected
    imports = tuple(_imports(parsed.tree, lines))
    return Page(plain, parsed.tree, tuple(lines), tuple(numbers), comments, imports)


def _imports(tree: ast.Module, lines: Sequence[str]) -> Iterator[PageImport]:
    """Those of the module itself, at whatever depth of conditions."""
    waiting: list[ast.AST] = [*reversed(tree.body)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            yield PageImport(_segment(node, lines), bound([node]), is_future)
        elif not isinstance(node, _DEFINITIONS):
            inner = (ast.stmt, ast.ExceptHandler)
            waiting += reversed([n for n in ast.iter_child_nodes(node) if isinstance(n, inner)])


def _segment(node: ast.stmt, lines: Sequence[str]) -> str:
    """The text of a statement, without what stands beside it on its lines."""
    taken = list(lines[node.lineno - 1 : node.end_lineno])
    taken[-1] = taken[-1][: characters(taken[-1], node.end_col_offset or 0)]
    taken[0] = taken[0][characters(lines[node.lineno - 1], node.col_offset) :]
    return "\n".join(taken)


def _without_comments(text: str) -> tuple[list[str], list[int], dict[int, str]]:
    """The lines without comments, and without those that had nothing else."""
    lines = text.split("\n")
    comments: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            comments[row] = token.string
            lines[row - 1] = lines[row - 1][:column].rstrip()
    first = next((number for number, line in enumerate(lines, start=1) if line.strip()), 1)
    kept = [
        number
        for number, line in enumerate(lines[first - 1 :], start=first)
        # Behind a backslash even an empty line ends the statement.
        if number not in comments or line or lines[number - 2].endswith("\\")
    ]
    return [lines[number - 1] for number in kept], kept, comments


def characters(line: str, column: int) -> int:
    """A column of the syntax tree, which counts bytes, in characters."""
    return column if line.isascii() else len(line.encode()[:column].decode())


def first_line(node: ast.stmt) -> int:
    """Where a statement begins, decorators included."""
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    return min([node.lineno, *(item.lineno for item in decorators)])


def holding(body: Sequence[ast.stmt], line: int) -> ast.stmt:
    """The statement of a body that a line is in; of several, the last."""
    return next(node for node in reversed(body) if first_line(node) <= line)


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {item.id for node in nodes for item in ast.walk(node) if isinstance(item, ast.Name)}


def compiles(code: str) -> bool:
    return _uncompiled(code) is None


def _uncompiled(code: str | ast.Module) -> Rejection | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<excerpt>", "exec", dont_inherit=True)
    except (RecursionError, MemoryError):
        return Rejection.DEEP
    except (SyntaxError, ValueError):
        return Rejection.SYNTAX
    return None
