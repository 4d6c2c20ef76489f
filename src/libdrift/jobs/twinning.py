"""A file of tasks with twins: those after a cut-off, each beside a like one from before it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from libdrift import suites
from libdrift.errors import UserError
from libdrift.execution.runs import provenance
from libdrift.suites import task_files


@dataclass(frozen=True, slots=True)
class TwinnedFile:
    path: Path
    suite: str
    cutoff: date
    tasks: int
    pairs: int
    alone: int  # tasks after the cut-off that have no twin
    unused: int  # tasks up to the cut-off that are nobody's

    def to_json(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "suite": self.suite,
            "cutoff": self.cutoff.isoformat(),
            "tasks": self.tasks,
            "pairs": self.pairs,
            "alone": self.alone,
            "unused": self.unused,
        }


def build_twins(
    tasks: Path, cutoff: date, out: Path | None = None, *, force: bool = False
) -> TwinnedFile:
    """The tasks of a file that have a twin, and these; a tag tells whose is whose."""
    from libdrift.build.live.twins import twins_alone

    path = out or tasks.with_name(f"{tasks.stem}-twins{task_files.ENDING}")
    if path.suffix != task_files.ENDING:
        raise UserError(
            f"{path} does not end in {task_files.ENDING}",
            f"Write it like --out twins{task_files.ENDING}",
        )
    if path.exists() and not force:
        raise UserError(f"{path} already exists", "Choose another --out, or add --force")
    suite = suites.read_own(str(tasks))
    found = twins_alone(suite.tasks.values(), cutoff)
    if not found.pairs:
        raise UserError(
            f"{tasks}: no task after {cutoff} has a similar one from before it",
            "Choose another --cutoff, or build tasks of more releases",
        )
    title = f"{suite.title}: twins around {cutoff}"
    name = f"{suite.name}-twins"
    written = task_files.write(path, name, title, found.tasks, provenance())
    return TwinnedFile(path, name, cutoff, written, found.pairs, found.alone, found.unused)
