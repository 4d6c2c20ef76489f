"""Code that uses an API: documentation's examples, repositories' code, posts' answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

from libdrift.build.examples import examples
from libdrift.build.results import veiled
from libdrift.history.paths import public_paths
from libdrift.history.views import View
from libdrift.languages.python.usage import OnePackage, UseKind, parsed, read
from libdrift.records import SymbolKind

LIBRARY, DOWNSTREAM, POSTS = "library_source_code", "downstream_application_code", "stackoverflow"
_CALLED = {SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD}
_LINES = 40  # of a snippet: longer ones are programs


@dataclass(frozen=True, slots=True)
class Snippet:
    """Some code with one API at stake, in one release."""

    id: str
    code: str
    package: str
    version: str
    date: date | None
    symbol: str
    line: int  # of the API's name, from 1 on
    source: str
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    @property
    def token(self) -> str:
        return self.symbol.rpartition(".")[2]


def documented(view: View) -> Iterator[Snippet]:
    """The examples of a release's documentation, one for each API that an example calls."""
    release = view.surface.release
    seen: set[str] = set()
    for target, (path, inner) in sorted(public_paths(view.surface).items(), key=lambda x: x[1]):
        symbol = view.symbols[target]
        if inner or symbol.kind not in _CALLED or view.is_foreign(symbol):
            continue
        for code in examples(symbol.doc):
            line = _called_at(code, path.rpartition(".")[2])
            if line and code not in seen and code.count("\n") < _LINES:
                seen.add(code)
                name = f"{release.package}-{release.version}-{veiled(f'{path} {code}')}"
                yield Snippet(
                    name,
                    f"{code}\n",
                    release.package,
                    release.version,
                    release.date,
                    path,
                    line,
                    LIBRARY,
                )
                break


def _called_at(code: str, name: str) -> int:
    """The line of the first call of a name; 0 where there is none."""
    tree = parsed(code)
    found = [
        node.func.end_lineno or 0
        for node in ast.walk(tree or ast.Module([], []))
        if isinstance(node, ast.Call)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)) == name
    ]
    return min(found, default=0)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


@dataclass(frozen=True, slots=True)
class FoundUse:
    symbol: str
    line: int


def used_api(code: str, package: str, roots: frozenset[str]) -> FoundUse | None:
    """The first call of a package's API in some code."""
    tree = parsed(code)
    if tree is None:
        return None
    try:
        uses = read(tree, OnePackage(package, roots)).uses
    except RecursionError:
        return None
    for use in uses:
        if use.kind is UseKind.CALL and "." in use.path:
            return FoundUse(use.path, use.span.end_line)
    return None
