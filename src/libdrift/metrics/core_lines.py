"""Where an API is used: a block's core line, and all uses, as far as brackets and commas tell."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from libdrift.metrics.names import bare, occurs, positions, released_positions

MISSING = "N/A"
_INLINE = re.compile(r"'''(.*?)'''|\"\"\"(.*?)\"\"\"")
_TASK = re.compile(r"\bdef\s+task_function\b")
_ASSIGNED = re.compile(r"\s*=")

# In other languages types may stand between a name and its arguments.
_CALLED = re.compile(r"\s*+(?:<[\w\s,.?<>\[\]]{0,100}>\s*+)?\(")
_KEYWORD = re.compile(r"\s*=(?!=)")
IMPORT = re.compile(r"\s*(?:import|from|using)\b|.*\brequire\s*\(")
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
    imported = bool(IMPORT.match(line))
    ranks = [4]
    for start in positions(token, line):
        end = start + len(token)
        if imported:
            ranks.append(1)
        elif _CALLED.match(line, end) and not _DEFINED.search(
            line[max(0, start - _BEFORE) : start]
        ):
            return 0
        else:
            ranks.append(3 if _KEYWORD.match(line, end) else 2)
    return min(ranks)


# --- uses


@dataclass(frozen=True, slots=True)
class ApiUseShape:
    """How an API is used in one place."""

    arguments: int | None = None  # ``None``: it is not called
    keywords: frozenset[str] = frozenset()
    opens_with: bool = False
    imported: bool = False


# Each use with its line, from 1, and a column, in this order.
Uses = list[tuple[tuple[int, int], ApiUseShape]]

_SIGN = re.compile(r"[()\[\]{},]")
_BLANK = re.compile(r"\s*+")
_WITH = re.compile(r"\s*(?:async\s+)?with\b")
# How keyword arguments begin; Java and JavaScript have none.
_KEYWORDS = {
    "python": re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)"),
    "csharp": re.compile(r"\s*([^\W\d]\w*)\s*:(?!:)"),
}


def scanned(token: str, shown: str, language: str) -> Uses:
    """What brackets and commas tell of a text that is no code."""
    calls = {
        start: called.end()
        for start in positions(token, shown)
        if (called := _CALLED.match(shown, start + len(token)))
    }
    arguments = {call.start: call for call in _called(shown, set(calls.values()), language)}
    found: Uses = []
    first = 0
    for number, line in enumerate(shown.split("\n"), start=1):
        mention: ApiUseShape | None = None
        for column in positions(token, line):
            if mention is None:
                opens_with = language == "python" and bool(_WITH.match(line, 0, column))
                mention = ApiUseShape(opens_with=opens_with, imported=bool(IMPORT.match(line)))
            use = mention
            if first + column in calls and not mention.imported:
                call = arguments[calls[first + column]]
                use = ApiUseShape(call.arguments, frozenset(call.keywords), mention.opens_with)
            found.append(((number, column), use))
        first += len(line) + 1
    return found


@dataclass(slots=True)
class _Call:
    """Brackets and what is in them, argument by argument."""

    start: int
    item: int  # where the last argument starts
    arguments: int = 0
    keywords: set[str] = field(default_factory=set)


def _called(shown: str, starts: Container[int], language: str) -> Iterator[_Call]:
    """The brackets that open before each start, up to their end or the text's, in one pass."""
    pattern = _KEYWORDS.get(language)

    def take(call: _Call, end: int) -> None:
        blank = _BLANK.match(shown, call.item, end)
        if call.start in starts and blank and blank.end() < end:
            call.arguments += 1
            keyword = pattern.match(shown, call.item, end) if pattern else None
            call.keywords.update(keyword.groups() if keyword else ())

    stack: list[_Call] = []
    for match in _SIGN.finditer(shown):
        if match[0] in "([{":
            stack.append(_Call(match.end(), match.end()))
        elif stack:
            take(stack[-1], match.start())
            stack[-1].item = match.end()
            if match[0] != ",":
                yield stack.pop()
    for call in stack:
        take(call, len(shown))
        yield call
