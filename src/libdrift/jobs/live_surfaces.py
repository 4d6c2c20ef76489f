"""What the releases of a step offer, read where that is not known yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift.errors import UserError
from libdrift.jobs.histories import history_file, mine, open_history

if TYPE_CHECKING:
    from libdrift.build.live.evidence import Pair
    from libdrift.build.live.pairs import ReleaseStep
    from libdrift.mining import MiningResult


@dataclass(frozen=True, slots=True)
class UnreadStep:
    """Why the releases of a step could not be read."""

    reason: str
    transient: bool = False  # the network's or the machine's trouble: worth another try


def surfaces_of(
    package: str, steps: Sequence[ReleaseStep], store: Path | None, workers: int
) -> dict[tuple[str, str, str], Pair | UnreadStep]:
    """Of every step of a package its two surfaces, or why there are none."""
    from libdrift.mining import MiningOptions
    from libdrift.mining.options import Runtime

    versions = tuple(dict.fromkeys(v for step in steps for v in (step.old, step.new)))
    place = history_file(store)
    options = MiningOptions(versions=versions, runtime=Runtime.NEVER, workers=workers)
    told = mine([package], options, place)
    found: dict[tuple[str, str, str], Pair | UnreadStep] = {}
    with open_history(place) as history:
        for step in steps:
            try:
                old, new = history.surfaces(package, (step.old, step.new))
                found[step.key] = (old, new)
            except UserError:
                found[step.key] = _unread(step, told)
    return found


def _unread(step: ReleaseStep, told: MiningResult) -> UnreadStep:
    for event in told.failed:
        if event.release.version in {step.old, step.new}:
            return UnreadStep(f"{event.release} cannot be read: {event.reason}", event.transient)
    for absent in told.missing:
        return UnreadStep(str(absent.error), not isinstance(absent.error, UserError))
    return UnreadStep("its releases are gone from the index")
