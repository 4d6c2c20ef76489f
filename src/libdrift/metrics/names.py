"""Names in Python code, and the two gates of the metrics: a token occurs, code compiles.

``names`` and ``names_by_line`` (the fixed mode) read any text: code that is cut off or wrong,
or no code at all. They see the names in an f-string's replacement fields, and none in comments
and other strings, with every version of Python.

``released_names`` (the released mode) is the standard library's tokeniser, with its differences
between versions of Python: an f-string is one string up to 3.11, and has names in it from 3.12
on; unclosed brackets and stray indents are errors, and from 3.12 on so are unclosed strings.
Keywords are names in both.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import filterfalse
from typing import cast

# --- fixed

# Closed, or up to the end of the line or text. A prefix is none behind a letter.
_STRING = r"""
    (?:(?<!\w)(?i:[rbu]|br|rb))?(?:
        '''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?\Z) | \"""(?:[^"\\]|\\.|"(?!""))*+(?:\"""|\\?\Z)
        | '(?:[^'\\\n]|\\.)*+(?:'|\\?\Z)? | "(?:[^"\\\n]|\\.)*+(?:"|\\?\Z)? )
"""
_OPENING = r"(?<!\w)(?i:f|fr|rf)(?P<quote>'''|\"\"\"|'|\")"
_F_STRING = re.compile(_OPENING)
_HIDDEN = re.compile(rf"{_STRING}|\#[^\n]*", re.VERBOSE | re.DOTALL)
# Of Java, C# and JavaScript.
_C_HIDDEN = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?""",
    re.DOTALL,
)
_PIECE = re.compile(
    rf"""(?P<opening>{_OPENING}) | (?P<hidden>{_STRING}|\#[^\n]*)
    | (?P<conversion>![rsa](?=\s*[:}}])) | \w+ | != | .""",
    re.VERBOSE | re.DOTALL,
)
# What may end or interrupt the text of an f-string.
_TURN = re.compile(r"\\N\{[^}\n]{0,100}\}|\\[^{}]|\{\{|\}\}|[{}\n'\"]", re.DOTALL)
_QUOTABLE = re.compile(r"[\"'#]")
_IN_LINE = re.compile(r"[^\n]")
_NAME = re.compile(
    r"\d\w*(?:\.(?:\d\w*|[eE][+-]?\d\w*|(?![^\W\d])))?(?:(?<=[eE])[+-]\d\w*)?|([^\W\d]\w*)"
)


def names(code: str) -> list[str]:
    """All names in a text, in order; keywords too."""
    return [name for name in _NAME.findall(bare(code)) if name]


def names_by_line(code: str) -> list[tuple[str, ...]]:
    """The names on each line of a text."""
    lines = bare(code).split("\n")
    return [tuple(name for name in _NAME.findall(line) if name) for line in lines]


def bare(code: str, language: str = "python") -> str:
    """The text, with each character of a string ``"`` and of a comment blank.

    Positions, lines and the replacement fields of f-strings stay as they are.
    """
    if language != "python":
        return _C_HIDDEN.sub(lambda match: _filled(match[0]), code)
    if not _QUOTABLE.search(code):
        return code
    if _F_STRING.search(code):
        return "".join(_with_fields(code))
    return _HIDDEN.sub(lambda match: _filled(match[0]), code)


def _filled(hidden: str) -> str:
    filler = " " if hidden.startswith(("#", "//", "/*")) else '"'
    return _IN_LINE.sub(filler, hidden) if "\n" in hidden else filler * len(hidden)


@dataclass(slots=True)
class _Open:
    """A part of an f-string that has begun: its text, a field, or a field's format."""

    kind: str
    quote: str
    depth: int = 0  # of brackets in a field


def _with_fields(code: str) -> Iterator[str]:
    """``bare`` for f-strings, which hold code, which may hold f-strings again."""
    parts: list[_Open] = []
    position = 0
    while position < len(code):
        inner = parts[-1] if parts else None
        if inner is None or inner.kind == "field":
            match = _PIECE.match(code, position)
            if match is None:  # the pattern takes any character
                return
            position = match.end()
            yield _code_piece(match, parts)
        else:
            match = _TURN.search(code, position)
            start = match.start() if match else len(code)
            yield _filled('"' + code[position:start])[1:]
            position = start
            if match:
                shown = _turn(match, parts)
                yield shown
                position += len(shown)


def _code_piece(match: re.Match[str], parts: list[_Open]) -> str:
    text, inner = match[0], parts[-1] if parts else None
    if match["opening"]:
        parts.append(_Open("text", match["quote"]))
        return '"' * len(text)
    if match["hidden"]:
        return _filled(text)
    if inner is None:
        return text
    if text in "([{":
        inner.depth += 1
    elif text in ")]}" and inner.depth:
        inner.depth -= 1
    elif text == "}":
        parts.pop()
    elif text == ":" and not inner.depth:
        parts.append(_Open("format", inner.quote))
    elif match["conversion"] and not inner.depth:
        return '"' * len(text)
    return text


def _turn(match: re.Match[str], parts: list[_Open]) -> str:
    """What to show for the start of ``match``, a mark in an f-string's text."""
    text, inner = match[0], parts[-1]
    if text == "{":
        parts.append(_Open("field", inner.quote))
    elif text[0] == "}" and inner.kind == "format":
        del parts[-2:]
        return "}"
    elif text == "\n":
        if len(inner.quote) == 1:
            _close(parts)
    elif text in "'\"" and match.string.startswith(inner.quote, match.start()):
        _close(parts)
        return '"' * len(inner.quote)
    else:
        return _filled('"' + text)[1:]
    return text


def _close(parts: list[_Open]) -> None:
    """An f-string ends, and with it a field whose format is open."""
    if parts.pop().kind == "format":
        del parts[-2:]


# --- the gates


def occurs(token: str, text: str) -> bool:
    """Whether a token stands in a text, and not as a part of a longer name."""
    return next(positions(token, text), None) is not None


def positions(token: str, text: str) -> Iterator[int]:
    """Where a token stands as a whole name; an end of it that is a sign may touch anything."""
    first, last = _word(token[:1]), _word(token[-1:])
    start = text.find(token)
    while start >= 0:
        before, after = _touched(text, start, start + len(token))
        if not (first and before) and not (last and after):
            yield start
        start = text.find(token, start + 1)


def released_occurs(token: str, text: str) -> bool:
    r"""As released: whether the pattern ``\b`` + token + ``\b`` matches."""
    return next(released_positions(token, text), None) is not None


def released_positions(token: str, text: str) -> Iterator[int]:
    """Where that pattern matches: an end of the token that is a sign must touch a letter."""
    if not token:
        yield from (match.start() for match in re.finditer(r"\b", text))
        return
    first, last = _word(token[0]), _word(token[-1])
    start = text.find(token)
    while start >= 0:
        before, after = _touched(text, start, start + len(token))
        if before is not first and after is not last:
            yield start
        start = text.find(token, start + 1)


def _touched(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether letters stand before and behind a place."""
    return start > 0 and _word(text[start - 1]), end < len(text) and _word(text[end])


def _word(character: str) -> bool:
    r"""What ``\w`` matches; no character is no word's."""
    return character.isalnum() or character == "_"


_IGNORED = ("ignore", None, Warning, None, 0)


def compiles(code: str) -> bool:
    """Whether Python takes a text for a program; no text makes it fail otherwise."""
    # Warnings of odd escapes would be printed, or be errors. `catch_warnings` would take a tenth
    # of the time that a whole answer takes.
    filters = cast("list[object]", warnings.filters)
    filters.insert(0, _IGNORED)
    try:
        # Of this file's own __future__ nothing is inherited.
        compile(code, "<string>", "exec", dont_inherit=True)
    except Exception:  # noqa: BLE001  (deep nesting, null characters, surrogates, huge numbers)
        return False
    else:
        return True
    finally:
        filters.remove(_IGNORED)


# --- released: the tokeniser of the standard library

_NEW_TOKENISER = sys.version_info >= (3, 12)
# Where the tokeniser's result is certain, as it is for nearly all code, one pattern finds the
# names, many times faster. It passes over strings, numbers, comments and operators, and keeps
# names, brackets and indents, and, as a sign of doubt, all from the first that is none of these.
_PREFIX = "[rRbBuU]|[bB][rR]|[rR][bB]" + ("" if _NEW_TOKENISER else "|[fF]|[fF][rR]|[rR][fF]")
_CERTAIN = re.compile(
    rf"""
    [ \t+\-*/%@&|^~<>=.,:;]*+ (?:
        (?=[rRbBuUfF"'])(?:{_PREFIX})?(?:
            '(?!'')[^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+' | "(?!"")[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"
            | '''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''
            | \"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\""" )
        | (?<=\.)\d+(?![\w.])
        | (?<!\.)(?=\d)
          (?>0[xX][0-9a-fA-F]+ | (?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?[jJ]?)(?![\w.])
        | \#[^\n]* | !=
        | ( [A-Za-z_]\w*+(?:["'].*)? | [()\[\]{{}}] | \n\ *+(?:\t.*|(?=[^\s#])) | [^\n].* )
        | \n | \Z )
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_MARK = re.compile(r"\n *\t?|.")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
# The tokeniser of 3.12 gives up at 100 indents and 200 brackets.
_DEEPEST = 90 if _NEW_TOKENISER else sys.maxsize
_CACHED = 200  # characters
# Character comparisons. The tokeniser of 3.11 looks for the end of a string anew at each quote
# of an unclosed one: above this it takes minutes, and the text counts as an error.
_TOO_LONG = 2_000_000_000


def released_names(code: str) -> list[str] | None:
    """The NAME tokens of a text as the standard library sees them; ``None`` is a tokeniser's error.

    A text that it cannot even begin to read raises, as it does in the released programs:
    ``UnicodeEncodeError`` for lone surrogates, ``SyntaxError`` for an unknown declared encoding.
    """
    if "\0" in code or "\r" in code or ("coding" in code and "#" in code):
        return _tokenised(code)
    found = _CERTAIN.findall("\n" + code if "\n" in code else code)
    listed = list(filter(str.isidentifier, found))
    marks = "".join(filterfalse(str.isidentifier, found))
    well_formed = _shape(marks) if len(marks) < _CACHED else _shape.__wrapped__(marks)
    if not code.isascii():
        code.encode()
        if not "".join(listed).isascii():
            return _tokenised(code)
    if well_formed is None:
        return _tokenised(code)
    return listed if well_formed else None


@lru_cache(1024)
def _shape(marks: str) -> bool | None:
    """Whether brackets and indents are in order: yes, surely not, or not for us to say."""
    depth, indents = 0, [0]
    closing: list[str] = []
    for match in _MARK.finditer(marks):
        mark = match[0]
        if mark in _CLOSING:
            depth += 1
            closing.append(_CLOSING[mark])
        elif mark in ")]}":
            depth -= 1
            # Up to 3.11 brackets are only counted; later some that do not match are errors.
            if (closing.pop() if closing else "") != mark and _NEW_TOKENISER:
                return None
        elif mark[0] != "\n" or mark[-1] == "\t":
            return None
        elif not depth:
            column = len(mark) - 1
            if column > indents[-1]:
                indents.append(column)
            while column < indents[-1]:
                indents.pop()
            if column != indents[-1]:
                return False
        if max(depth, len(indents)) > _DEEPEST:
            return None
    return not depth


def _tokenised(code: str) -> list[str] | None:
    if not _NEW_TOKENISER and _too_long(code):
        return None
    tokens = tokenize.tokenize(io.BytesIO(code.encode()).readline)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from 3.12 on, of what is only odd
        try:
            return [token.string for token in tokens if token.type == tokenize.NAME]
        except Exception:  # noqa: BLE001  (the released programs catch everything too)
            return None


def _too_long(code: str) -> bool:
    quotes = code.count("'") + code.count('"')
    if quotes * len(code) < _TOO_LONG:
        return False
    lines = code.split("\n")
    return sum((line.count("'") + line.count('"')) * len(line) for line in lines) > _TOO_LONG
