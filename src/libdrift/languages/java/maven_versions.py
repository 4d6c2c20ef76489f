"""Versions of Maven artifacts: their order, and which of them are not for everyday use."""

from __future__ import annotations

import re

# Less than a release, in this order; whatever else is no number is more than it.
_BEFORE = ("alpha", "beta", "milestone", "rc", "snapshot")
_SHORT = {"a": "alpha", "b": "beta", "m": "milestone", "cr": "rc", "ea": "alpha", "pre": "rc"}
_SHORT["preview"] = "rc"
_PLAIN = ("", "final", "ga", "release")
_PARTS = re.compile(r"\d+|[a-z]+")
Key = tuple[tuple[int, int, str], ...]


def order(version: str) -> Key:
    """A key to sort by, after Maven's own rules: 1.0-rc1 < 1.0 < 1.0-jre < 1.0.1."""
    return (*(_token(text) for text in _PARTS.findall(version.lower())), (0, 0, ""))


def is_prerelease(version: str) -> bool:
    return any(rank < 0 for rank, _, _ in order(version))


def _token(text: str) -> tuple[int, int, str]:
    if text.isdecimal():
        number = int(text)
        return (3, number, "") if number else (0, 0, "")
    word = _SHORT.get(text, text)
    if word in _BEFORE:
        return (_BEFORE.index(word) - len(_BEFORE), 0, "")
    if word in _PLAIN:
        return (0, 0, "")
    return (2, 0, word)
