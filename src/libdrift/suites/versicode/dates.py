"""Dates, in whatever spelling the data has them."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# 2023-01-31, 2023/1/31, 2023.1, 2023, 20230131; a time of day may follow.
_NUMBERS = re.compile(r"(\d{4})(?:[-/.]?(\d{1,2})(?:[-/.]?(\d{1,2}))?)?(?:[T ,].*|$)")
_WORDS = re.compile(
    r"(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?\s+)?(?P<month>[A-Za-z]{3,9})\.?"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?)?\s*,?\s*(?P<year>\d{4})(?:[T ,].*|$)"
)


@cache
def parse(text: str) -> date | None:
    """The day that is meant, the first where only a month or year is; ``None`` if none is."""
    numbers = _NUMBERS.match(text.strip())
    if numbers:
        return _date(numbers[1], int(numbers[2] or 1), numbers[3])
    words = _WORDS.match(text.strip())
    if words and words["month"][:3].lower() in _MONTHS:
        month = _MONTHS.index(words["month"][:3].lower()) + 1
        return _date(words["year"], month, words["before"] or words["after"])
    return None


def _date(year: str, month: int, day: str | None) -> date | None:
    try:
        return date(int(year), month, int(day or 1))
    except ValueError:
        return None
