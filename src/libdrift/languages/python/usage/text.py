"""What code says of a library: imports, and the names that go on from them. Any text is read.

Nothing is parsed: starting code is often cut off, and has a gap in it. A variable has the type of
its annotation, or of the call that it is first given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from libdrift.languages.python.usage.imports import imported_by_text, without_imports
from libdrift.metrics.names import bare

_NAME = r"[^\W\d]\w*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_DOTTED = re.compile(rf"(?<![\w.])({_NAME})((?:\.{_NAME})*)")
_MEMBER = re.compile(rf"[)\]]\s*\.({_NAME})")
_TYPED = re.compile(rf"(?<![\w.])({_NAME})\s*:\s*({_PATH})(?![\w.(])")
_RETURNS = re.compile(rf"->\s*({_PATH})")
_HINT = re.compile(rf"(?:->|(?<=\w):)\s*{_PATH}(?:\[[^\]\n]*\])?(?=\s*[,)=:|\n]|$)")
_GIVEN = re.compile(rf"^[ \t]*({_NAME})[ \t]*(?::[^=\n]*)?=[ \t]*({_PATH})\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mentions:
    """Paths as they are written: whether they lead anywhere, only a release can tell."""

    aliases: dict[str, str]  # the names that imports give, and what they stand for
    used: tuple[str, ...]  # what is more than imported, and no annotation
    types: tuple[str, ...]  # of parameters and variables
    returned: tuple[str, ...]  # types that functions say they return, and are not given
    members: tuple[str, ...]  # names on values of which nothing is known
    typed: dict[str, str] = field(default_factory=dict)  # parameters and variables: their types


def mentions(code: str) -> Mentions:
    text = bare(code)
    found = (item for item in imported_by_text(text) if not item.is_relative and not item.is_star)
    aliases = {item.name: item.path for item in found}  # what is relative is the code's own
    rest = without_imports(text)
    types: dict[str, str] = {}
    for name, written in (*_TYPED.findall(rest), *_GIVEN.findall(rest)):
        known = _resolved(written, aliases)
        if known:
            types.setdefault(name, known)
    returned = [_resolved(written, aliases) for written in _RETURNS.findall(rest)]
    used: dict[str, None] = {}
    members: dict[str, None] = {}
    rest = _HINT.sub(" ", rest)
    for root, more in _DOTTED.findall(rest):
        known = aliases.get(root) or (types.get(root, "") if more else "")
        if known:
            used[known + more] = None
        elif more:
            members.update(dict.fromkeys(more[1:].split(".")))
    members.update(dict.fromkeys(_MEMBER.findall(rest)))
    given = set(types.values())
    return Mentions(
        aliases,
        tuple(used),
        _once(types.values()),
        _once(path for path in returned if path and path not in given),
        tuple(members),
        types,
    )


def _once(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _resolved(written: str, aliases: dict[str, str]) -> str:
    root, dot, rest = written.partition(".")
    return f"{aliases[root]}{dot}{rest}" if root in aliases else ""
