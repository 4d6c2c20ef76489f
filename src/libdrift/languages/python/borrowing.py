"""Names that code gives to a class or module in bulk, where the names are written out.

``@inherit_names(["year"] + Other._fields, Other)`` on a class, and loops over literal tables with
``globals()[name] = …`` or ``setattr(Class, name, …)``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from libdrift.languages.python.expressions import called, dotted

REFERENCE = "@"  # marks an item that is not a name but where more names are: "@Other._fields"
_NAMESPACES = ("globals", "locals", "vars")
_GIVES = re.compile(r"inherit|delegate|borrow|proxy|forward", re.IGNORECASE)


def borrowed(decorators: Iterable[ast.expr]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What decorators of a class take from another: that class's name, and names."""
    for node in decorators:
        if not isinstance(node, ast.Call) or not _GIVES.search(called(node)):
            continue
        owner, items = "", []
        for argument in (*node.args, *(k.value for k in node.keywords if k.arg != "typ")):
            path = dotted(argument)
            if path:
                owner = owner or path
            else:
                items += words(argument)
        if owner and items:
            yield owner, tuple(items)


def words(node: ast.expr | None) -> list[str]:
    """The strings that a list is made of, and references to other lists."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [word for part in node.elts for word in words(part)]
    if isinstance(node, ast.BinOp):
        return words(node.left) + words(node.right)
    if isinstance(node, ast.Starred):
        return words(node.value)
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        left_out = {
            word
            for test in node.generators[0].ifs
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn)
            for word in words(test.comparators[0])
        }
        # A reference cannot be filtered here: its names would come back in.
        return [word for word in words(node.generators[0].iter) if word not in left_out]
    if isinstance(node, ast.Call) and node.args and called(node) in ("list", "tuple", "sorted"):
        return words(node.args[0])
    path = dotted(node)
    return [REFERENCE + path] if path else []


def loop(node: ast.For, known: Mapping[str, ast.expr]) -> dict[str, list[str]]:
    """For each variable of a loop over something written out: the names that it stands for."""
    source: ast.expr | None = node.iter
    keys_and_values = False
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute):
        keys_and_values = source.func.attr == "items"
        if keys_and_values or source.func.attr == "keys":
            source = source.func.value
    if isinstance(source, ast.Name):
        source = known.get(source.id)
    source = _divided(source)
    if isinstance(source, ast.Call) and source.args:  # frozenset([…])
        source = source.args[0]
    rows: list[list[ast.expr]] = []
    if isinstance(source, ast.Dict):
        pairs = zip(source.keys, source.values, strict=True)
        rows = [[k, v] if keys_and_values else [k] for k, v in pairs if k is not None]
    elif isinstance(source, (ast.List, ast.Tuple, ast.Set)):
        rows = [list(e.elts) if isinstance(e, ast.Tuple) else [e] for e in source.elts]
    variables = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    found: dict[str, list[str]] = {}
    for position, variable in enumerate(variables):
        if isinstance(variable, ast.Name):
            cells = [row[position] for row in rows if position < len(row)]
            found[variable.id] = [name for name in map(_name, cells) if name]
    return found


def _divided(node: ast.expr | None) -> ast.expr | None:
    """``"a b".split()`` as the list that it makes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.args:
        return node
    text = node.func.value
    if node.func.attr != "split" or not isinstance(text, ast.Constant):
        return node
    return ast.List([ast.Constant(word) for word in str(text.value).split()])


def exposed(node: ast.For, values: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Enumerations whose members become names of a class, or of the module (nothing).

    ``for enum in (A, B): for item in enum: setattr(module, item.name, item.value)``, and
    ``for item in A: setattr(Class, item.name, item)``.
    """
    yield from ((owner, dotted(node.iter)) for owner in _handed(node) if dotted(node.iter))
    for inner in ast.walk(ast.Module(node.body, [])):
        if isinstance(inner, ast.For) and next(_handed(inner), None) is not None:
            yield from (("", name) for name in values.get(dotted(inner.iter), ()))


def _handed(node: ast.For) -> Iterator[str]:
    """What gets names from the items that a loop is over."""
    item = dotted(node.target)
    for inner in ast.walk(ast.Module(node.body, [])):
        if isinstance(inner, ast.Call) and called(inner) == "setattr" and len(inner.args) > 1:
            label = dotted(inner.args[1])
            yield from (dotted(inner.args[0]),) if item and label == f"{item}.name" else ()


def _name(cell: ast.expr) -> str:
    if isinstance(cell, ast.Constant):
        text = cell.value if isinstance(cell.value, str) else ""
        return text if text.isidentifier() else ""
    return dotted(cell).rpartition(".")[2]  # np.sin, whose __name__ the loop may take


def _written(node: ast.expr, stands: Mapping[str, list[str]]) -> list[str]:
    """The names that an expression stands for: a variable, `"set_" + name`, `f"set_{name}"`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts: list[ast.expr] = [node.left, node.right]
    elif isinstance(node, ast.JoinedStr):
        parts = [v.value if isinstance(v, ast.FormattedValue) else v for v in node.values]
    else:
        return stands.get(dotted(node), [])
    found = [""]
    for part in parts:
        own = [_constant(part)] if isinstance(part, ast.Constant) else _written(part, stands)
        found = [before + name for before in found for name in own]
    return [name for name in found if name.isidentifier()]


def additions(
    node: ast.For, values: Mapping[str, list[str]], makers: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """(owner, name) for each name that the loop's body gives: owner is a class, or nothing.

    ``makers`` are functions of the module that bind the name which they are given.
    """
    stands = dict(values)
    for inner in ast.walk(ast.Module(node.body, [])):
        if isinstance(inner, ast.Assign):
            target, value = inner.targets[0], inner.value
            if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
                if value.attr == "__name__" and dotted(value.value) in stands:
                    stands[target.id] = stands[dotted(value.value)]
            elif isinstance(target, ast.Subscript) and called(target.value) in _NAMESPACES:
                yield from (("", name) for name in _written(target.slice, stands))
        elif isinstance(inner, ast.Call) and inner.args and called(inner) in makers:
            yield from (("", name) for name in stands.get(dotted(inner.args[0]), ()))
        elif isinstance(inner, ast.Call) and len(inner.args) > 1:
            if called(inner) == "setattr":
                owner = dotted(inner.args[0])
                yield from ((owner, name) for name in _written(inner.args[1], stands))
        elif isinstance(inner, ast.Call) and called(inner) == "__all__.append":
            yield from (("__all__", name) for name in stands.get(dotted(inner.args[0]), ()))


def documented(call: ast.Call) -> list[tuple[str, str, str, str]]:
    """``add_newdoc("module", "name", …)``: (module, name, member, text) of compiled things.

    The third argument is a text, a pair (member, text), a list of such pairs, or a call that is
    given the member's name.
    """
    place, name = (_constant(a) for a in call.args[:2])
    third = call.args[2]
    if not place or not name:
        return []
    if isinstance(third, ast.Constant) and isinstance(third.value, str):
        return [(place, name, "", third.value)]
    pairs = third.elts if isinstance(third, ast.List) else [third]
    found = []
    for pair in pairs:
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:  # noqa: PLR2004
            member, text = (_constant(part) for part in pair.elts)
            found.append((place, name, member, text))
        elif isinstance(pair, ast.Call) and pair.args:
            found.append((place, name, _constant(pair.args[0]), ""))
    return [item for item in found if item[2].isidentifier()]


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
