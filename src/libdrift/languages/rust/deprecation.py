"""What ``#[deprecated]`` says: since when, why, and what to use in its stead."""

from __future__ import annotations

import re

from libdrift.records import Deprecation

_PATH = r"(?P<path>[A-Za-z_]\w*!?(?:(?:::|\.)[A-Za-z_]\w*!?)*)"
# `Foo::bar` in quotes is sure to be a name; bare, it needs a mark of one: `::`, `_`, `(` or `!`.
_QUOTED = re.compile(rf"[`'\"](?:\w+::<[^`]*>::)?[\[.(&]?{_PATH}")
_ADVICE = re.compile(
    r"\b(?:us(?:ed?|ing)|renamed|replaced|moved|favou?r|prefer(?:red)?|superseded|see|call|switch|migrate)\b",
    re.IGNORECASE,
)
_BARE = re.compile(rf"\b(?:to|by|of|use|using|prefer|call)\s+(?:the\s+)?{_PATH}(?P<call>\(\)|!)?")


def read(since: str, note: str) -> Deprecation:
    message = " ".join(note.split())
    return Deprecation("attribute", message, since, replacement(message))


def replacement(message: str) -> str:
    """The name that a message advises, dotted as all paths are; empty where it names none."""
    advice = _ADVICE.search(message)
    if advice is None:
        return ""
    for match in _QUOTED.finditer(message):
        # "`a` is renamed to `b`": the one after the advice; "`b` should be used": the only one.
        if match.start() > advice.start() or len(_QUOTED.findall(message)) == 1:
            return dotted(match["path"])
    bare = _BARE.search(message)
    if bare and (bare["call"] or "::" in bare["path"] or "_" in bare["path"]):
        return dotted(bare["path"])
    return ""


def dotted(path: str) -> str:
    """``crate::a::B`` as ``a.B``; a macro without its mark."""
    return re.sub(r"^(?:crate|self|super|Self)\.", "", path.replace("::", ".").rstrip("!"))
