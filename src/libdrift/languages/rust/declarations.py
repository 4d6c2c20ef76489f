"""A function's head as Rust writes it, taken apart; the same form as rustdoc's JSON gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libdrift.records import Parameter, ParameterKind, Signature

_HEAD = re.compile(
    r"(?:pub(?:\([^)]*\))? )?"
    r"(?P<words>(?:(?:const|async|unsafe|default|safe|extern(?: \"[^\"]*\")?) )*)fn (?P<name>\w+)"
)
_SELF = re.compile(r"(?:&(?:'\w+ )?)?(?:mut )?self(?:\s*:.*)?")
_OPEN, _CLOSE = "([{<", ")]}>"


@dataclass(frozen=True, slots=True)
class RustFunction:
    name: str
    signature: Signature
    receiver: str  # ``&mut self`` and the like; empty for a function without
    words: tuple[str, ...]  # const, async, unsafe


def read(text: str) -> RustFunction | None:
    """``pub const fn map<U, F>(self, f: F) -> Option<U> where F: FnOnce(T) -> U``."""
    line = " ".join(text.split()).rstrip(";{ ")
    head = _HEAD.match(line)
    if head is None:
        return None
    at, limits = head.end(), []
    if line[at : at + 1] == "<":
        end = _closing(line, at)
        limits = [part for part in split(line[at + 1 : end]) if _limits(part)]
        at = end + 1
    if line[at : at + 1] != "(":
        return None
    end = _closing(line, at)
    taken = list(split(line[at + 1 : end]))
    own = taken.pop(0) if taken and _SELF.fullmatch(taken[0]) else ""
    returns, _, clause = line[end + 1 :].partition("where ")
    limits += split(clause)
    output = returns.strip().removeprefix("->").strip()
    if limits:
        output = f"{output or '()'} where {', '.join(limits)}"
    words = tuple(word for word in ("const", "async", "unsafe") if word in head["words"].split())
    parameters = tuple(_parameter(part, at) for at, part in enumerate(taken))
    return RustFunction(head["name"], Signature(parameters, output), own, words)


def label(name: str, at: int) -> str:
    """A parameter's name without what only its function's body cares for: `_x`, `(a, b)`."""
    plain = name.removeprefix("mut ").lstrip("_")
    return plain if plain.isidentifier() else f"arg{at}"


def split(text: str) -> Iterator[str]:
    """At its commas, but not within brackets."""
    depth, start = 0, 0
    for at, sign in enumerate(text):
        if sign in _OPEN:
            depth += 1
        elif sign in _CLOSE and text[at - 1 : at] not in {"-", "="}:
            depth -= 1
        elif sign == "," and depth == 0:
            if part := text[start:at].strip():
                yield part
            start = at + 1
    if part := text[start:].strip():
        yield part


def _parameter(part: str, at: int) -> Parameter:
    if part == "...":
        return Parameter("_", ParameterKind.VARIADIC, annotation="...")
    name, _, kind = part.partition(": ")
    return Parameter(label(name, at), ParameterKind.POSITIONAL_ONLY, annotation=kind)


def _limits(part: str) -> bool:
    return ":" in part or part.startswith("const ")


def _closing(text: str, start: int) -> int:
    """Where the bracket at ``start`` is closed; ``->`` closes none."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in _OPEN:
            depth += 1
        elif text[at] in _CLOSE and text[at - 1] not in "-=":
            depth -= 1
            if depth == 0:
                return at
    return len(text)
