"""The core line of a block: the one that the API at stake is used on."""

from __future__ import annotations

import re

from libdrift.metrics.names import bare, occurs, positions, released_positions

MISSING = "N/A"
_INLINE = re.compile(r"'''(.*?)'''|\"\"\"(.*?)\"\"\"")
_TASK = re.compile(r"\bdef\s+task_function\b")
_ASSIGNED = re.compile(r"\s*=")

# In other languages types may stand between a name and its arguments.
CALLED = re.compile(r"\s*+(?:<[\w\s,.?<>\[\]]{0,100}>\s*+)?\(")
_KEYWORD = re.compile(r"\s*=(?!=)")
_IMPORT = re.compile(r"\s*(?:import|from|using)\b|.*\brequire\s*\(")
_DEFINED = re.compile(r"\b(?:def|class|function)\s+\Z")
_BEFORE = 20  # characters that are looked at for a definition's keyword


def candidates(code: str, token: str) -> list[str]:
    """As released: the lines that one is drawn from at random, stripped; ``N/A`` if there is none.

    A line counts if the token stands there and no ``=`` follows it; comments, lines with a string
    in triple quotes and all between two such quotes are passed over, and so is a definition of
    ``task_function``.
    """
    found: list[str] = []
    within = False
    for line in code.split("\n") if token else ():
        triple = '"""' in line or "'''" in line
        if triple and not _INLINE.search(line):
            # Within, this ends a comment of many lines; else it begins one.
            if within or not line.strip().startswith("#"):
                within = not within
        elif not within and not triple and _is_candidate(line, token):
            found.append(line.strip())
    return found or [MISSING]


def _is_candidate(line: str, token: str) -> bool:
    if token not in line or line.strip().startswith("#") or _TASK.search(line):
        return False
    ends = (start + len(token) for start in released_positions(token, line))
    return any(not _ASSIGNED.match(line, end) for end in ends)


def core_line(code: str, token: str, language: str = "python") -> str:
    """The line of the first call, else import, else other use of the token, stripped.

    Only where the code itself does not use it, a comment or a string that has it counts, and a
    text without it has no core line: that is an empty text.
    """
    number = core_line_number(code, bare(code, language), token)
    return "" if number is None else code.split("\n")[number].strip()


def core_line_number(code: str, shown: str, token: str) -> int | None:
    """The core line's number, from 0; ``shown`` is the code without strings and comments."""
    best: tuple[int, int] | None = None
    lines = zip(code.split("\n"), shown.split("\n"), strict=True)
    for number, (line, visible) in enumerate(lines):
        if token in line and occurs(token, line):
            found = (_rank(visible, token), number)
            best = min(best or found, found)
    return best[1] if best else None


def _rank(line: str, token: str) -> int:
    """What the token is on a line: 0 called, 1 imported, 2 used, 3 a keyword, 4 not in the code."""
    imported = bool(_IMPORT.match(line))
    ranks = [4]
    for start in positions(token, line):
        end = start + len(token)
        if imported:
            ranks.append(1)
        elif CALLED.match(line, end) and not _DEFINED.search(line[max(0, start - _BEFORE) : start]):
            return 0
        else:
            ranks.append(3 if _KEYWORD.match(line, end) else 2)
    return min(ranks)
