from __future__ import annotations

from enum import StrEnum


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
