"""How far an evaluation is, on stderr."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from libdrift.cli import common

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from libdrift.evals.troubles import Trouble
    from libdrift.records import Task


class Watching:
    """Two lines: tasks asked, with what went wrong, and answers judged, with their outcomes."""

    def __init__(self, bar: Bar, tasks: int, verdicts: int) -> None:
        self._bar = bar
        self._asked = bar.add_task("asked", total=tasks, note="")
        self._judged = bar.add_task("judged", total=verdicts, note="")
        self._fetching: Any = None
        self._troubles: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()

    def known(self, tasks: int) -> None:
        """Tasks that an earlier session has done."""
        self._bar.advance(self._asked, tasks)

    def answered(self, task: Task, trouble: Trouble | None) -> None:
        del task
        if trouble is not None:
            self._troubles[trouble.kind.value] += 1
        self._bar.update(self._asked, advance=1, note=_counts(self._troubles))

    def judged(self, outcome: str) -> None:
        self._outcomes[outcome] += 1
        self._bar.update(self._judged, advance=1, note=_counts(self._outcomes))

    def said(self, what: str) -> None:
        if self._bar.disable:  # nobody sees the bar
            common.note(what)
        self._bar.update(self._asked, note=what)

    def fetched(self, done: int, total: int) -> None:
        """Bytes of a model's weights."""
        if self._fetching is None:
            self._fetching = self._bar.add_task("weights, MB", total=total >> 20, note="")
        self._bar.update(self._fetching, completed=done >> 20)


def _counts(found: Counter[str]) -> str:
    return " ".join(f"{name} {count}" for name, count in sorted(found.items()))
