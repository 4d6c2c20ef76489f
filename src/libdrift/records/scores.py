from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """A number that can be trusted: no data is ``None``, never 0."""

    metric: str
    value: float | None
    stderr: float | None
    n: int
    split: str = ""
    group: str = "all"
