"""What the code of a deprecated function does instead: the call of its successor, as a template.

``def iteritems(self): warn(…); yield from self.items()`` tells ``{self}.items({...})``. In a
template ``{name}`` is an argument, ``{self}`` what a method is called on, and ``{...}`` all
arguments that it does not name.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from libdrift.languages.python.expressions import called
from libdrift.records import Deprecation

WARNS = re.compile(r"(?:^|[._])warn(?:ing|ings)?(?:_\w+)?$|deprecat|warn_external", re.IGNORECASE)
_REST = "{...}"
_LONG = 200  # characters: what is longer is no other way to say the same
_ASIDE = re.compile(r"(?:^|[._])(?:log|logger|logging|print)(?:[._]|$)")
# What cannot be written with braces around names, or has a meaning only where it stands.
_UNFIT = (ast.Dict, ast.Set, ast.JoinedStr, ast.DictComp, ast.SetComp, ast.Lambda, ast.NamedExpr)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_template(
    told: tuple[Deprecation, ...], node: Function, imported: Mapping[str, str], *, bound: bool
) -> tuple[Deprecation, ...]:
    """The evidence, with what the function calls instead in the first that is of all of it."""
    for at, evidence in enumerate(told):
        if not evidence.parameter and not evidence.conditional:
            found = template(node, imported, bound=bound)
            return (*told[:at], replace(evidence, template=found), *told[at + 1 :])
    return told


def parameter_given(block: Sequence[ast.stmt], old: str, parameters: set[str]) -> str:
    """The parameter that is given the value of an old one: ``new = old`` beside the warning."""
    for statement in block:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        if not _is_value_of(statement.value, old):
            continue
        target = statement.targets[0]
        if isinstance(target, ast.Name) and target.id in parameters - {old}:
            return target.id
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            key = target.slice.value  # kwargs["new"] = kwargs.pop("old")
            if isinstance(key, str) and key.isidentifier() and key != old:
                return key
    return ""


def _is_value_of(value: ast.expr, name: str) -> bool:
    if isinstance(value, ast.Name):
        return value.id == name
    if isinstance(value, ast.Call) and called(value).endswith(".pop") and value.args:
        value = value.args[0]
    elif isinstance(value, ast.Subscript):
        value = value.slice
    else:
        return False
    return isinstance(value, ast.Constant) and value.value == name


@dataclass(slots=True)
class _Code:
    """What a function does, without warnings."""

    results: list[ast.expr] = field(default_factory=list)
    local: dict[str, ast.expr] = field(default_factory=dict)  # names assigned once
    imported: dict[str, str] = field(default_factory=dict)
    is_plain: bool = True


def template(node: Function, imported: Mapping[str, str], *, bound: bool) -> str:
    """The one expression that a function evaluates, over its parameters; empty if it does more.

    ``imported`` are full paths of what its module imports.
    """
    positional = [*node.args.posonlyargs, *node.args.args]
    own = positional[0].arg if bound and positional else ""
    code = _Code(imported=dict(imported))
    for statement in node.body:
        _read(statement, code)
    if not code.is_plain or len(code.results) != 1:
        return ""
    names = [item.arg for item in positional if item.arg != own]
    arguments = _Arguments(
        own,
        names,
        [item.arg for item in node.args.kwonlyargs],
        node.args.vararg.arg if node.args.vararg else "",
        node.args.kwarg.arg if node.args.kwarg else "",
    )
    if code.local.keys() & {own, *arguments.all}:
        return ""
    for name in (own, *arguments.all, *code.local):
        code.imported.pop(name, None)
    expression = _Inlined(code).visit(copy.deepcopy(code.results[0]))
    if not _is_public(expression) or isinstance(expression, ast.Constant):
        return ""
    found = _written(expression, arguments)
    return found if len(found) <= _LONG else ""


def _read(statement: ast.stmt, code: _Code) -> None:
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global():
            return
        case ast.Import() | ast.ImportFrom():
            _import(statement, code)
        case ast.With(body=body, items=items) if all(
            "warn" in called(i.context_expr) for i in items
        ):
            for inner in body:
                _read(inner, code)
        case ast.If(body=body, orelse=[]) if all(_is_aside(inner) for inner in body):
            return
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            code.is_plain = code.is_plain and name not in code.local and not code.results
            code.local[name] = value
        case ast.Return(value=value) | ast.Expr(value=value) if value is not None:
            if not _is_aside(statement):
                code.is_plain = code.is_plain and not code.results
                code.results.append(_awaited(value))
        case _:
            code.is_plain = False


def _is_aside(statement: ast.stmt) -> bool:
    """A warning, a line of a log, a message for one."""
    if isinstance(statement, ast.Assign):
        value = statement.value
        return isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and isinstance(value.value, str)
        )
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    name = called(statement.value)
    return bool(WARNS.search(name) or _ASIDE.search(name))


def _awaited(value: ast.expr) -> ast.expr:
    while isinstance(value, ast.Await | ast.YieldFrom):
        value = value.value
    return value


def _import(statement: ast.Import | ast.ImportFrom, code: _Code) -> None:
    for alias in statement.names:
        whole = alias.name
        if isinstance(statement, ast.ImportFrom):
            # What a dot stands for the file does not say: the name alone is looked for.
            near = statement.level or not statement.module
            whole = alias.name if near else f"{statement.module}.{alias.name}"
        if alias.asname or isinstance(statement, ast.ImportFrom):
            code.imported[alias.asname or alias.name] = whole


class _Inlined(ast.NodeTransformer):
    """Names that the function assigned or imported, as what they stand for."""

    def __init__(self, code: _Code) -> None:
        self.code = code
        self.depth = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.code.imported:
            return ast.Name(self.code.imported[node.id])
        value = self.code.local.get(node.id)
        if value is None or self.depth > 4:  # noqa: PLR2004
            return node
        self.depth += 1
        found: ast.expr = self.visit(copy.deepcopy(value))
        self.depth -= 1
        return found


def _is_public(expression: ast.expr) -> bool:
    """Whether others can write it: no private name, no `super()`, nothing that needs its place."""
    for node in ast.walk(expression):
        if isinstance(node, _UNFIT):
            return False
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            return False
        if isinstance(node, ast.Name) and any(
            part.startswith("_") or part in ("super", "NotImplemented", "locals")
            for part in node.id.split(".")
        ):
            return False
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{" in node.value:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Arguments:
    own: str  # self
    positional: Sequence[str]
    keyword_only: Sequence[str]
    variadic: str
    keywords: str

    @property
    def all(self) -> list[str]:
        return [*self.positional, *self.keyword_only, *filter(None, (self.variadic, self.keywords))]


def _written(expression: ast.expr, arguments: _Arguments) -> str:
    if isinstance(expression, ast.Call):
        expression = _collapsed(expression, arguments)
    named = {name: "self" if name == arguments.own else name for name in arguments.all}
    if arguments.own:
        named[arguments.own] = "self"
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and node.id in named:
            node.id = f"{{{named[node.id]}}}"
    return ast.unparse(ast.fix_missing_locations(expression)).replace(f"**{_REST}", _REST)


def _collapsed(call: ast.Call, arguments: _Arguments) -> ast.Call:
    """A call with ``{...}`` for the arguments that it passes on as they are.

    What can be given by position, and is passed on by name, keeps its name: whether it has the
    same place there is not known here.
    """
    used = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    if not used.issuperset(arguments.all):
        return call  # some argument is dropped, and must not be among the rest
    given = [item.value if isinstance(item, ast.Starred) else item for item in call.args]
    names = [item.id if isinstance(item, ast.Name) else "" for item in given]
    expected = [*arguments.positional, *filter(None, [arguments.variadic])]
    kept = [item for item in call.keywords if not _is_passed_on(item, arguments)]
    passes_all = names == expected[: len(names)] and not kept
    by_name = {item.arg for item in call.keywords} & {*arguments.positional}
    if passes_all and by_name:
        kept = [item for item in call.keywords if item.arg in by_name]
        passes_all = False
    rest = [ast.keyword(arg=None, value=ast.Name(_REST))]
    if not passes_all and len(kept) == len(call.keywords):
        rest = []  # nothing is left for it
    return ast.Call(call.func, [] if passes_all else call.args, [*kept, *rest])


def _is_passed_on(item: ast.keyword, arguments: _Arguments) -> bool:
    if not isinstance(item.value, ast.Name):
        return False
    name = item.value.id
    return item.arg == name or (item.arg is None and name == arguments.keywords)
