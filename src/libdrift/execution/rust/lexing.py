"""Rust's text as tokens: enough to tell words from strings and comments, not a parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

# What the compiler takes for white space, which is not what Python does.
_SPACE = r"[\t\n\v\f\r \x85\u200e\u200f\u2028\u2029]"
_TOKEN = re.compile(
    rf"""
      (?P<space>{_SPACE}+ | //[^\n]*)
    | (?P<char>b?'(?:\\(?:x[0-9a-fA-F]{{2}}|u\{{[0-9a-fA-F_]{{1,8}}\}}|.)|[^\\'\n])')
    | (?P<lifetime>'[^\W\d]\w*)
    | (?P<word>(?:r\#)?[^\W\d]\w*)
    | (?P<number>\d(?:[\w]|\.(?=\d))*)
    | (?P<sign>::|->|=>|==|!=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_STRING_START = re.compile(r'(?:b|c)?"|(?:br|cr|r)#*"')


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # word, number, string, char, lifetime, sign
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=1024)
def tokens(source: str) -> tuple[Token, ...]:
    """The tokens of a source without its spaces and comments. Any text has some."""
    found: list[Token] = []
    position = 0
    while position < len(source):
        if _STRING_START.match(source, position):
            end = _end_of_string(source, position)
            found.append(Token("string", source[position:end], position))
        elif source.startswith("/*", position):
            end = _end_of_comment(source, position)
        else:
            match = _TOKEN.match(source, position)
            assert match is not None  # noqa: S101  (the last alternative takes anything)
            end = match.end()
            kind = match.lastgroup or "sign"
            if kind != "space":
                text = match.group().removeprefix("r#") if kind == "word" else match.group()
                # A raw word is the word itself; its place is where its letters are.
                found.append(Token(kind, text, end - len(text)))
        position = end
    return tuple(found)


@lru_cache(maxsize=1024)
def is_clear(source: str) -> bool:
    """Whether any compiler, in any edition, reads a text as these tokens.

    Signs beyond ASCII may be read otherwise than here; and what a letter before a quote or a `#`
    means is not the same in all editions.
    """
    found = tokens(source)
    if not all(token.text.isascii() for token in found if token.kind not in ("string", "char")):
        return False
    if any(token.kind == "string" and token.text.startswith("c") for token in found):
        return False
    return not any(
        one.kind in ("word", "number", "lifetime")
        and one.end == other.start
        and (other.kind in ("string", "char", "lifetime") or other.text == "#")
        for one, other in pairwise(found)
    )


def closing(found: Sequence[Token], opening: int) -> int:
    """The place of the bracket that closes the one at ``opening``; the end where none does."""
    depth = 0
    for index in range(opening, len(found)):
        if found[index].kind == "sign" and found[index].text in "([{":
            depth += 1
        elif found[index].kind == "sign" and found[index].text in ")]}":
            depth -= 1
            if depth == 0:
                return index
    return len(found)


def _end_of_string(source: str, start: int) -> int:
    quote = source.index('"', start)
    opening = source[start:quote]
    if "r" in opening:
        ending = '"' + "#" * opening.count("#")
        end = source.find(ending, quote + 1)
        return len(source) if end < 0 else end + len(ending)
    position = quote + 1
    while position < len(source) and source[position] != '"':
        position += 2 if source[position] == "\\" else 1
    return min(position + 1, len(source))


def _end_of_comment(source: str, start: int) -> int:
    """Comments nest in Rust."""
    depth, position = 0, start
    for mark in re.finditer(r"/\*|\*/", source[start:]):
        depth += 1 if mark.group() == "/*" else -1
        position = start + mark.end()
        if depth == 0:
            return position
    return len(source)
