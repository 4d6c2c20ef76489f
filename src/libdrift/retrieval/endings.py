"""What code that breaks off is about to name, or is about to give arguments to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libdrift.languages.python.usage import Mentions
from libdrift.metrics.names import bare

_PATH = r"[^\W\d]\w*(?:\.\w+)*"
_IMPORTS = re.compile(r"(?:^|\n)[ \t]*(?:from|import)[ \t]+(?P<path>[\w.]+)(?:\.|[ \t]+import)$")
_MEMBER = re.compile(rf"(?<![\w.])(?P<path>{_PATH})\.$")
_NAME = re.compile(rf"(?:=|\breturn\b|(?:^|\n))[ \t]*(?P<path>{_PATH})$")
_CALLED = re.compile(rf"(?<![\w.])(?P<before>(?:def|class)[ \t]+)?(?P<path>{_PATH})[ \t]*$")
_BASE = re.compile(r"^[ \t]*class[ \t]+\w+\([ \t]*([\w.]+)", re.MULTILINE)
_CLOSING = {")": "(", "]": "[", "}": "{"}


def scope_of(code: str, seen: Mentions) -> str:
    """What the next name is of: ``resp.`` a value, ``from x import`` and ``import x.`` a module."""
    text = code.rstrip()
    match = _IMPORTS.search(text)
    if match:
        return match["path"].rstrip(".")
    match = _MEMBER.search(text)
    if match is None:
        return ""
    root, _, rest = match["path"].partition(".")
    known = _base(code, seen) if root == "self" else _known(root, seen)
    return f"{known}.{rest}".rstrip(".") if known else ""


def thing_of(code: str, seen: Mentions) -> str:
    """The path of what the last name stands for, or of the call that is still open."""
    text = bare(code).rstrip()
    match = _NAME.search(text)
    if match:
        return _resolved(match["path"], seen)
    for at in _unclosed(text):
        called = _CALLED.search(text[:at]) if text[at] == "(" else None
        found = _resolved(called["path"], seen) if called and not called["before"] else ""
        if found:
            return found
    return ""


def _unclosed(text: str) -> Iterator[int]:
    """The places of brackets that are not closed, the last first."""
    closed: list[str] = []
    for at in range(len(text) - 1, -1, -1):
        if text[at] in _CLOSING:
            closed.append(_CLOSING[text[at]])
        elif closed and text[at] == closed[-1]:
            closed.pop()
        elif not closed and text[at] in "([{":
            yield at


def _resolved(path: str, seen: Mentions) -> str:
    root, dot, rest = path.partition(".")
    known = _known(root, seen)
    return f"{known}{dot}{rest}" if known else ""


def _known(root: str, seen: Mentions) -> str:
    return seen.typed.get(root) or seen.aliases.get(root, "")


def _base(code: str, seen: Mentions) -> str:
    """The class that the last class of some code is made from."""
    for written in reversed(_BASE.findall(code)):
        root, dot, rest = written.partition(".")
        if root in seen.aliases:
            return f"{seen.aliases[root]}{dot}{rest}"
    return ""
