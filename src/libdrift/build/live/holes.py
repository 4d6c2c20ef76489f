"""The one place in a program where an API is used: what is left out there, and what is shown."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from libdrift.build.live.programs import FORMS
from libdrift.records import Change

_WRAPPERS = {"str": "text", **{name: name for name in ("list", "tuple", "set", "dict", "sorted")}}


@dataclass(frozen=True, slots=True)
class Introduction:
    """A symbol that a release brought, or a parameter of one; or one that it only has."""

    path: str
    parameter: str = ""
    change: Change | None = None  # none of what both releases have alike

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def hidden(self) -> str:
        return self.parameter or self.last

    @property
    def key(self) -> str:
        return f"{self.path}({self.parameter})" if self.parameter else self.path


@dataclass(frozen=True, slots=True)
class Hole:
    """The one expression of a program that uses the API, by where it stands in the code."""

    begin: int
    end: int
    statement: tuple[int, int]
    receiver: str  # what it is called on, or read from; empty for a module's own
    arguments: tuple[str, ...] | None  # None of what is read, and not called
    value: str  # of the parameter that is asked for
    fills_statement: bool  # the statement binds or returns it, and does nothing else
    is_last: bool  # and returns it: nothing follows
    follows: int = 0  # the end of the return that only gives back what it binds
    form: str = "value"  # in which the result is returned there: as `FORMS` has it, or `sorted`


def hole_in(code: str, form: str, asked: Introduction) -> Hole | str:
    """The expression that is to be left out; or why there is not just one."""
    tree = ast.parse(code)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    names = {asked.last}
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.name.rpartition(".")[2] == asked.last:
            names.add(node.asname or asked.last)
    found = [
        (statement, node)
        for statement in function.body
        for node in _uses_of(statement, names, asked)
    ]
    if len(found) != 1:
        return "it is used more than once" if found else "its use cannot be told"
    statement, expression = found[0]
    return _hole(code, function, statement, expression, form, asked)


def _uses_of(statement: ast.stmt, names: set[str], asked: Introduction) -> Iterator[ast.expr]:
    called = {id(node.func): node for node in ast.walk(statement) if isinstance(node, ast.Call)}
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in names:
                call = called.get(id(node))
                if not asked.parameter:
                    yield call or node
                elif call and any(one.arg == asked.parameter for one in call.keywords):
                    yield call
            case _:
                pass


def _hole(
    code: str,
    function: ast.FunctionDef,
    statement: ast.stmt,
    expression: ast.expr,
    form: str,
    asked: Introduction,
) -> Hole | str:
    if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.walk(statement)):
        return "it is used in a definition"
    spans = _Spans(code)
    begin, end = spans.of(expression)
    receiver, arguments, value = _given(code, spans, expression, asked)
    held = statement.value if isinstance(statement, ast.Assign | ast.Return | ast.Expr) else None
    is_return = isinstance(statement, ast.Return)
    returned = "value"
    if is_return and held is not None:
        held, returned = _unwrapped(held, form)
    fills = held is expression
    follows = 0
    rest = function.body[function.body.index(statement) + 1 :]
    if fills and len(rest) == 1 and isinstance(statement, ast.Assign):
        follows, returned = _given_back(spans, statement, rest[0], form)
    return Hole(
        begin, end, spans.of(statement), receiver, arguments, value, fills,
        is_last=fills and is_return, follows=follows, form=returned,
    )  # fmt: skip


def _given_back(spans: _Spans, bound: ast.Assign, last: ast.stmt, form: str) -> tuple[int, str]:
    """The end of a return of nothing but what was bound before, and in which form."""
    match bound.targets, last:
        case [ast.Name(id=name)], ast.Return(value=ast.expr() as value):
            inner, returned = _unwrapped(value, form)
            if isinstance(inner, ast.Name) and inner.id == name:
                return spans.of(last)[1], returned
        case _:
            pass
    return 0, "value"


def _unwrapped(value: ast.expr, form: str) -> tuple[ast.expr, str]:
    """A returned value without what only gives it as plain data; and what that is."""
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[], keywords=[]) if (
            name == form and FORMS.get(form, "").startswith("{}.")
        ):
            return inner, form
        case ast.Call(func=ast.Name(id=name), args=[ast.expr() as inner], keywords=[]) if (
            name in _WRAPPERS
        ):
            return inner, _WRAPPERS[name]
        case _:
            return value, "value"


def _given(
    code: str, spans: _Spans, expression: ast.expr, asked: Introduction
) -> tuple[str, tuple[str, ...] | None, str]:
    """What it is called on, what it is called with, and the value of the parameter asked for."""
    named = expression.func if isinstance(expression, ast.Call) else expression
    receiver = spans.text(named.value) if isinstance(named, ast.Attribute) else ""
    root = receiver.partition(".")[0].partition("(")[0]
    if root in _imported(code) and receiver.replace(".", "").isidentifier():
        receiver = ""
    if not isinstance(expression, ast.Call):
        return receiver, None, ""
    value = ""
    arguments = [spans.text(one) for one in expression.args]
    for keyword in expression.keywords:
        text = spans.text(keyword.value)
        if keyword.arg == asked.parameter and asked.parameter:
            value = text
        else:
            arguments.append(f"{keyword.arg}={text}" if keyword.arg else f"**{text}")
    return receiver, tuple(" ".join(one.split()) for one in arguments), value


def _imported(code: str) -> set[str]:
    return {
        item.asname or item.name.partition(".")[0]
        for node in ast.parse(code).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for item in node.names
    }


class _Spans:
    """Positions as the parser counts them; programs are ASCII, so bytes are characters."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._starts = [0]
        for line in code.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        begin = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return begin, end

    def text(self, node: ast.expr) -> str:
        begin, end = self.of(node)
        return self._code[begin:end]


def shown_without(code: str, span: tuple[int, int], mark: str, asked: Introduction) -> str:
    """The program with a mark in place of a part, and without imports of what is asked for."""
    begin, end = span
    masked = code[:begin] + mark + code[end:]
    if asked.parameter:
        return masked
    # Imports come first: up to the function's head nothing is masked.
    head, found, rest = masked.partition("\n\n\ndef ")
    if not found:
        return masked
    kept = [
        line for line in (_import_without(one, asked.last) for one in head.splitlines()) if line
    ]
    return "\n".join(kept) + found + rest if kept else f"def {rest}"


def _import_without(line: str, name: str) -> str:
    """An import statement without one name; empty if it is of that name alone."""
    try:
        (node,) = ast.parse(line).body
    except (SyntaxError, ValueError):
        return line
    match node:
        case ast.ImportFrom(module=module, names=names):
            kept = [one for one in names if one.name != name]
            if len(kept) == len(names):
                return line
            return ast.unparse(ast.ImportFrom(module, kept, node.level)) if kept else ""
        case ast.Import(names=names):
            kept = [
                one for one in names if one.name.rpartition(".")[2] != name or "." not in one.name
            ]
            return line if len(kept) == len(names) else ""
        case _:
            return line
