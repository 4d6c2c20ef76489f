"""Signatures that only documentation tells: those of compiled code.

``array(object, dtype=None, *, copy=True)``, ``arange([start,] stop[, step,])``,
``x,info = gesv(a,b,[overwrite_a])``, ``Timestamp.isoformat(self, str sep='T')``.
"""

from __future__ import annotations

import ast
import re

from libdrift.languages.python import expressions
from libdrift.records import Parameter, ParameterKind, Signature

_LONG = 2000  # characters of documentation in which a signature must end
_NAME = re.compile(r"[A-Za-z_]\w*$")


def in_text(text: str) -> Signature | None:
    """The signature that ``__text_signature__`` tells: ``($self, /, a, b=1)``."""
    inner = _within(text) if text.startswith("(") else None
    return None if inner is None else _read(inner.replace("$", ""), bound="$" in inner)


def in_documentation(name: str, doc: str) -> Signature | None:
    """The signature that the first line tells; none where there are several to choose from."""
    start = re.compile(rf"(?:[\w\[\], ]+=\s*)?(?:[\w.]+\.)?{re.escape(name)}\(")
    head = doc.lstrip()[:_LONG]
    match = start.match(head)
    if match is None:
        return None
    inner = _within(head[match.end() - 1 :])
    if inner is None:
        return None
    rest = head[match.end() + len(inner) + 1 :]
    if any(start.match(line.strip()) for line in rest.splitlines()[:4]):
        return None
    found = _read(inner, bound=False)
    if found and found.parameters and found.parameters[0].name in ("self", "cls"):
        return Signature(found.parameters[1:])
    return found


def _within(text: str) -> str | None:
    """What stands between the first parenthesis and the one that closes it."""
    depth = 0
    for position, char in enumerate(text[:_LONG]):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return " ".join(text[1:position].split())
    return None


def _read(text: str, *, bound: bool) -> Signature | None:
    try:
        node = ast.parse(f"def f({text}): ...").body[0]
    except (SyntaxError, ValueError, RecursionError):
        return None if bound else _loose(text)
    assert isinstance(node, ast.FunctionDef)  # noqa: S101  (that was the text)
    return _sound(expressions.signature(node.args, None, bound=bound).parameters)


def _loose(text: str) -> Signature | None:
    """As people write them, with brackets around what may be left out."""
    found: list[Parameter] = []
    kind = ParameterKind.POSITIONAL
    for item, optional in _items(text):
        if item == "/":
            found = [
                Parameter(p.name, ParameterKind.POSITIONAL_ONLY, p.default, p.annotation)
                for p in found
            ]
        elif item == "*":
            kind = ParameterKind.KEYWORD_ONLY
        elif item in ("...", "*args"):
            found.append(Parameter("args", ParameterKind.VARIADIC))
            kind = ParameterKind.KEYWORD_ONLY
        elif item.startswith("**"):
            found.append(Parameter(item[2:].strip(), ParameterKind.KEYWORDS))
        else:
            found.append(_one(item, kind, optional=optional))
    return _sound(tuple(found))


def _sound(parameters: tuple[Parameter, ...]) -> Signature | None:
    names = [item.name for item in parameters]
    sound = all(map(_NAME.match, names)) and len(set(names)) == len(names)
    return Signature(parameters) if sound else None


def _one(item: str, kind: ParameterKind, *, optional: bool) -> Parameter:
    head, equals, default = (part.strip() for part in item.partition("="))
    name, _, annotation = (part.strip() for part in head.partition(":"))
    if not annotation:  # `double x`, as Cython has it
        annotation, _, name = name.rpartition(" ")
    value = default if equals else "..." if optional else None
    return Parameter(name, kind, value, annotation.strip())


def _items(text: str) -> list[tuple[str, bool]]:
    """Parameters, each with whether brackets say that it may be left out."""
    items: list[tuple[str, bool]] = []
    current, depth, optional = "", 0, 0
    for position, char in enumerate(f"{text},"):
        opens = char == "[" and depth == 0
        if opens and ("=" in current or ":" in current):
            # A list as default, a type's argument: unless `x=1[, y]`.
            opens = text[position + 1 :].lstrip().startswith(",")
        closes = char == "]" and depth == 0
        if opens or closes or (char == "," and depth == 0):
            if current.strip():
                items.append((current.strip(), optional > 0))
            current = ""
            optional += opens - closes
        else:
            depth += (char in "([{") - (char in ")]}")
            current += char
    return items
