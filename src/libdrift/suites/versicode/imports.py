"""The import statements of a piece of code, in each of the languages of the data."""

from __future__ import annotations

import re

_LINE = r"(?:[^\n\\]|\\[\s\S])*"  # its rest, and the next one behind a backslash
# Whole statements at the left edge: what stands further in belongs to the code around it.
_STATEMENTS = {
    language: re.compile(rf"^(?:{pattern})[^\n]*(?:\n|\Z)", re.MULTILINE)
    for language, pattern in {
        "python": rf"import[ \t]{_LINE}|from[ \t][^\n(]*\bimport\b[ \t]*(?:\([^)]*\)|{_LINE})",
        "java": r"import[ \t][^\n;]*;",
        "csharp": r"using[ \t][\w.= \t<>]+;",
        "javascript": (
            r"import(?=[ \t{*'\"])[^;\n{(]*(?:\{[^}]*\})?[^;\n(]*"
            r"|(?:const|let|var)\s+(?:\{[^}]*\}|\w+)\s*=\s*require\([^)\n]*\)"
        ),
    }.items()
}


def statements(code: str, language: str) -> list[str]:
    """The statements as they stand, each with its line end if it has one."""
    return [match[0] for match in _STATEMENTS[language].finditer(_lines(code))]


def without(code: str, language: str, keep: str) -> str:
    """The code without them; one with ``keep`` in it stays: the gap may be there."""
    found = _STATEMENTS[language].sub(
        lambda match: match[0] if keep and keep in match[0] else "", _lines(code)
    )
    return found.lstrip("\n")


def _lines(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\r", "\n")
