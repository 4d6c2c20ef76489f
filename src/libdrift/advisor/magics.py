"""Lines of notebook cells that are no Python: which they are, and whether the rest of a cell is."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Mapping

_MAGIC = re.compile(r"^(\s*)(?:[%!].*|[^\s#].*\?\s*|\?.*|[\w.,\[\]\"' ]+=\s*[%!].*)$")
_TRANSPARENT = re.compile(r"^%%(?:time|timeit|capture|prun)\b")


def is_of_another_language(source: str) -> bool:
    return source.startswith("%%") and not _TRANSPARENT.match(source)


def magics_of(source: str) -> Mapping[int, str]:
    """The lines of a cell, from 0, that only a notebook understands, each with its indent.

    A line that belongs to a statement above it is none, whatever it begins with: ``% (a, b)``.
    """
    if not problem_of(source):
        return {}
    found: dict[int, str] = {}
    plain: list[str] = []
    goes_on = False
    for at, line in enumerate(source.split("\n")):
        match = None if _is_open("\n".join(plain)) else _MAGIC.match(line)
        if goes_on or match:
            found[at] = match[1] if match else ""
            goes_on = line.rstrip().endswith("\\")
            plain.append(f"{found[at]}pass" if match else "")
        else:
            plain.append(line)
    return found


def problem_of(source: str) -> str:
    """Why a text is no Python; empty if it is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            ast.parse(source)
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "nested too deep to be read"
    return ""


def _is_open(text: str) -> bool:
    """Whether a text ends within brackets, or within a text of several lines."""
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text).readline):
            pass
    except tokenize.TokenError as error:
        return "EOF in multi-line" in str(error.args[0])
    except SyntaxError:
        return False
    return False
