"""Answers as they are judged: without what is no part of them, or cannot stand where they will.

Models like to add tests of their own, which judge nothing, and whose module would meet the
task's. What is taken out leaves its lines behind, so that errors name the right ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from libdrift.execution.rust.lexing import Token, closing, tokens
from libdrift.execution.rust.syntax import all_items

_TEST_MODULES = frozenset({"test", "tests"})


@lru_cache(maxsize=4096)
def tidied(answer: str) -> str:
    """An answer without its own tests, a mark of byte order, or the line that names a program."""
    text = answer.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    if first.startswith("#!") and not _is_attribute(text):
        text = text[len(first) :]
    for start, end in reversed(list(_own_tests(text))):
        text = text[:start] + "\n" * text[start:end].count("\n") + text[end:]
    return text


def brings_tests(answer: str) -> bool:
    """Whether tests are left in an answer, where they could be taken for those that judge it."""
    found = tokens(answer)
    attributes = (_attribute(found, index) for index in range(len(found)))
    # `cfg_attr(test, …)` asks whether there are tests, and makes none.
    return any(
        "test" in (words[2:] if words[0] == "cfg_attr" else words)
        for words in attributes
        if words and words[0] != "cfg"
    )


def without_inner(answer: str) -> tuple[str, str]:
    """What holds for a whole crate (`#![allow(…)]`), which an included file may not say itself.

    That a crate does without std is left out: its tests do not.
    """
    found = tokens(answer)
    index, end, inner = 0, 0, []
    pieces = []
    while index + 2 < len(found) and found[index].text == "#" and found[index + 1].text == "!":
        last = closing(found, index + 2)
        if last >= len(found):
            break
        pieces.append(_comments(answer[end : found[index].start]))
        pieces.append("\n" * answer[found[index].start : found[last].end].count("\n"))
        end = found[last].end
        words = [answer[token.start : token.end] for token in found[index : last + 1]]
        if words[3:4] != ["no_std"]:
            inner.append(" ".join(words))
        index = last + 1
    start = found[index].start if index < len(found) else len(answer)
    pieces += [_comments(answer[end:start]), answer[start:]]
    return " ".join(inner), "".join(pieces)


def _comments(text: str) -> str:
    """Comments before the first item: documentation of the whole is no more than one here."""
    return text.replace("//!", "//").replace("/*!", "/*")


def _is_attribute(text: str) -> bool:
    """Whether a text that begins with `#!` goes on as an attribute, as the compiler sees it."""
    following = tokens(text)[2:3]
    return bool(following) and following[0].text == "["


def _attribute(found: Sequence[Token], index: int) -> list[str]:
    """The words of the outer attribute at a place; none if there is none."""
    if found[index].text != "#" or index + 1 >= len(found) or found[index + 1].text != "[":
        return []
    end = closing(found, index + 1)
    return [token.text for token in found[index + 2 : end] if token.kind == "word"]


def _own_tests(answer: str) -> Iterator[tuple[int, int]]:
    """Where modules of tests, and tests outside of any, begin and end."""
    last = 0
    for item in all_items(answer):
        if item.start < last or item.body is None:
            continue
        module = item.node.type == "mod_item" and (
            ["cfg", "test"] in item.attributes
            or (item.name in _TEST_MODULES and any(one.is_test for one in item.inner()))
        )
        if module or (item.node.type == "function_item" and item.is_test):
            last = item.end
            yield item.start, last
