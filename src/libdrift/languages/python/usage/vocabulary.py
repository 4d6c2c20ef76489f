"""The names of a whole program, wherever in it: what imports bind, and what it has besides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from libdrift.languages.python.usage.imports import (
    Imported,
    all_imported,
    imported_by_lines,
    parsed,
)

_MEMBER = re.compile(r"([^\W\d]\w*|[)\]])[ \t]*\.[ \t]*([^\W\d]\w*)")
_USUAL = frozenset({"np", "pd", "tf"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What names mean in a program, as far as its imports tell."""

    bound: dict[str, str]  # by imports: to full names
    stars: tuple[str, ...]  # modules that everything was imported from
    packages: frozenset[str]  # that something was imported from, whatever it is called
    values: frozenset[str]  # other names
    assigned: frozenset[str]  # those of them that the program gives a value
    members: frozenset[str]  # attributes that are taken of anything but modules


@lru_cache(256)
def vocabulary(code: str) -> Vocabulary:
    """Of code of another Python, or cut off, as far as its lines tell."""
    tree = parsed(code)
    if tree is None:
        taken = _MEMBER.findall(code)
        names = {head for head, _ in taken if head.isidentifier()}
        return _vocabulary(imported_by_lines(code), taken, names, set())
    nodes = list(ast.walk(tree))
    names, assigned = set(), set()
    taken = []
    for node in nodes:
        if isinstance(node, ast.Name):
            names.add(node.id)
            if not isinstance(node.ctx, ast.Load):
                assigned.add(node.id)
        elif isinstance(node, ast.arg):
            assigned.add(node.arg)
        elif isinstance(node, ast.Attribute):
            taken.append((_root(node), node.attr))
    return _vocabulary(all_imported(nodes), taken, names, assigned)


def _vocabulary(
    imports: Iterable[Imported], taken: list[tuple[str, str]], names: set[str], assigned: set[str]
) -> Vocabulary:
    bound: dict[str, str] = {}
    stars: list[str] = []
    for item in imports:
        if item.is_star and not item.is_relative:
            stars.append(item.module)
        elif not item.is_relative:
            bound[item.name] = item.path
    # `import pandas as pd`, and then `pandas.…` all the same: no value of the program's.
    packages = {full.partition(".")[0] for full in (*bound.values(), *stars)}
    modules = bound.keys() | _USUAL | (packages - assigned)
    return Vocabulary(
        bound,
        tuple(stars),
        frozenset(packages),
        frozenset(names - modules),
        frozenset(assigned),
        frozenset(member for head, member in taken if head not in modules),
    )


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes starts with; none for other values."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
