"""Answers of one shape: they differ in the bodies of their functions alone.

Tests see an answer's types and signatures, never a body. So answers that agree in all but the
bodies need their tests compiled only once: in place of each body stands a choice between theirs,
made once when the program starts. Most of a program is its tests; most answers to a task have the
signature that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from libdrift.execution.rust.features import features
from libdrift.execution.rust.lexing import closing, tokens
from libdrift.execution.rust.syntax import SyntaxItem, items, parses, text
from libdrift.metrics import trees

WHICH = "LIBDRIFT_WHICH"
# Read once: an answer asks for it at every call.
CHOICE = f"""
pub fn which() -> usize {{
    static CHOSEN: ::std::sync::OnceLock<usize> = ::std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| ::std::env::var("{WHICH}").unwrap().parse().unwrap())
}}
"""
_BODY = "{…}"


@dataclass(frozen=True, slots=True)
class _Function:
    start: int  # of its attributes
    head: int
    public: bool
    called: str  # with its own parameters
    body: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """All of an answer but its functions' bodies; equal shapes can share their tests."""

    outline: tuple[str, ...]


def shape_of(answer: str) -> FunctionShape | None:
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
    return FunctionShape(tuple(outline))


def common(answer: str, choices: Sequence[tuple[int, str]]) -> str:
    """What answers of a shape share, their bodies being a choice: of which number, in which file's
    module each is."""
    shared = answer
    for function in reversed(_functions(answer) or ()):
        arms = " ".join(f"{number} => {module}::{function.called}," for number, module in choices)
        body = f"{{ match crate::which() {{ {arms} _ => ::core::unreachable!() }} }}"
        shared = shared[: function.body[0]] + body + shared[function.body[1] :]
    return shared


def own(answer: str) -> str:
    """An answer's functions alone, each in its line, as a module below what all share."""
    kept = []
    position = 0
    for function in _functions(answer) or ():
        kept.append(_blank(answer[position : function.start]))
        kept.append(answer[function.start : function.head])
        kept.append("" if function.public else "pub(super) ")
        kept.append(answer[function.head : function.body[1]])
        position = function.body[1]
    return "use super::*; " + "".join(kept)


def _blank(part: str) -> str:
    return "\n" * part.count("\n")


@lru_cache(maxsize=1024)
def _functions(answer: str) -> tuple[_Function, ...] | None:
    """The functions at the top of a file; ``None`` where one is not understood."""
    found = [item for item in items(answer) if item.node.type.startswith("function_")]
    functions = [function for item in found if (function := _function(item))]
    bodies = [function.body for function in functions]
    understood = parses(answer) and len(functions) == len(found) and _agree(answer, bodies)
    return tuple(functions) if understood else None


def _agree(answer: str, bodies: Sequence[tuple[int, int]]) -> bool:
    """Whether the tokens, too, have a pair of braces around each body."""
    found = tokens(answer)
    at = {token.start: index for index, token in enumerate(found) if token.text == "{"}
    ends = [closing(found, at[start]) if start in at else len(found) for start, _ in bodies]
    return all(
        end < len(found) and found[end].end == body[1]
        for end, body in zip(ends, bodies, strict=True)
    )


def _function(item: SyntaxItem) -> _Function | None:
    """A function that is called as its head says: neither const nor async, its parameters names."""
    public, parameters = False, []
    for child in item.node.children:
        if child.type == "function_modifiers":
            return None
        if child.type == "visibility_modifier":
            public = text(child) == "pub"
            if not public:
                return None  # pub(crate) and the like
        if child.type == "parameters":
            parameters = [one for one in child.named_children if "comment" not in one.type]
    names = [one.child_by_field_name("pattern") for one in parameters]
    if item.body is None or not all(name and name.type == "identifier" for name in names):
        return None
    returns = item.node.child_by_field_name("return_type")
    if returns and any(node.type == "abstract_type" for node in trees.walk(returns)):
        return None
    called = f"{item.name}({', '.join(map(text, names))})"
    return _Function(item.start, item.head, public, called, item.body)
