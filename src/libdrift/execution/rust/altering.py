"""Other literals: of the same type, length and style as the one whose place they take.

An answer may see the text of its tests (a macro that they call is its own, and can read the file).
So a changed literal is one that the author could have written: another one of the same tests where
there is one of that style, else the same one with a digit or a letter exchanged.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterable

from libdrift.execution.rust.lexing import Token

DICE = random.SystemRandom()
_NUMBER = re.compile(
    r"(?P<radix>0[xob])?(?P<digits>[0-9a-fA-F_]+?(?:\.[0-9_]+)?)(?P<rest>e[+-]?\d+)?"
    r"(?P<suffix>_?(?:[iu](?:8|16|32|64|128|size)|f32|f64))?"
)
_STRING = re.compile(r'(?P<opening>b?r?#*")(?P<inner>.*)(?P<closing>"#*)', re.DOTALL)
_CHAR = re.compile(r"(?P<opening>b?')(?P<inner>[^\\])'")
_CLASSES = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
_LENGTH = 8  # signs of a text that are about as many as others
_TURNED = {"true": "false", "false": "true"}


def altered(token: Token, others: Iterable[Token] = ()) -> str | None:
    """A literal unlike a given one, in its style; ``None`` for what is none, or not understood."""
    if token.kind == "word":
        return _TURNED.get(token.text)
    style = _style(token)
    if style is None:
        return None
    alike = [other.text for other in others if _style(other) == style]
    chosen = [text for text in alike if _value(text) != _value(token.text)]
    return DICE.choice(chosen) if chosen else _exchanged(token)


def _style(token: Token) -> tuple[object, ...] | None:
    """All but a literal's value: two of one style differ in nothing that a reader would notice."""
    if token.kind == "number":
        match = _NUMBER.fullmatch(token.text)
        if match is None:
            return None
        digits, suffix = match["digits"], match["suffix"] or ""
        shape = (match["radix"], "_" in digits, "." in digits, match["rest"] or "", suffix)
        return (*shape, len(digits.replace("_", "")))
    if token.kind == "string":
        match = _STRING.fullmatch(token.text)
        if match is None:
            return None
        inner = match["inner"]
        odd = ("\\" in inner, "{" in inner, "\n" in inner, not inner)
        return match["opening"], *odd, len(inner) // _LENGTH
    if token.kind == "char":
        match = _CHAR.fullmatch(token.text)
        return (match["opening"], _class(match["inner"])) if match else None
    return None


def _value(text: str) -> str:
    return text.replace("_", "")


def _exchanged(token: Token) -> str | None:
    """The same literal with one sign of its value exchanged for another of that sign's class."""
    if token.kind == "number":
        match = _NUMBER.fullmatch(token.text)
        assert match is not None  # noqa: S101  (it has a style)
        return _other_number(token.text, match)
    match = (_STRING if token.kind == "string" else _CHAR).fullmatch(token.text)
    assert match is not None  # noqa: S101
    inner, start = match["inner"], match.start("inner")
    places = [
        at for at, sign in enumerate(inner) if _class(sign) and inner[max(0, at - 1)] not in "\\{%"
    ]
    if not places or "\\" in inner:
        return None
    at = start + DICE.choice(places)
    sign = DICE.choice([one for one in _class(token.text[at]) if one != token.text[at]])
    return token.text[:at] + sign + token.text[at + 1 :]


def _other_number(text: str, match: re.Match[str]) -> str:
    known = {"0x": "0123456789abcdef", "0o": "01234567", "0b": "01"}.get(match["radix"] or "")
    start, end = match.span("digits")
    places = [at for at in range(start, end) if text[at] not in "_."]
    at = DICE.choice(places)
    signs = known or string.digits
    if known and any(sign in "ABCDEF" for sign in text[start:end]):
        signs = known.upper()
    if at == start and not known and len(places) > 1 and text[at + 1] != ".":
        signs = signs[1:]  # no number begins with a zero that need not be there
    sign = DICE.choice([one for one in signs if one != text[at]])
    return text[:at] + sign + text[at + 1 :]


def _class(sign: str) -> str:
    return next((signs for signs in _CLASSES if sign in signs), "")
