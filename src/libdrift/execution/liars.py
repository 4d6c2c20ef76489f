"""Liars: answers that know nothing, and agree with whatever tests may ask.

Tests that an answer never meets still prove little if anything satisfies them: ``assert f(x)``
holds for whoever returns ``True``. So a task's tests are tried on liars first. Those that a liar
passes are known to tell less, and their verdicts say so.
"""

from __future__ import annotations

import ast

_RETURNS = {
    "true": "True",
    "nothing": "None",
    "zero": "0",
    "no text": "''",
    "first argument": "next(iter([*given, *named.values()]), None)",
    "empty list": "[]",
    "empty array": "_empty_array()",
    "agreeable object": "_Agreeable()",
    "erased argument": "_erased([*given, *named.values()])",
}

_TOOLS = """
def _empty_array():
    try:
        import numpy
    except ImportError:
        return ()
    return numpy.empty(0)


class _Agreeable:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given, **named):
        return self

    def __iter__(self):
        return iter(())

    def _yes(self, *given):
        return True

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _yes

    def __len__(self):
        return 0

    def __hash__(self):
        return 0

    def __getitem__(self, key):
        return self

    def __str__(self):
        return str()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def _erased(given):
    for value in given:
        if isinstance(value, (list, dict, set, bytearray)):
            value.clear()
        elif hasattr(value, "fill"):
            try:
                value.fill(0)
            except Exception:
                pass
    return given[0] if given else None


def _lie(*given, **named):
    return RETURNED
"""


def liars(reference: str) -> dict[str, str]:
    """Programs that lie under the names that a reference defines, by what they return."""
    try:
        tree = ast.parse(reference)
    except (SyntaxError, ValueError):
        return {}
    imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    functions, values = _names(tree)
    opening = ast.unparse(ast.Module(body=list(imports), type_ignores=[]))
    lines = [*(f"{name} = _lie" for name in functions), *(f"{name} = _lie()" for name in values)]
    return {
        kind: "\n".join([opening, _TOOLS.replace("RETURNED", value), *lines, ""])
        for kind, value in _RETURNS.items()
    }


def _names(tree: ast.Module) -> tuple[list[str], list[str]]:
    """What a module defines to be called, and what it assigns."""
    functions: list[str] = []
    values: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            functions.append(node.name)
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                called = isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
                (functions if called else values).append(inner.id)
    return list(dict.fromkeys(functions)), list(dict.fromkeys(values))
