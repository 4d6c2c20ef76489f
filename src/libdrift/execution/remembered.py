"""What scripts did, kept on disk where they will do the same again.

A run that something else ended, such as a limit of time on a busy machine, says nothing of its
script. It is never kept: a later run would repeat what was true for a moment. One that waits for
itself, with nothing left to run, is ended early, and will wait again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import kept
from libdrift.environments import Ready
from libdrift.execution.scripts import Allowance, run_script, starts_programs
from libdrift.sandbox.commands import Ended
from libdrift.sandbox.limits import Limits

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

logger = logging.getLogger(__name__)
KIND, FORMAT = "output", 1
_UNSEALED = b'{"status"'
_LAYOUT = 1  # part of every key: raise it when the way that scripts are run changes what they print
_STILL = 30.0  # seconds in which nothing of a script runs or could: it waits for ever
_SIGNALS = 128  # and more: what a status is for one that was killed
_OUTSIDE = (9, 24)  # signals from without: no memory is left, or no processor time
# What a script says that the machine has no room for.
_SHORT = re.compile(
    r"MemoryError|cannot allocate memory|can't start new thread|resource temporarily unavailable"
    r"|no space left on device|too many open files",
    re.IGNORECASE,
)


def of_the_moment(ended: Ended) -> str:
    """Why a run says nothing of its script: another one might end in another way."""
    if ended.trouble or ended.stopped_by == "request":
        return ended.trouble or "stopped before its end"
    if ended.stopped_by == "time" or (ended.status or 0) - _SIGNALS in _OUTSIDE:
        return f"its run was ended after {ended.seconds:.0f} s: what it does is not known"
    return ""


@dataclass(frozen=True, slots=True)
class Memory:
    """A script, its place, and what it is known to do there."""

    script: str
    place: Ready
    options: Options

    def run(self, limits: Limits, stop: threading.Event, *, seed: int) -> Ended:
        """Run the script, or recall what it did."""
        path = self._path(limits, seed)
        known = _read(path)
        if known is not None and _lasts(known):
            return known
        allowed = Allowance(starts_programs(self.script), _STILL)
        ended = run_script(
            self.script, self.place, self.options, limits, stop, seed=seed, allowed=allowed
        )
        if _lasts(ended):
            _write(path, ended)
        return ended

    def _path(self, limits: Limits, seed: int) -> Path:
        place, backend = self.place, self.options.backend
        # All limits but those of time, which nothing that is kept has run out of.
        timeless = asdict(replace(limits, wall_seconds=0.0, cpu_seconds=0))
        content = [_LAYOUT, place.folder.name, place.interpreter, seed, self.script, timeless]
        if not backend.isolates:
            content.append(backend.name)  # what is seen of the machine is another thing
        key = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]
        return self.options.settings.cache / "outputs" / f"{key}.json"


def _lasts(ended: Ended) -> bool:
    """Whether a script came to an end of its own, with all the room that it asked for."""
    if ended.stopped_by == "waiting":
        return True  # however busy the machine: it was not waiting for a processor
    if ended.trouble or ended.stopped_by or ended.status is None or ended.status > _SIGNALS:
        return False
    return not _SHORT.search(ended.stdout) and not _SHORT.search(ended.stderr)


def parsed(data: bytes) -> Ended:
    """What a file of the store says; a ``ValueError`` or ``TypeError`` if it is damaged."""
    # Files that were written before files were sealed begin at once.
    body = data if data.startswith(_UNSEALED) else kept.unseal(KIND, FORMAT, data)
    return Ended(**json.loads(body))


def _read(path: Path) -> Ended | None:
    try:
        return parsed(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None  # not there, or half of it: it is run anew, and written anew


def _write(path: Path, ended: Ended) -> None:
    content = {k: v for k, v in asdict(replace(ended, kept={})).items() if k != "kept"}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept.write_whole(path, kept.seal(KIND, FORMAT, json.dumps(content).encode()))
    except OSError as error:  # a disk that is full only means to run it again
        logger.warning("output of a script cannot be stored in %s: %s", path.parent, error)
