"""Old names of parameters that a decorator still takes: ``@transition("seed")`` on ``f(rng)``.

What a decorator does is told by its own code: it looks for the name that it is given among the
keywords, and puts what it finds under another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from libdrift.languages.python.expressions import called, dotted
from libdrift.languages.python.parsed import Definition, ParsedReference
from libdrift.records import Deprecation, Signature

TOLD = "@"  # the list of decorators that are told a name, each with the name
RENAMES = "@="  # of a function that makes such a decorator: the new name

Function = ast.FunctionDef | ast.AsyncFunctionDef


def told_names(decorators: Sequence[ast.expr], taken: Signature) -> tuple[str, ...]:
    """``module.decorator=name`` of decorators whose first argument is no parameter's name."""
    known = {item.name for item in taken.parameters}
    return tuple(f"{called(node)}={name}" for node, name in _named(decorators) if name not in known)


def _named(decorators: Sequence[ast.expr]) -> Iterator[tuple[ast.expr, str]]:
    for node in decorators:
        match node:
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if name.isidentifier():
                yield node, name


def renames(node: Function, known: Mapping[str, ast.expr]) -> tuple[str, ...]:
    """The name under which a decorator puts what it finds under the one that it is told first."""
    first = node.args.args[0].arg if node.args.args else ""
    values = dict(known)
    for inner in ast.walk(node):
        match inner:
            case ast.Assign([ast.Name(name)], value):
                values[name] = value
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(
                [ast.Subscript(slice=new)], ast.Call(ast.Attribute(_, "pop"), [old, *_])
            ):
                said = values.get(dotted(new), new)
                if first and dotted(old) == first and isinstance(said, ast.Constant):
                    return (str(said.value),)
    return ()


def old_spellings(
    item: Definition, find: Callable[[str], ParsedReference | None]
) -> Iterator[Deprecation]:
    """Those of a function, where its decorators are of this package."""
    taken = {one.name for one in item.signature.parameters} if item.signature else set()
    spoken = {one.parameter for one in item.deprecations}
    for told in item.lists.get(TOLD, ()):
        path, _, name = told.partition("=")
        maker = find(path)
        lists = maker.definition.lists if maker is not None and maker.definition else {}
        for new in lists.get(RENAMES, ()):
            if new in taken and name not in spoken:
                yield Deprecation("decorator", replacement=new, parameter=name)
