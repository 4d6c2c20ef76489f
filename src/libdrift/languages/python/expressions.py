"""Text of expressions: normal, so that a formatter's quotes and line breaks are no change."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from libdrift.records import Parameter, ParameterKind, Signature

_SELF = {"self", "cls", "mcs", "mcls", "klass", "metacls", "this", "meta", "s", "c", ""}
_LONG = 400  # a value longer than this is data, not an interface
_ROWS = 500  # of a table: more is data, too


def text(node: ast.expr | None) -> str:
    """The expression as one line. The quick ways are those that most code takes."""
    if node is None:
        return ""
    kind = type(node)
    if kind is ast.Name:
        return node.id  # type: ignore[attr-defined,no-any-return]
    if kind is ast.Constant:
        return "..." if node.value is ... else repr(node.value)  # type: ignore[attr-defined]
    if kind is ast.Attribute:
        return f"{text(node.value)}.{node.attr}"  # type: ignore[attr-defined]
    if kind is ast.Subscript:
        return f"{text(node.value)}[{_index(node.slice)}]"  # type: ignore[attr-defined]
    if kind is ast.BinOp and type(node.op) is ast.BitOr:  # type: ignore[attr-defined]
        return f"{text(node.left)} | {text(node.right)}"  # type: ignore[attr-defined]
    if kind is ast.Tuple and not node.elts:  # type: ignore[attr-defined]
        return "()"
    if kind is ast.List:
        return f"[{', '.join(map(text, node.elts))}]"  # type: ignore[attr-defined]
    return ast.unparse(node)


def _index(node: ast.expr) -> str:
    if isinstance(node, ast.Tuple) and node.elts:
        return ", ".join(map(text, node.elts))
    return text(node)


def short(node: ast.expr | None) -> str:
    """The text of a value, unless it is so large that only its kind is worth a word."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
        count = len(node.keys if isinstance(node, ast.Dict) else node.elts)
        if count > 40:  # noqa: PLR2004
            return f"<{type(node).__name__.lower()} of {count}>"
    if isinstance(node, ast.Call):
        return f"{text(node.func)}(…)" if node.args or node.keywords else f"{text(node.func)}()"
    written = text(node)
    return written if len(written) <= _LONG else f"{written[:_LONG]}…"


def dotted(node: ast.expr | None) -> str:
    """``a.b.c`` where the expression is just that, else nothing."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def called(node: ast.expr) -> str:
    """The dotted name that a call (or a bare reference, as of a decorator) is of."""
    while isinstance(node, ast.Call):
        node = node.func
    return dotted(node)


def strings(node: ast.expr | None) -> list[str]:
    """The string constants of a list, tuple, set or dictionary's keys."""
    if isinstance(node, ast.Call) and node.args:  # set([...]), frozenset({...}), sorted(...)
        return strings(node.args[0])
    if isinstance(node, ast.Dict):
        elements: list[ast.expr | None] = list(node.keys)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        elements = list(node.elts)
    else:
        return []
    return [e.value for e in elements if isinstance(e, ast.Constant) and isinstance(e.value, str)]


def message(node: ast.expr | None, local: Mapping[str, ast.expr], depth: int = 0) -> str:
    """What a text expression would say, with braces where a value would stand."""
    if node is None or depth > 5:  # noqa: PLR2004
        return ""
    again = depth + 1
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
            else "{" + text(getattr(part, "value", None)) + "}"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mod):
            return message(node.left, local, again)
        return message(node.left, local, again) + message(node.right, local, again)
    if isinstance(node, ast.Name):
        return message(local.get(node.id), local, again)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            # "…".format(…), textwrap.dedent("…")
            is_format = node.func.attr == "format"
            inner = message(node.func.value, local if is_format else {}, again)
            if inner:
                return _formatted(inner, node) if is_format else inner
        return message(node.args[0], local, again) if node.args else ""
    return ""


def _formatted(template: str, call: ast.Call) -> str:
    """A text with the words that it is given; as it is, if it is given anything else."""
    words = [item.value for item in call.args if isinstance(item, ast.Constant)]
    if call.keywords or len(words) != len(call.args) or re.search(r"\{[^}]*[^}\d]", template):
        return template
    try:
        return template.format(*words)
    except (IndexError, KeyError, ValueError):
        return template


def signature(
    arguments: ast.arguments, returns: ast.expr | None, *, bound: bool, surely: bool = False
) -> Signature:
    """The parameters of a function; ``bound`` leaves out the first (``self``, ``cls``).

    That of a method may be missing, if it is not ``surely`` there.
    """
    found: list[Parameter] = []
    positional = arguments.posonlyargs + arguments.args
    only = len(arguments.posonlyargs)
    plain = len(positional) - len(arguments.defaults)
    for number, item in enumerate(positional):
        if bound and number == 0 and (surely or item.arg.strip("_") in _SELF):
            continue  # an interface may be written without: `def has(name)`
        kind = ParameterKind.POSITIONAL_ONLY if number < only else ParameterKind.POSITIONAL
        if _is_private_positional(item.arg):
            kind = ParameterKind.POSITIONAL_ONLY  # as stubs wrote it before `/`
        default = text(arguments.defaults[number - plain]) if number >= plain else None
        found.append(Parameter(item.arg, kind, default, text(item.annotation)))
    if arguments.vararg:
        item = arguments.vararg
        found.append(Parameter(item.arg, ParameterKind.VARIADIC, None, text(item.annotation)))
    for item, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = None if value is None else text(value)
        found.append(
            Parameter(item.arg, ParameterKind.KEYWORD_ONLY, default, text(item.annotation))
        )
    if arguments.kwarg:
        item = arguments.kwarg
        found.append(Parameter(item.arg, ParameterKind.KEYWORDS, None, text(item.annotation)))
    return Signature(tuple(found), text(returns))


def _is_private_positional(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def completed(stub: Signature, told: Signature) -> Signature:
    """A stub's signature (``copy: bool = ...``), with the defaults that another source tells."""
    known = {item.name: item.default for item in told.parameters}
    return replace(
        stub,
        parameters=tuple(
            replace(item, default=known.get(item.name) or "...") if item.default == "..." else item
            for item in stub.parameters
        ),
    )


def unrolled(node: ast.expr | None, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """``{name: f(text) for name, text in TABLE}`` as a dictionary, if the table is written out."""
    if isinstance(node, ast.DictComp) and len(node.generators) == 2:  # noqa: PLR2004
        return _turned(node, known)
    if not isinstance(node, ast.DictComp) or len(node.generators) != 1:
        return node
    loop = node.generators[0]
    rows = known.get(loop.iter.id) if isinstance(loop.iter, ast.Name) else loop.iter
    if loop.ifs or not isinstance(rows, ast.List | ast.Tuple) or len(rows.elts) > _ROWS:
        return node
    several = isinstance(loop.target, ast.Tuple)
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    names = [item.id for item in targets if isinstance(item, ast.Name)]
    made = ast.Dict([], [])
    for row in rows.elts:
        parts = row.elts if several and isinstance(row, ast.Tuple | ast.List) else [row]
        if len(parts) != len(targets) or len(names) != len(targets):
            return node
        put = _Put(dict(zip(names, parts, strict=True)))
        made.keys.append(put.visit(copy.deepcopy(node.key)))
        made.values.append(put.visit(copy.deepcopy(node.value)))
    return made


def _turned(node: ast.DictComp, known: Mapping[str, ast.expr]) -> ast.expr:
    """``{name: module for module, names in TABLE.items() for name in names}``."""
    outer, inner = node.generators
    match outer.target, outer.iter, inner.target, inner.iter:
        case (
            ast.Tuple([ast.Name(key), ast.Name(items)]),
            ast.Call(ast.Attribute(ast.Name(table), "items")),
            ast.Name(item),
            ast.Name(looped),
        ) if looped == items:
            rows = known.get(table)
        case _:
            return node
    if outer.ifs or inner.ifs or not isinstance(rows, ast.Dict):
        return node
    made = ast.Dict([], [])
    for label, row in zip(rows.keys, rows.values, strict=True):
        if label is None or not isinstance(row, ast.List | ast.Tuple | ast.Set):
            return node
        for element in row.elts:
            put = _Put({key: label, item: element})
            made.keys.append(put.visit(copy.deepcopy(node.key)))
            made.values.append(put.visit(copy.deepcopy(node.value)))
    return made


class _Put(ast.NodeTransformer):
    """Puts expressions where names stand."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)


def unpacked(
    target: ast.Tuple | ast.List, value: ast.expr
) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that an assignment unpacks to, each with its value where that can be told."""
    values: Sequence[ast.expr | None] = getattr(value, "elts", [])
    if len(values) != len(target.elts):
        values = [None] * len(target.elts)
    for part, inner in zip(target.elts, values, strict=True):
        if isinstance(part, ast.Name):
            yield part.id, inner
        elif isinstance(part, ast.Starred) and isinstance(part.value, ast.Name):
            yield part.value.id, None


def named_by(node: ast.expr) -> str:
    """The name that an expression asks something for: ``Old.__name__``."""
    if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__"):
        return dotted(node.value)
    return ""
