"""Tests of items that can be run: how they meet an answer, and what they look at.

The paper's tests (its Figure 11) are a ``unittest`` class that calls the answer's function by its
bare name, as if it stood above in the same file. Ours are modules that import the answer; so the
names that such a test takes for granted are imported from there.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from libdrift.languages.python.usage import parsed
from libdrift.records import Split, Tests, TestStyle

MODULE = "answer"
_PYTEST = re.compile(
    r"^\s*(?:(?:async\s+)?def\s+test_|class\s+Test|class\s+\w+\([^)]*\bTestCase\b|import\s+pytest\b)",
    re.MULTILINE,
)
_GIVEN = {*dir(builtins), "__name__", "__file__", "__doc__", "__spec__", "__builtins__"}
# What an assertion looks at, by the word in its name; anything else compares values.
_ASSERTED = {
    "type": re.compile(r"IsInstance$|^isinstance$|^type$"),
    "exception": re.compile(r"Raises|Warns|^raises$|^warns$"),
    "call": re.compile(r"^assert_(?:any_|not_|has_)?(?:called|calls)"),
}
VALUE = "value"
_KINDS = ("call", "exception", "type", VALUE)


def made_of(program: str, reference: str) -> tuple[Tests, ...]:
    """The tests of an item whose right answer is the program ``reference``."""
    if not program.strip():
        return ()
    if not _PYTEST.search(program):
        return (Tests(Split.HIDDEN, TestStyle.SCRIPT, program),)
    return (Tests(Split.HIDDEN, TestStyle.PYTEST, _importing(program, reference)),)


def looked_at(program: str, published: str | None = None) -> str | None:
    """What the tests look at, as published; else by what they assert: ``type+value`` is both."""
    if published and published.strip():
        return published.strip().lower()
    tree = parsed(program) if program.strip() else None
    if tree is None:
        return None
    found = set(_asserted(tree))
    return "+".join(kind for kind in _KINDS if kind in found) or None


def _asserted(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            calls = [one for one in ast.walk(node.test) if isinstance(one, ast.Call)]
            kinds = {_kind(_called(call)) for call in calls} - {VALUE}
            yield from kinds or {VALUE}
        elif isinstance(node, ast.Call):
            name = _called(node)
            kind = _kind(name)
            if name.startswith(("assert", "fail")) or kind == "exception":
                yield kind


def _kind(name: str) -> str:
    return next((kind for kind, word in _ASSERTED.items() if word.search(name)), VALUE)


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _importing(program: str, reference: str) -> str:
    """The test module with an import of the names that it expects of the answer."""
    tests, answer = parsed(program), parsed(reference)
    if tests is None or answer is None:
        return program
    free = _loaded(tests) - _bound(tests) - _GIVEN
    wanted = sorted(free & _bound(answer, top=True))
    if not wanted:
        return program
    lines = program.splitlines(keepends=True)
    # A docstring and imports from the future come first in any module.
    at = max((node.end_lineno or 0 for node in tests.body if _is_first(node, tests)), default=0)
    lines.insert(at, f"from {MODULE} import {', '.join(wanted)}\n")
    return "".join(lines)


def _is_first(node: ast.stmt, module: ast.Module) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text and node is module.body[0]


def _loaded(tree: ast.AST) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _bound(tree: ast.Module, *, top: bool = False) -> set[str]:
    """The names that a module binds, anywhere in it or at its ``top`` alone."""
    found: set[str] = set()
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
                if top:
                    continue
            case ast.Import() | ast.ImportFrom():
                found |= {one.asname or one.name.partition(".")[0] for one in node.names}
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.arg(arg=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
        todo += ast.iter_child_nodes(node)
    return found
