"""Imports that an answer and its tests both write, which in one file is an error.

Many tests repeat an import of the answer's (`use std::collections::HashMap;`), since they were
written for themselves. The compiler refuses the second one. It is left out where the answer
imports the same path by the same name, at its top and without conditions: then both mean the same
thing. Another path by the same name stays, and is the error that it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libdrift.execution.rust.lexing import Token, closing, tokens

_STD = re.compile(r"^(?:::)?(?:core|alloc|std)::")  # what is in one of them is the same in all

_Leaf = tuple[str, str]  # a path, and the name that it is known by here


@dataclass(frozen=True, slots=True)
class _Use:
    start: int
    end: int
    leaves: tuple[_Leaf, ...]
    conditional: bool


def without_repeated(tests: str, answer: str) -> str:
    """The tests without the imports that the answer has already; lines stay where they are."""
    if "use" not in answer or "use" not in tests:
        return tests
    theirs = {leaf for use in _uses(answer) if not use.conditional for leaf in use.leaves}
    text = tests
    for use in reversed(list(_uses(tests))):
        left = [leaf for leaf in use.leaves if leaf not in theirs]
        if use.conditional or len(left) == len(use.leaves):
            continue
        lines = tests[use.start : use.end].count("\n")
        kept = " ".join(f"use {path} as {name};" for path, name in left)
        text = text[: use.start] + kept + "\n" * lines + text[use.end :]
    return text


def _uses(source: str) -> Iterator[_Use]:
    """The imports at the top level of a file."""
    found = tokens(source)
    depth, index = 0, 0
    while index < len(found):
        token = found[index]
        if token.kind == "sign" and token.text in "([{":
            depth += 1
        elif token.kind == "sign" and token.text in ")]}":
            depth -= 1
        elif depth == 0 and token.kind == "word" and token.text == "use":
            end = next((i for i in range(index, len(found)) if found[i].text == ";"), len(found))
            first, conditional = _beginning(found, index)
            leaves = tuple(_leaves(found[index + 1 : end]))
            stop = found[end].end if end < len(found) else len(source)
            yield _Use(found[first].start, stop, leaves, conditional)
            index = end
        index += 1


def _beginning(found: Sequence[Token], index: int) -> tuple[int, bool]:
    """Where an import begins, with its attributes; and whether one of these is a condition."""
    first = index
    if first and found[first - 1].text == ")":  # pub(crate)
        first = next((i for i in range(first - 1, -1, -1) if found[i].text == "pub"), first)
    elif first and found[first - 1].text == "pub":
        first -= 1
    conditional = False
    while first and found[first - 1].text == "]":
        opening = next((i for i in range(first - 1, 0, -1) if closing(found, i) == first - 1), 0)
        if not opening or found[opening - 1].text != "#":
            break  # an inner attribute, or none
        conditional |= found[opening + 1].text in ("cfg", "cfg_attr")
        first = opening - 1
    return first, conditional


def _leaves(tree: Sequence[Token], prefix: str = "") -> Iterator[_Leaf]:
    for part in _parts(tree):
        texts = [token.text for token in part]
        if "{" in texts:
            opening = texts.index("{")
            yield from _leaves(part[opening + 1 : -1], prefix + "".join(texts[:opening]))
            continue
        alias = texts[-1] if "as" in texts[-2:-1] else ""
        path = prefix + "".join(texts[:-2] if alias else texts)
        path = _STD.sub("std::", path.removesuffix("::self"))
        # What stands for many names, or for none, clashes with nothing.
        if path and not path.endswith("*") and alias != "_":
            yield path, alias or path.rpartition("::")[2]


def _parts(tree: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """A group's members, which commas divide."""
    start, depth = 0, 0
    for index, token in enumerate(tree):
        depth += (token.text == "{") - (token.text == "}")
        if token.text == "," and depth == 0:
            if index > start:
                yield tree[start:index]
            start = index + 1
    if start < len(tree):
        yield tree[start:]
