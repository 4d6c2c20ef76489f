"""What a construction gives: its tasks, and how many candidates became none, by reason."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from libdrift.records import Task


@dataclass(frozen=True, slots=True)
class Built:
    """``left_out``: reason to candidates. ``counts``: tasks of each version, file or the like."""

    tasks: tuple[Task, ...]
    left_out: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def veiled(path: str) -> str:
    """A path in a task's id, where it would give the answer away."""
    return hashlib.sha256(path.encode()).hexdigest()[:8]
