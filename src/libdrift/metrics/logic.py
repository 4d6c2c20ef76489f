"""How much logic a solution holds: the number of its logic nodes.

GitChameleon groups its problems by this number (its Table 15) but released neither program nor
definition; two values are known, 3 for problem 0 and 0 for problem 329. The definition here is
libdrift's own, and gives both.

A logic node is a place of the syntax tree where something is decided or computed:

- control flow: ``if`` (each ``elif`` too), loops, ``try``, ``with``, ``match``, the conditional
  expression, and each ``for`` and ``if`` of a comprehension;
- operators: arithmetic, comparisons, ``and``/``or`` (once for a whole chain), ``not``;
- calls whose result is used, decorators' too. A call that stands alone as a statement only tells
  a library to do something: it counts no more than the name of what is called.

Type annotations hold no logic.
"""

from __future__ import annotations

import ast
import textwrap
import warnings

_FLOW = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
    ast.comprehension,
)
_OPERATORS = (ast.BinOp, ast.AugAssign, ast.Compare, ast.BoolOp)
_ANNOTATIONS = ("annotation", "returns", "type_params")


def logic_nodes(code: str) -> int | None:
    """The number of logic nodes in Python code; ``None`` if it does not parse.

    The inside of a function, still indented, is code too.
    """
    tree = _parse(code)
    if tree is None:
        return None
    count = 0
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Expr):
            # What a lone call or `await` gives is thrown away; what goes into it is not.
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            todo += _parts(value) if isinstance(value, ast.Call) else [value]
            continue
        count += _is_logic(node)
        if isinstance(node, ast.comprehension):
            count += len(node.ifs)
        todo += _parts(node)
    return count


def _is_logic(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, (*_FLOW, *_OPERATORS, ast.Call))


def _parts(node: ast.AST) -> list[ast.AST]:
    parts: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if name not in _ANNOTATIONS:
            values = value if isinstance(value, list) else [value]
            parts += [part for part in values if isinstance(part, ast.AST)]
    return parts


def _parse(code: str) -> ast.Module | None:
    # A part of a function may `return`, which is no mistake to the parser, only to the compiler.
    for text in (code, textwrap.dedent(code)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an answer's odd escapes are its own affair
                return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None
