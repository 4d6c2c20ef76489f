"""Which names of one library a piece of code uses, also where its imports are not in it."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from libdrift.languages.python import usage
from libdrift.languages.python.usage import OnePackage, ReleaseTypes, Use, UseKind

_TRIES = 5
_NAMED = {UseKind.READ, UseKind.CALL}


@dataclass(frozen=True, slots=True)
class LibraryCode:
    """Code with the imports that it takes for granted, which are not part of it."""

    text: str
    implied: tuple[str, ...]  # import statements, one a line

    @property
    def whole(self) -> str:
        return "".join(f"{line}\n" for line in self.implied) + self.text


def with_imports(code: str, roots: Iterable[str], main: str = "") -> LibraryCode:
    """Code whose unbound names that stand for a library are imported: ``np`` is ``numpy``.

    ``main`` is the root that names may be short for.
    """
    tree = parsed(code)
    loose = unbound(tree) if tree is not None else set()
    found = [f"import {name}" for name in sorted(loose.intersection(roots))]
    if main:
        found += [f"import {main} as {name}" for name in sorted(loose) if is_short(name, main)]
    return LibraryCode(code, tuple(found))


def uses(code: LibraryCode, package: str, roots: frozenset[str], types: ReleaseTypes) -> list[Use]:
    """Reads and calls of the library's names; nothing of code that cannot be read.

    Lines count as in the code with its implied imports.
    """
    tree = parsed(code.whole)
    if tree is None:
        return []
    try:
        reading = usage.read(tree, OnePackage(package, roots), lambda _: types)
    except RecursionError:
        return []
    return [use for use in reading.uses if use.kind in _NAMED]


def loose_members(code: LibraryCode, known: Iterable[Use]) -> list[str]:
    """Names of attributes of values whose class nothing tells, in the order of the code."""
    tree = parsed(code.whole)
    told = {(use.span.end_line, use.span.end_column) for use in known if use.path}
    found = [
        (node.end_lineno or 0, node.end_col_offset or 0, node.attr)
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Attribute)
    ]
    return list(dict.fromkeys(name for line, at, name in sorted(found) if (line, at) not in told))


def parsed(code: str) -> ast.Module | None:
    for _ in range(_TRIES):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(code)
        except SystemError:
            continue  # Python 3.11 counts its depth wrongly when two threads parse at once
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    return None


def unbound(tree: ast.Module) -> set[str]:
    """Names that are read and that nothing in the code binds."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            stored.add(node.name)
        elif isinstance(node, ast.arg):
            stored.add(node.arg)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            stored.add(node.name)
    return read - stored - set(dir(builtins))


def is_short(name: str, root: str) -> bool:
    """Whether a name is short for a root: its letters in order, from the first on."""
    letters = iter(root)
    fits = 2 <= len(name) < len(root) and name[:1] == root[:1]  # noqa: PLR2004
    return fits and all(one in letters for one in name)


def imported_as(code: LibraryCode, root: str) -> list[str]:
    """The names that code has for a root module."""
    tree = parsed(code.whole)
    found = [
        item.asname or item.name
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Import)
        for item in node.names
        if item.name == root
    ]
    return list(dict.fromkeys(found))
