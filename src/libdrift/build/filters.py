"""Which files of a repository are worth reading: VersiCode's filters, each with its reason.

They are those that corpora of code are cleaned by: very long lines, or long lines throughout, are
data or generated; few letters and digits are tables or drawings; what does not parse is of another
language or Python.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MAX_BYTES = 1 << 20
MAX_LINE = 1000  # characters of the longest line
MAX_MEAN_LINE = 100  # characters of a line on average
MIN_ALPHANUMERIC = 0.25  # share of letters and digits among all characters


class Rejection(StrEnum):
    UNREADABLE = "file: cannot be read"
    HUGE = "file: over 1 MB"
    EMPTY = "file: empty"
    NUL = "file: has NUL bytes"
    ENCODING = "file: not text in its encoding"
    LONG_LINE = "file: has a line over 1000 characters"
    LONG_LINES = "file: lines over 100 characters on average"
    FEW_LETTERS = "file: under 25 % letters and digits"
    SYNTAX = "file: not Python 3"
    DEEP = "file: nested too deep"


@dataclass(frozen=True, slots=True)
class ParsedSource:
    text: str  # with plain line ends
    tree: ast.Module


def read(path: Path) -> ParsedSource | Rejection:
    """A file's code, or why it is passed over."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return Rejection.HUGE
        data = path.read_bytes()
    except OSError:
        return Rejection.UNREADABLE
    text = decoded(data)
    if isinstance(text, Rejection):
        return text
    return _lines_rejected(text) or parsed(text)


def decoded(data: bytes) -> str | Rejection:
    """Source as Python reads it: by its mark or its coding line, else UTF-8."""
    if not data.strip():
        return Rejection.EMPTY
    if b"\0" in data:
        return Rejection.NUL
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return Rejection.ENCODING
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lines_rejected(text: str) -> Rejection | None:
    lines = [len(line) for line in text.split("\n")]
    if max(lines) > MAX_LINE:
        return Rejection.LONG_LINE
    if sum(lines) / len(lines) > MAX_MEAN_LINE:
        return Rejection.LONG_LINES
    if sum(map(str.isalnum, text)) / len(text) < MIN_ALPHANUMERIC:
        return Rejection.FEW_LETTERS
    return None


def parsed(text: str) -> ParsedSource | Rejection:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes are the file's own affair
            return ParsedSource(text, ast.parse(text))
    except (RecursionError, MemoryError):
        return Rejection.DEEP
    except (SyntaxError, ValueError):
        return Rejection.SYNTAX
