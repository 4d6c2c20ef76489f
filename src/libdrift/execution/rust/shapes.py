"""Answers of one shape: they differ in the bodies of their functions alone.

Tests see an answer's types and signatures, never a body. So answers that agree in all but the
bodies need their tests compiled only once: in place of each body stands a choice between theirs,
made once when the program starts. Most of a program is its tests; most answers to a task have the
signature that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libdrift.execution.rust.features import features
from libdrift.execution.rust.lexing import Token, closing, tokens

WHICH = "LIBDRIFT_WHICH"
# Read once: an answer asks for it at every call.
CHOICE = f"""
pub fn which() -> usize {{
    static CHOSEN: ::std::sync::OnceLock<usize> = ::std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| ::std::env::var("{WHICH}").unwrap().parse().unwrap())
}}
"""
_OTHERWISE = frozenset({"const", "async", "unsafe", "extern"})  # before fn: calls differ
_BODY = "{…}"


@dataclass(frozen=True, slots=True)
class _Function:
    start: int  # of its attributes
    keyword: int  # where `fn` stands
    public: bool
    name: str
    parameters: tuple[str, ...]
    body: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """All of an answer but its functions' bodies; equal shapes can share their tests."""

    outline: tuple[str, ...]


def shape_of(answer: str) -> Shape | None:
    """An answer's shape; ``None`` where a body cannot be told from the rest for certain."""
    functions = _functions(answer)
    if not functions or "test" in features(answer).attributes or "macro_rules" in answer:
        return None
    outline: list[str] = []
    bodies = [function.body for function in functions]
    for token in tokens(answer):
        inside = next((body for body in bodies if body[0] <= token.start < body[1]), None)
        if inside is None:
            outline.append(token.text)
        elif token.start == inside[0]:
            outline.append(_BODY)
    return Shape(tuple(outline))


def common(answer: str, choices: Sequence[tuple[int, str]]) -> str:
    """What answers of a shape share, their bodies being a choice: of which number, in which file's
    module each is."""
    text = answer
    for function in reversed(_functions(answer) or ()):
        called = f"{function.name}({', '.join(function.parameters)})"
        arms = " ".join(f"{number} => {module}::{called}," for number, module in choices)
        body = f"{{ match crate::which() {{ {arms} _ => ::core::unreachable!() }} }}"
        text = text[: function.body[0]] + body + text[function.body[1] :]
    return text


def own(answer: str) -> str:
    """An answer's functions alone, each in its line, as a module below what all share."""
    kept = []
    position = 0
    for function in _functions(answer) or ():
        kept.append(_blank(answer[position : function.start]))
        kept.append(answer[function.start : function.keyword])
        kept.append("" if function.public else "pub(super) ")
        kept.append(answer[function.keyword : function.body[1]])
        position = function.body[1]
    return "use super::*; " + "".join(kept)


def _blank(text: str) -> str:
    return "\n" * text.count("\n")


@lru_cache(maxsize=1024)
def _functions(answer: str) -> tuple[_Function, ...] | None:
    """The functions at the top of a file; ``None`` where one is not understood."""
    found = tokens(answer)
    functions = []
    index = 0
    while index < len(found):
        token = found[index]
        if token.kind == "sign" and token.text in "([{":
            index = closing(found, index)
        elif token.text == "fn" and token.kind == "word":
            function, index = _function(found, index)
            if function is None:
                return None
            functions.append(function)
        index += 1
    return tuple(functions)


def _function(found: Sequence[Token], index: int) -> tuple[_Function | None, int]:
    """The function whose `fn` is at ``index``, and where its body ends."""
    start, public = _beginning(found, index)
    opening = _after_generics(found, index + 2)
    if start is None or opening >= len(found) or found[opening].text != "(":
        return None, index
    ending = closing(found, opening)
    brace = next(
        (i for i in range(ending, len(found)) if found[i].text in "{;" and found[i].kind == "sign"),
        len(found),
    )
    last = closing(found, brace) if brace < len(found) else brace
    if last >= len(found) or found[brace].text == ";":
        return None, index
    parameters = tuple(_parameters(found[opening + 1 : ending]))
    returns = {token.text for token in found[ending:brace]}
    if "" in parameters or "impl" in returns or "self" in parameters:
        return None, index
    body = (found[brace].start, found[last].end)
    name = found[index + 1].text
    return _Function(start, found[index].start, public, name, parameters, body), last


def _beginning(found: Sequence[Token], index: int) -> tuple[int | None, bool]:
    """Where an item begins, with its visibility and attributes; ``None`` if it is no plain `fn`."""
    public, first = False, index
    if first and found[first - 1].text in _OTHERWISE:
        return None, False
    if first and found[first - 1].text == "pub":
        public, first = True, first - 1
    elif first and found[first - 1].text == ")":
        return None, False  # pub(crate) and the like
    while first and found[first - 1].text == "]":
        opening = next((i for i in range(first - 1, -1, -1) if closing(found, i) == first - 1), 0)
        if not opening or found[opening - 1].text != "#":
            return None, False
        first = opening - 1
    return found[first].start, public


def _after_generics(found: Sequence[Token], index: int) -> int:
    if index >= len(found) or found[index].text != "<":
        return index
    depth = 0
    for place in range(index, len(found)):
        depth += (found[place].text == "<") - (found[place].text == ">")
        if depth == 0:
            return place + 1
    return len(found)


def _parameters(inner: Sequence[Token]) -> Iterator[str]:
    """The names of parameters; an empty one for a pattern that is more than a name."""
    depth, start = 0, 0
    for index in range(len(inner) + 1):
        text = inner[index].text if index < len(inner) else ","
        if (text == "," and depth == 0) or index == len(inner):
            part = [token for token in inner[start:index] if token.text != "mut"]
            if part:
                named = len(part) > 1 and part[0].kind == "word" and part[1].text == ":"
                yield part[0].text if named else ""
            start = index + 1
        elif inner[index].kind == "sign":
            depth += (text in "([{<") - (text in ")]}>")
