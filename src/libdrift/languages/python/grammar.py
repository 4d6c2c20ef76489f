"""Sources of any age to one syntax tree: older grammars are mended, never guessed at."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings

_TRIES = 60

# Python 2 and early 3, a line each; what a definition says does not change by any of these.
_OLDER = [
    (re.compile(r"^([ \t]*)print[ \t]*>>.*$", re.MULTILINE), r"\1pass"),
    (re.compile(r"^([ \t]*)print(?![\w(=.]|[ \t]*[=(])(.*)$", re.MULTILINE), r"\1pass"),
    (
        re.compile(r"^([ \t]*except[ \t]+[^:\n]+?)[ \t]*,[ \t]*(\w+)[ \t]*:", re.MULTILINE),
        r"\1 as \2:",
    ),
    (re.compile(r"^([ \t]*)raise[ \t]+([\w.]+)[ \t]*,.*$", re.MULTILINE), r"\1raise \2"),
    (re.compile(r"^([ \t]*)exec[ \t]+(?![(=]).*$", re.MULTILINE), r"\1pass"),
    (re.compile(r"\b0([0-7]+)\b(?![.\w])"), r"0o\1"),
    (re.compile(r"\b(\d+)[lL]\b"), r"\1"),
    (re.compile(r"\b[uU][rR]([\"'])"), r"r\1"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"\basync\b(?![ \t]+(?:def|for|with)\b)"), "async_"),
    (re.compile(r"\bawait\b(?=[ \t]*[=,)(.:])"), "await_"),
]


def parse(source: bytes) -> tuple[ast.Module, str, int]:
    """The tree, the text that it was read from, and how many lines had to be left out.

    Raises ``SyntaxError`` where no mending helps.
    """
    written = _decode(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in other people's strings
        try:
            return ast.parse(written), written, 0
        except SyntaxError:
            pass  # an older grammar, perhaps
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error
        older = written.expandtabs()
        for pattern, new in _OLDER:
            older = pattern.sub(new, older)
        return _leaving_out(older)


def _decode(source: bytes) -> str:
    if source.isascii():
        return source.decode("ascii").replace("\r\n", "\n")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding).replace("\r\n", "\n")
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return source.decode("latin-1").replace("\r\n", "\n")


def _leaving_out(written: str) -> tuple[ast.Module, str, int]:
    """Replace the line that cannot be read by ``pass``, a few times."""
    lines = written.split("\n")
    for count in range(_TRIES):
        try:
            return ast.parse("\n".join(lines)), "\n".join(lines), count
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            if not 0 <= number < len(lines) or lines[number].strip() in ("", "pass"):
                raise
            line = lines[number]
            if line.rstrip().endswith(":") or re.match(r"\s*(def|class|@|from|import)\b", line):
                raise  # a whole definition would be lost: rather say that the file is unread
            lines[number] = line[: len(line) - len(line.lstrip())] + "pass"
    raise SyntaxError("written for a grammar that is not read here")
