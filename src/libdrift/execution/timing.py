"""How long an answer may take: by what its reference takes on this machine.

An answer is given the least time beside others. One that takes longer is judged again, alone, with
as many times the reference's own time as is allowed: so a slow or busy machine changes no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from libdrift.sandbox import Limits

_PATIENCE = 20.0  # times the least limit: what a right answer may take, when it is timed


@dataclass(slots=True)
class Timing:
    """The time limits of one run."""

    floor: Limits  # its time is the least that an answer is given
    factor: float  # an answer may take this many times as long as its reference
    _seconds: dict[Hashable, float] = field(default_factory=dict)

    @property
    def patient(self) -> Limits:
        """For a right answer."""
        return self.floor.with_time(_PATIENCE * self.floor.wall_seconds)

    def alone(self, key: Hashable, measure: Callable[[Limits], float]) -> Limits:
        """For an answer that was too slow beside others.

        ``measure`` runs the reference, within limits, and says how long that took; once a key.
        """
        if key not in self._seconds:
            self._seconds[key] = measure(self.patient)
        seconds = self._seconds[key] * self.factor
        return self.floor.with_time(max(self.floor.wall_seconds, seconds))
