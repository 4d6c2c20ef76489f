from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from libdrift.records.advice import Replacement


class ChangeKind(StrEnum):
    """How a public name differs from one release to the next."""

    INTRODUCED = "introduced"
    REMOVED = "removed"
    DEPRECATED = "deprecated"
    UNDEPRECATED = "undeprecated"
    SIGNATURE = "signature"
    RENAMED = "renamed"
    MOVED = "moved"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two releases, under the most public of its paths.

    ``aspect`` says what of a signature or a behaviour: added, removed, renamed, reordered, kind,
    default, required, optional, keyword-only; value, bases, type. ``parameter`` names which.
    """

    package: str
    old: str  # versions
    new: str
    kind: ChangeKind
    path: str
    symbol: str  # its kind: function, method, class…
    aspect: str = ""
    parameter: str = ""
    before: str = ""
    after: str = ""
    detail: str = ""  # one line for a person
    replacement: str = ""  # a path, or for a parameter its new name
    breaking: bool = False
    evidence: tuple[str, ...] = ()
    confidence: float = 1.0
    aliases: tuple[str, ...] = ()  # other paths of the same thing, that changed with it
    how: Replacement | None = None  # the replacement as an edit of the code that uses it
