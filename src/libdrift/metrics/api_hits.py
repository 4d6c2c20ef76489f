"""API hit rate: does an answer call everything that the ground truth calls?

A *hit* is an answer whose calls include every call of the ground truth. Two modes:

``fixed`` (the default of libdrift). Both sides are read from the syntax tree, and names are
resolved through the imports that are in force where the call stands. An answer that cannot be
parsed is a miss. A ground truth without calls says nothing: the answer is left out, and counted.
The ground truth hits itself, always.

``released`` gives what the authors' released program gives, with its defects. The ground truth is
found by a pattern that also sees calls in comments, strings and keywords, and that resolves only
imports of one name on a line. Answers are read from the syntax tree, with ``import a.b`` taken to
rename ``a``. Answers that cannot be parsed leave the denominator, and an empty ground truth hits.
The published ground truth hits itself on 277 of 328 problems.

In both modes a call on a value (``frame.plot()``) keeps the variable's name, and a call on a
call's result (``f(x).g()``) is known by its last name only: no type is inferred.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

_NAME = r"[A-Za-z_]\w*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
# Blanks may run over line ends here, on purpose: starting code is often cut inside an import,
# and the published ground truth was found that way.
_IMPORT = re.compile(
    rf"^\s*(?:import\s+(?P<module>{_DOTTED})(?:\s+as\s+(?P<as>\w+))?"
    rf"|from\s+(?P<from>{_DOTTED})\s+import\s+(?P<name>{_NAME})(?:\s+as\s+(?P<known>\w+))?)\s*$",
    re.MULTILINE,
)
_CALL = re.compile(rf"\b({_DOTTED})\s*\(")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def hit(truth: Collection[str], code: str) -> bool | None:
    """Whether a program calls all of ``truth``; ``None`` (left out) if that is empty."""
    if not truth:
        return None
    found = calls(code)
    return found is not None and set(truth) <= found


def truth_calls(starter: str, reference: str) -> frozenset[str]:
    """The calls that a solution adds: those of the reference, without what the starter gave.

    Starting code often ends in the middle of a statement, so neither it nor the solution can be
    parsed alone. The whole reference is parsed, and a call belongs to the solution if its name
    ends behind the text that starter and reference have in common. Names are resolved with all
    imports of the reference, the starter's too. A reference that cannot be parsed has no calls.
    """
    starter, reference = _lines(starter), _lines(reference)
    tree = _parse(reference)
    if tree is None:
        return frozenset()
    pairs = enumerate(zip(starter, reference, strict=False))
    shorter = min(len(starter), len(reference))
    common = reference[: next((i for i, (a, b) in pairs if a != b), shorter)]
    # The syntax tree counts lines from 1, and columns in bytes.
    end = (common.count("\n") + 1, len(common.rpartition("\n")[2].encode()))
    return frozenset(
        name
        for call, scope in _scoped_calls(tree)
        if _end(call.func) > end and (name := _name(call.func, scope))
    )


def calls(code: str) -> frozenset[str] | None:
    """All names that a program calls, in full; ``None`` if it cannot be parsed."""
    tree = _parse(_lines(code))
    if tree is None:
        return None
    named = (_name(call.func, scope) for call, scope in _scoped_calls(tree))
    return frozenset(name for name in named if name)


def released_hit(truth: Collection[str], code: str) -> bool | None:
    """As released: ``None`` if the program cannot be parsed, and an empty ``truth`` is a hit."""
    found = released_calls(code)
    return None if found is None else set(truth) <= found


def released_truth_calls(starter: str, solution: str) -> frozenset[str]:
    """As released: whatever in the solution's text looks like a call, comments included."""
    text = f"{starter}\n{solution}"
    aliases: dict[str, str] = {}  # of imports in both forms the last one counts
    for match in _IMPORT.finditer(text):
        if module := match["module"]:
            aliases[match["as"] or module.partition(".")[0]] = module
        else:
            aliases[match["known"] or match["name"]] = f"{match['from']}.{match['name']}"
    found = set()
    for match in _CALL.finditer(solution):
        head, dot, rest = match[1].partition(".")
        found.add(aliases.get(head, head) + dot + rest)
    return frozenset(found)


def released_calls(code: str) -> frozenset[str] | None:
    """As released: names that are called, through the imports that stand before the call."""
    tree = _parse(code)
    if tree is None:
        return None
    scope = _Scope()
    found = set()
    for node in _preorder(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                scope.names[item.asname or item.name.partition(".")[0]] = item.name
        elif isinstance(node, ast.ImportFrom):
            for item in node.names:
                module = f"{node.module}." if node.module else ""
                scope.names[item.asname or item.name] = module + item.name
        elif isinstance(node, ast.Call):
            found.add(_name(node.func, scope))
    return frozenset(name for name in found if name)


@dataclass(slots=True)
class _Scope:
    """What names stand for in one function, class or module."""

    names: dict[str, str] = field(default_factory=dict)
    outer: _Scope | None = None

    def resolve(self, name: str) -> str:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return name


def _scoped_calls(tree: ast.AST) -> list[tuple[ast.Call, _Scope]]:
    """Every call with its scope. Read the scopes afterwards: an import may follow its use."""
    found = []
    todo: list[tuple[ast.AST, _Scope]] = [(tree, _Scope())]
    while todo:
        node, scope = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            _bind(node, scope)
        elif isinstance(node, ast.Call):
            found.append((node, scope))
        if isinstance(node, _Function | ast.ClassDef | ast.Lambda):
            inner = _Scope(outer=scope)
            body = node.body if isinstance(node.body, list) else [node.body]
            todo += [(child, inner) for child in body]
            if not isinstance(node, ast.ClassDef):
                # A parameter hides an import of the same name.
                arguments = [a for a in ast.walk(node.args) if isinstance(a, ast.arg)]
                inner.names |= {argument.arg: argument.arg for argument in arguments}
            # Decorators, defaults and bases are read outside.
            inside = {id(child) for child in body}
            rest = [child for child in ast.iter_child_nodes(node) if id(child) not in inside]
            todo += [(child, scope) for child in rest]
        else:
            todo += [(child, scope) for child in ast.iter_child_nodes(node)]
    return found


def _bind(node: ast.Import | ast.ImportFrom, scope: _Scope) -> None:
    for item in node.names:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (f"{node.module}." if node.module else "")
            scope.names[item.asname or item.name] = module + item.name
        elif item.asname:
            scope.names[item.asname] = item.name
        else:
            # `import a.b` binds `a`, which is `a`.
            head = item.name.partition(".")[0]
            scope.names[head] = head


def _name(function: ast.expr, scope: _Scope) -> str:
    """The dotted name of what is called; empty if it has none, as in ``table[0]()``."""
    parts = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name):
        parts.append(scope.resolve(function.id))
    return ".".join(reversed(parts))


def _end(node: ast.expr) -> tuple[int, int]:
    return (node.end_lineno or 0, node.end_col_offset or 0)


def _preorder(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes in the order of a recursive visit, without its limit on depth."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(list(ast.iter_child_nodes(node)))


def _lines(code: str) -> str:
    """Line ends as the parser counts them."""
    return code.replace("\r\n", "\n").replace("\r", "\n")


def _parse(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            # An answer's odd escapes are its own affair.
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
