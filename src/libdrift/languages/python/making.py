"""What functions make of what they are given: wrappers, and members of classes.

``insert = public(Insert)`` is called as ``Insert`` is, if ``public`` copies the signature of its
first argument. ``add_reductions(cls)`` gives a class names that its text does not show: as its
decorator, in a call after it, or for classes below one whose ``__init_subclass__`` calls it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from libdrift.languages.python import borrowing
from libdrift.languages.python.expressions import called, dotted

Function = ast.FunctionDef | ast.AsyncFunctionDef

WRAPS = "wraps"  # the trait of a function that gives back its first argument, wrapped
FILLS = "()"  # the list of names that a function gives to its first argument
MAY_FILL = "(?)"  # of names that it may give, and of functions that it is handed on to
GIVEN_AS_MADE = "()="  # the list of attributes that a metaclass gives to instances
SETS = "="  # among those: it sets names that are made as it runs
_ASIDE = {"getattr", "setattr", "hasattr", "isinstance", "issubclass", "super"}
_COPIES = ("wraps", "update_wrapper")
_ASKS = ("signature", "getfullargspec", "getargspec")
_MAKES = ("exec", "exec_", "eval")


def wraps(node: Function) -> bool:
    """Whether a function gives back another with the signature of its first argument."""
    first = _first(node)
    if not first:
        return False
    nodes = [*ast.walk(node)]
    own = {first}  # and names for parts of it
    asked = made = False
    for inner in nodes:
        if isinstance(inner, ast.Assign):
            if dotted(inner.value).partition(".")[0] in own:
                own.update(t.id for t in inner.targets if isinstance(t, ast.Name))
            made |= any(getattr(target, "attr", "") == "__signature__" for target in inner.targets)
    for inner in nodes:
        if isinstance(inner, ast.Call):
            last = called(inner).rpartition(".")[2]
            given = [dotted(argument) for argument in inner.args]
            if last in _COPIES and given and given[-1 if last == _COPIES[1] else 0] == first:
                return True
            asked |= last.endswith(_ASKS) and bool(own.intersection(given))
            made |= last in _MAKES
    return asked and made


def fills(node: Function, known: Mapping[str, ast.expr]) -> tuple[str, ...]:
    """Public names that a function sets on its first argument, where they are written out."""
    first = _first(node)
    if not first:
        return ()
    found: dict[str, None] = {}
    values = dict(known)
    for inner in _statements(node.body):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                if isinstance(target, ast.Name):
                    values[target.id] = inner.value
                elif isinstance(target, ast.Attribute) and dotted(target.value) == first:
                    found[target.attr] = None
        elif isinstance(inner, ast.For):
            stands = _stands(inner, values)
            added = borrowing.additions(inner, stands)
            found.update((name, None) for owner, name in added if owner == first)
            if _sets_each(inner, first):
                found.update((f"{borrowing.REFERENCE}{path}", None) for path in _spread(inner.iter))
        elif isinstance(inner, ast.Expr) and called(inner.value) == "setattr":
            call = inner.value
            arguments = call.args if isinstance(call, ast.Call) else []
            if len(arguments) > 1 and dotted(arguments[0]) == first:
                name = arguments[1]
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    found[name.value] = None
    return tuple(
        name
        for name in found
        if name.startswith(borrowing.REFERENCE) or (name.isidentifier() and name[0] != "_")
    )


def may_fill(node: Function) -> tuple[str, ...]:
    """What a function that is handed a class may give it, where a table of names is made.

    Those are the keys of its dictionaries; ``@other`` is a function that it calls with the class.
    """
    first = _first(node)
    found: dict[str, None] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Dict):
            keys = (key.value for key in inner.keys if isinstance(key, ast.Constant))
            found.update((key, None) for key in keys if isinstance(key, str) and key.isidentifier())
        elif isinstance(inner, ast.Call) and inner.args and dotted(inner.args[0]) == first:
            name = called(inner)
            if name == "setattr" and not isinstance(inner.args[1], ast.Constant):
                found[SETS] = None
            elif name and name not in _ASIDE:
                found[f"{borrowing.REFERENCE}{name}"] = None
    return tuple(found)


def given_as_made(node: Function) -> Iterator[str]:
    """Attributes that the ``__call__`` of a metaclass gives to what it makes."""
    own = {item.arg for item in node.args.args}
    for inner in ast.walk(node):
        for target in inner.targets if isinstance(inner, ast.Assign) else ():
            match target:
                case ast.Attribute(ast.Name(name), label) if name not in own and label[0] != "_":
                    yield label


def _sets_each(node: ast.For, owner: str) -> bool:
    """Whether a loop sets what its first variable names on an object."""
    target = node.target.elts[0] if isinstance(node.target, ast.Tuple) else node.target
    return any(
        isinstance(inner, ast.Call)
        and called(inner) == "setattr"
        and len(inner.args) > 1
        and [dotted(argument) for argument in inner.args[:2]] == [owner, dotted(target)]
        for inner in ast.walk(ast.Module(node.body, []))
    )


def _spread(node: ast.expr) -> Iterator[str]:
    """Classes all of whose names a loop is over: ``A.__dict__.items()``, ``vars(A)``."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and inner.attr == "__dict__" and dotted(inner.value):
            yield dotted(inner.value)
        elif isinstance(inner, ast.Call) and called(inner) in ("vars", "dir") and inner.args:
            yield from filter(None, [dotted(inner.args[0])])


def binds(node: Function) -> bool:
    """Whether a function binds a name of its module that its first argument says."""
    first = _first(node)
    targets = (
        target
        for inner in ast.walk(node)
        if isinstance(inner, ast.Assign)
        for target in inner.targets
        if isinstance(target, ast.Subscript) and called(target.value) == "globals"
    )
    return bool(first) and any(dotted(target.slice) == first for target in targets)


def fillers(node: Function) -> Iterator[str]:
    """Functions that ``__init_subclass__`` hands the new class to."""
    first = _first(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and inner.args and dotted(inner.args[0]) == first:
            name = called(inner)
            if name and name not in _ASIDE:
                yield name


def globals_of(node: Function) -> Iterator[ast.stmt]:
    """Statements of a function that bind names of its module, as ones of the module itself."""
    own: set[str] = set()
    for inner in _statements(node.body):
        if isinstance(inner, ast.Global):
            own.update(inner.names)
        elif isinstance(inner, ast.ImportFrom):
            names = [item for item in inner.names if (item.asname or item.name) in own]
            if names:
                yield ast.ImportFrom(inner.module, names, inner.level)


def given_by(node: Function) -> Iterator[tuple[str, str, str]]:
    """``module.name = thing`` in a function that imports the module: what it gives, and to whom."""
    own: set[str] = set()
    for inner in _statements(node.body):
        if isinstance(inner, ast.ImportFrom):
            own.update(item.asname or item.name for item in inner.names)
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                if isinstance(target, ast.Attribute) and dotted(target.value) in own:
                    yield dotted(target.value), target.attr, dotted(inner.value)


def _first(node: Function) -> str:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments else ""


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.With, ast.Try)):
            yield from _statements(node.body)


def _stands(node: ast.For, values: Mapping[str, ast.expr]) -> dict[str, list[str]]:
    """As ``borrowing.loop``, of lists that are joined or made from other lists too."""
    found = borrowing.loop(node, values)
    if any(found.values()):
        return found
    target = node.target
    variables = target.elts if isinstance(target, ast.Tuple) else [target]
    rows = [*_rows(node.iter, values, 0)]
    for at, variable in enumerate(variables):
        if isinstance(variable, ast.Name):
            found[variable.id] = [row[at] for row in rows if at < len(row) and row[at]]
    return found


def _rows(node: ast.expr, values: Mapping[str, ast.expr], depth: int) -> Iterator[list[str]]:
    """The rows of a table, each with the strings that its cells are; nothing for other cells."""
    if depth > 5:  # noqa: PLR2004  (a name that stands for itself)
        return
    if isinstance(node, ast.Name) and node.id in values:
        yield from _rows(values[node.id], values, depth + 1)
    elif isinstance(node, ast.BinOp):
        yield from _rows(node.left, values, depth + 1)
        yield from _rows(node.right, values, depth + 1)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from (_cells(item, {}) for item in node.elts)
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
        source = node.generators[0]
        if isinstance(source.target, ast.Name) and not source.ifs:
            for row in _rows(source.iter, values, depth + 1):
                yield _cells(node.elt, {source.target.id: row[0] if row else ""})


def _cells(node: ast.expr, names: Mapping[str, str]) -> list[str]:
    cells = node.elts if isinstance(node, ast.Tuple) else [node]
    return [
        cell.value
        if isinstance(cell, ast.Constant) and isinstance(cell.value, str)
        else names.get(dotted(cell), "")
        for cell in cells
    ]
