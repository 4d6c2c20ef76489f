"""The APIs that a text in words speaks of: those that it says have changed.

What it says still works is not among them, nor what it tells to use instead.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from keyword import iskeyword

_MARKED = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")
NAME = re.compile(r"[^\W\d]\w*(?:[.$#][^\W\d]\w*)*")
DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.k.a"})
_LINE = re.compile(
    r"(?:(?:[-*•]|\d+[.)])[ \t]{0,9})?[\"']?(?P<name>[^\W\d]\w*)(?:\(\))?[\"']?[,.]?"
)
_PARTS = re.compile(
    r"\n+|(?<=[\w)`*\"'])[.!?](?=\s|$)|;|(?<!\w)(?:but|while|whereas|although|though|however)(?!\w)",
    re.IGNORECASE,
)
# What stands right before a name that is to be used instead of another.
_INSTEAD = re.compile(
    r"(?:\b(?:us(?:e|ing)|by|with|to|of|recommended|recommends?|prefer(?:red)?|such as|like|via|"
    r"replacements?|alternatives?|successor|substitute|called|now|is|are|was)"
    r"|->|→|=>|⇒)(?:\s+(?:is|are|the|its|new|function|method|class|api|package|module))*[\s:=(]*$",
    re.IGNORECASE,
)
_LED = re.compile(
    r"\b(?:us(?:e|ing)|replac\w+ (?:it |them |this )?(?:by|with)|in fav(?:o|ou)r of|moved to|"
    r"renamed (?:to|as)|"
    r"superseded by|switch\w*|migrat\w+|transferred to|integrated into|such as|via|"
    r"replacements?|alternatives?|successor|substitute|prefer(?:red)?|recommend\w*|instead)\b|"
    r"->|→|=>|⇒",
    re.IGNORECASE,
)
_SHUNNED = re.compile(
    r"(?:\b(?:not|never|cannot|avoid|stop|instead of|rather than|"
    r"longer|code|you|it|that|which|function|still)|n't)\s+(?:be )?(?:us(?:e|ing|es)\s*)?$"
    r"|\buses\s*$",
    re.IGNORECASE,
)
_ALSO = re.compile(r"^[\s,/]*(?:or|and|/|,)?[\s,/]*$", re.IGNORECASE)
_CHANGE = (
    r"(?:deprecated|removed|affected|changed|moved|renamed|replaced|gone|broken|added|obsolete|"
    r"a problem|an issue)"
)
_SPARED = re.compile(
    rf"(?:\b(?:not|never|neither|nor)|n't)\s+(?:\w+\s+){{0,2}}{_CHANGE}\b"
    r"|\bunaffected\b|\bunchanged\b|\bno (?:problems?|issues?|changes?)\b",
    re.IGNORECASE,
)
_HIT = re.compile(
    r"\b(?:deprecat\w+|remov\w+|delet\w+|moved|renamed|replaced|superseded|obsolete|gone|missing|"
    r"added|introduced|new (?:in|since)|no longer|unavailable|fails?|breaks?|broken)\b"
    r"|(?:\bnot|n't|\bnever|\bcannot)\s+(?:\w+\s+){0,2}(?:work\w*|available|supported|exist\w*|valid|"
    r"compatible|present|found|there|known)\b|\bstop(?:s|ped) working|\bused to work|\bworks? only"
    r"|\bonly works?",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"\bworks?\b|\bworking\b|\bstill\b|\bremains?\b|\bstays?\b|\bkept\b"
    r"|\b(?:is|are|looks?) (?:all |perfectly )?(?:fine|ok|okay|compatible|valid|supported|"
    r"available|safe|there|present|good)\b",
    re.IGNORECASE,
)
_LONGEST = 100_000  # characters of words that are read
_NEAR = 300  # characters before a name that tell what it is
_NONE = re.compile(
    r"^\W*(?:none|nothing|no (?:apis?|functions?|methods?|class(?:es)?|changes?|issues?|problems?|"
    r"such)|all (?:apis?|of (?:them|the)|functions?|calls))\b",
    re.IGNORECASE,
)


_Spot = tuple[str, int, int]  # a name, where it begins, and where it ends


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, and what the text around it says of it."""

    name: str
    at: int
    changed: bool  # said to have changed; else it is fine, or to be used instead
    instead: bool = False


def names_in_words(text: str) -> list[str]:
    """The names that a text says have changed: marked ones, else those with a dot, else lines."""
    found = mentions(text[:_LONGEST], lines=True)
    return list(dict.fromkeys(one.name for one in found if one.changed))


def hit_words(text: str, words: Collection[str]) -> list[str]:
    """Those of some words that a text says have changed, without any mark."""
    found = []
    for word in words:
        for start, end in _parts(text):
            part = text[start:end]
            said = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", part)
            if said and _HIT.search(part) and not _is_fine(part, text):
                if not _is_instead(part[: said.start()]):
                    found.append(word)
                break
    return found


def mentions(text: str, *, lines: bool = False) -> list[Mention]:
    """Every name in a text; ``lines``: where none has a mark or a dot, lines are names."""
    marked, dotted = list(_marked(text)), list(_with_dots(text))
    found = _placed(text, marked or dotted or (list(_lines(text)) if lines else []))
    if marked and dotted and not any(one.changed for one in found):
        # Marks may be for what is to be used instead, alone.
        spots = {first: (name, first, after) for name, first, after in (*dotted, *marked)}
        inside = {at for _, first, after in marked for at in range(first + 1, after)}
        found = _placed(text, [spots[at] for at in sorted(spots) if at not in inside])
    return found


def _placed(text: str, spots: Iterable[_Spot]) -> list[Mention]:
    found: list[Mention] = []
    left = deque(spots)
    for start, end in _parts(text):
        led = False  # a name before in this part is to be used instead
        last = start
        fine = bool(left) and left[0][1] < end and _is_fine(text[start:end], text)
        row = text[start:end].lstrip().startswith("|")  # of a table: the first is what it is of
        while left and left[0][1] < end:
            name, first, after = left.popleft()
            before = text[max(start, first - _NEAR) : first].replace("*", "").rstrip("`\"'")
            led = (
                _is_instead(before)
                or (led and bool(_ALSO.match(text[last:first].strip("`*"))))
                or (row and last > start)
            )
            found.append(Mention(name, first, changed=not led and not fine, instead=led))
            last = after
    return found


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _PARTS.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _is_fine(part: str, text: str) -> bool:
    """Whether a part of a text says of its names that nothing happened to them."""
    if _SPARED.search(part):
        return True
    if _HIT.search(part):
        return False
    return bool(
        _FINE.search(part) or _NONE.match(part) or (_NONE.match(text) and part in text[:200])
    )


def _is_instead(before: str) -> bool:
    if _SHUNNED.search(before):
        return False
    return bool(_INSTEAD.search(before[-60:]) and _LED.search(before))


def _marked(text: str) -> Iterator[_Spot]:
    for match in _MARKED.finditer(text):
        name = (match[1] or match[2]).strip("` ").partition("(")[0].strip().lstrip(".")
        if NAME.fullmatch(name) and not iskeyword(name) and (match[1] or "." in name):
            yield name, match.start(), match.end()


def _with_dots(text: str) -> Iterator[_Spot]:
    for match in DOTTED.finditer(text):
        if match[0].lower() not in _ABBREVIATIONS:
            yield match[0], match.start(), match.end()


def _lines(text: str) -> Iterator[_Spot]:
    """Lines that are a name, and nothing else."""
    at = 0
    for line in text.splitlines(keepends=True):
        plain = line.strip()
        match = _LINE.fullmatch(plain) if len(plain) <= _NEAR else None
        if match:
            begun = at + len(line) - len(line.lstrip())
            yield match["name"], begun + match.start("name"), begun + match.end("name")
        at += len(line)
