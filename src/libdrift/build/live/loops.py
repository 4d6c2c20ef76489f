"""Loops that print, as the lists of what they print: only a value can be returned."""

from __future__ import annotations

import ast
from dataclasses import replace

from libdrift.languages.python.usage import parsed
from libdrift.mining.examples.extracting import DocExample, DocStatement


def as_value(example: DocExample, at: int) -> tuple[DocExample, int]:
    """The example with `for x in xs: print(f(x))` at a place as `[f(x) for x in xs]`.

    Other such loops are left out: nothing that comes later needs them.
    """
    kept: list[DocStatement] = []
    place = at
    for number, statement in enumerate(example.statements):
        code = _as_value(statement.code)
        if number == at:
            place = len(kept)
        if number == at or code == statement.code:
            kept.append(replace(statement, code=code))
    return replace(example, statements=tuple(kept)), place


def _as_value(code: str) -> str:
    tree = parsed(code)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.For):
        return code
    listed = _listed(tree.body[0], [])
    return code if listed is None else ast.unparse(listed)


def _listed(loop: ast.For, outer: list[ast.comprehension]) -> ast.ListComp | None:
    """A list in place of loops within one another that do nothing but print."""
    if loop.orelse or len(loop.body) != 1:
        return None
    loops = [*outer, ast.comprehension(loop.target, loop.iter, [], is_async=0)]
    match loop.body[0]:
        case ast.For() as inner:
            return _listed(inner, loops)
        case ast.Expr(
            value=ast.Call(func=ast.Name(id="print"), args=[_, *_] as values, keywords=[])
        ) if not any(isinstance(value, ast.Starred) for value in values):
            shown = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
            return ast.ListComp(shown, loops)
        case _:
            return None
