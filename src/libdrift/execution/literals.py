"""Lists and objects in a text, as models write them: JSON, or nearly, or Python's literals.

Single quotes, trailing commas, ``None`` and comments are read as people read them. A number is kept
as it is written: 3.10 is not 3.1. Nothing is evaluated.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

_WORK = 5_000_000  # characters that are read in vain, before a text is given up
_SLOW = 5  # times as long as JSON takes, character by character
_EACH = 2000  # and as much to begin with
_LONGEST = 200_000  # characters of one literal that is no JSON
_DEEPEST = 50
_BRACKET = re.compile(r"(?<![\w)\]])[\[{]")  # that is no subscript's
_STRING = re.compile(
    r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL
)
_PAIRS = {"[": "]", "{": "}", "(": ")"}
_WORDS = {"null": None, "None": None, "true": True, "True": True, "false": False, "False": False}
_REMARK = re.compile(r"(?:(?<=\s)|(?<=[,\[{]))//[^\n]*")
_FENCED = re.compile(r"\A\s*```\w*\n(?P<inside>.*?)\n?```\s*\Z", re.DOTALL)


class Number(str):
    """A number as it is written."""

    __slots__ = ()


_JSON = json.JSONDecoder(strict=False, parse_float=Number, parse_int=Number)


def values(text: str) -> Iterator[tuple[int, Any]]:
    """Every list and object in a text that stands in no other, with its place."""
    whole = _whole(text)
    if whole is not None:
        yield 0, whole
        return
    at = work = 0
    while work < _WORK and (match := _BRACKET.search(text, at)):
        start = match.start()
        try:
            value, at = _JSON.raw_decode(text, start)
            yield start, value
            continue
        except json.JSONDecodeError as error:
            work += error.pos - start
        except RecursionError:
            return  # nobody's answer is as deep as that
        end = _end(text, start)
        work += _SLOW * (abs(end) - start) + _EACH
        at = start + 1
        if end > 0:
            read = _literal(text[start:end], names=False)
            if read is not None:
                yield start, read
                at = end


def _whole(text: str) -> Any | None:  # noqa: ANN401  (whatever JSON can hold)
    """A text that is one literal, and nothing else: a tuple, or a list of names without quotes."""
    fenced = _FENCED.match(text)
    plain = (fenced["inside"] if fenced else text).strip()
    if len(plain) > _LONGEST or plain[:1] not in _PAIRS or _end(plain, 0) != len(plain):
        return None
    try:
        json.loads(plain)
    except (ValueError, RecursionError):
        return _literal(plain, names=True)
    return None  # it is found where it is


def _end(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` is closed; else, as less than 0, what was read."""
    open_ones: list[str] = []
    at = start
    while at < min(len(text), start + _LONGEST):
        character = text[at]
        if character in "\"'":
            string = _STRING.match(text, at)
            at = string.end() if string else at + 1  # an apostrophe, it may be
            continue
        if character == "#" and (at == start or text[at - 1] in " \t\n,[{"):
            at = text.find("\n", at)
            if at < 0:
                at = len(text)
        elif character in _PAIRS:
            open_ones.append(_PAIRS[character])
            if len(open_ones) > _DEEPEST:
                break
        elif character in "]})":
            if not open_ones or open_ones.pop() != character:
                break
            if not open_ones:
                return at + 1
        at += 1
    return -(at if at > start else start + 1)


def _literal(text: str, *, names: bool) -> Any | None:  # noqa: ANN401
    """A literal of Python, or what would be one of JSON; ``None`` where it is none.

    ``names``: bare words are texts, too.
    """
    for written in (text, _REMARK.sub("", text)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of odd escapes
                tree = ast.parse(written.replace("\r", ""), mode="eval")
            return _value(tree.body, written.replace("\r", ""), names=names)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _value(node: ast.expr, text: str, *, names: bool) -> Any:  # noqa: ANN401
    def inner(part: ast.expr | None) -> Any:  # noqa: ANN401
        if part is None:
            raise ValueError
        return _value(part, text, names=names)

    match node:
        case ast.Constant(value=bool() | None | str() as value):
            return value
        case ast.Constant(value=int() | float()):
            return Number(ast.get_source_segment(text, node) or "")
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [inner(part) for part in parts]
        case ast.Dict(keys=keys, values=parts):
            return {str(inner(key)): inner(part) for key, part in zip(keys, parts, strict=True)}
        case ast.Name(id=word) if word in _WORDS:
            return _WORDS[word]
        case ast.Name(id=word) if names:
            return word
        case ast.Attribute():
            return _dotted(node)
        case ast.Call(func=called) if names:
            return inner(called)
    raise ValueError


def _dotted(node: ast.expr) -> str:
    """``np.in1d``, without quotes."""
    match node:
        case ast.Attribute(value=value, attr=attribute):
            return f"{_dotted(value)}.{attribute}"
        case ast.Name(id=word):
            return word
    raise ValueError
