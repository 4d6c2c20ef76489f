"""What documentation says that a call gives, where no annotation does."""

from __future__ import annotations

import re

_FIELD = re.compile(r"^[ \t]*:rtype:[ \t]*(.+)$", re.MULTILINE)
_SECTION = re.compile(
    r"^([ \t]*)Returns?[ \t]*\n\1-{3,}[ \t]*\n((?:\1[^\n]*\n?|[ \t]*\n)+)", re.MULTILINE
)
_NEXT_SECTION = re.compile(r"^\S[^\n]*\n-{3,}[ \t]*$", re.MULTILINE)
_NAMED = re.compile(r"^\w+[ \t]*:[ \t]+(.+)$")
_ROLE = re.compile(r":(?:py:)?\w+:`[~!]?([\w.]+)`|`{1,2}[~!]?([\w.]+)`{1,2}")
_CLASS = re.compile(r"(?:[a-z_]\w*\.)*_?[A-Z]\w*")


def returned_class(doc: str) -> str:
    """The one class that ``:rtype:`` names, or a section of its own; empty if it says more."""
    field = _FIELD.search(doc)
    if field:
        return _class_in(field[1])
    section = _SECTION.search(doc + "\n")
    if section is None:
        return ""
    body = _NEXT_SECTION.split(_dedented(section[2], section[1]))[0]
    heads = [line for line in body.splitlines() if line and not line[0].isspace()]
    if len(heads) != 1:  # several values, or prose
        return ""
    named = _NAMED.match(heads[0])
    return _class_in(named[1] if named else heads[0])


def _class_in(text: str) -> str:
    plain = _ROLE.sub(lambda found: found[1] or found[2], text).strip().rstrip(".")
    return plain if _CLASS.fullmatch(plain) else ""


def _dedented(text: str, margin: str) -> str:
    return "\n".join(line.removeprefix(margin) for line in text.splitlines())
