"""How code calls a name, and whether a signature takes such a call."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass, field, replace

from libdrift.languages.python.usage import Arguments, arguments_of, parsed
from libdrift.records import ParameterKind, Symbol, SymbolKind

_KINDS = {
    ParameterKind.POSITIONAL_ONLY: inspect.Parameter.POSITIONAL_ONLY,
    ParameterKind.POSITIONAL: inspect.Parameter.POSITIONAL_OR_KEYWORD,
    ParameterKind.VARIADIC: inspect.Parameter.VAR_POSITIONAL,
    ParameterKind.KEYWORD_ONLY: inspect.Parameter.KEYWORD_ONLY,
    ParameterKind.KEYWORDS: inspect.Parameter.VAR_KEYWORD,
}
_BOUND = {"classmethod", "staticmethod"}
_Named = ast.Name | ast.Attribute | ast.alias


@dataclass(frozen=True, slots=True)
class CallShape:
    """A name at one place of some code: if it is called, how."""

    call: Arguments | None = None
    receiver: str = field(default="", compare=False)  # the last name in front of the dot


def shapes(code: str, name: str) -> list[CallShape]:
    """How code uses a name, place by place."""
    tree = parsed(code)
    nodes = list(ast.walk(tree)) if tree else []
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    found: list[tuple[tuple[int, int], CallShape]] = []
    for node in nodes:
        if isinstance(node, _Named) and _last(node) == name:
            where = (node.end_lineno or 0, node.end_col_offset or 0)
            found.append((where, _shape(node, calls.get(id(node)))))
    return [shape for _, shape in sorted(found, key=lambda item: item[0])]


def _shape(node: _Named, call: ast.Call | None) -> CallShape:
    if call is None:
        return CallShape()
    inner = node.value if isinstance(node, ast.Attribute) else None
    receiver = _last(inner) if isinstance(inner, ast.Name | ast.Attribute) else ""
    how = arguments_of(call)  # in whatever order keywords are given, it is the same call
    return CallShape(replace(how, keywords=tuple(sorted(how.keywords))), receiver)


def _last(node: _Named) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else node.name.rpartition(".")[2]


def fits(shape: CallShape, symbol: Symbol, owner: str) -> bool:
    """Whether a release takes a call; a signature that is not known for sure takes any.

    ``owner`` is the name of the class, where the symbol is a method: called through that, it is
    given the instance as well.
    """
    call = shape.call
    if call is None or symbol.signature is None or "overloaded" in symbol.traits:
        return True
    names = {item.name for item in symbol.signature.parameters}
    # Old ways to call that a decorator still lets through.
    told = {item.parameter for item in symbol.deprecations} - names
    signature = _signature(symbol)
    if signature is None or told & {"*", *call.keywords}:
        return True
    is_method = symbol.kind is SymbolKind.METHOD and _BOUND.isdisjoint(symbol.traits)
    places = call.positional - (is_method and shape.receiver == owner)
    try:
        bind = signature.bind_partial if call.stars else signature.bind
        bind(*[None] * places, **dict.fromkeys(call.keywords))
    except TypeError:
        return False
    return True


def _signature(symbol: Symbol) -> inspect.Signature | None:
    none = inspect.Parameter.empty
    try:
        return inspect.Signature(
            [
                inspect.Parameter(
                    item.name,
                    _KINDS[item.kind],
                    default=none if item.default is None else item.default,
                )
                for item in (symbol.signature.parameters if symbol.signature else ())
            ]
        )
    except ValueError:  # no signature in Python's eyes, as documentation may write it
        return None
