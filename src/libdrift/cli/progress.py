"""How far a long command is, where nobody sees a bar: a plain line now and then, for a log."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import Task

SECONDS = 30.0


@contextlib.contextmanager
def told(bar: Bar, say: Callable[[str], None], seconds: float = SECONDS) -> Iterator[None]:
    """Say every ``seconds`` how far the lines of ``bar`` are; a short command says nothing."""
    lines = _Lines(bar)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(seconds):
            for line in lines.due():
                say(line)

    thread = threading.Thread(target=watch, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class _Lines:
    """Which lines of a bar have something new to tell."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._seen: dict[int, tuple[float, float | None, str]] = {}

    def due(self) -> list[str]:
        """What moved; where nothing did, what is still under way."""
        tasks = self._bar.tasks
        moved = [task for task in tasks if self._moved(task)]
        return [line_of(task) for task in moved or [one for one in tasks if not one.finished][:1]]

    def _moved(self, task: Task) -> bool:
        state = (task.completed, task.total, str(task.fields.get("note", "")))
        before = self._seen.get(task.id)
        self._seen[task.id] = state
        return before != state


def line_of(task: Task) -> str:
    """``answers 120/656 (18 %), 0:02:30 gone, about 0:11:10 left, passed 100 failed 20``."""
    done, total, gone = int(task.completed), task.total, task.elapsed or 0.0
    parts = [f"{task.description} {done}"]
    if total:
        parts[0] += f"/{int(total)} ({100 * done / total:.0f} %)"
    parts.append(f"{clock(gone)} gone")
    if total and 0 < done < total:
        parts.append(f"about {clock(gone * (total - done) / done)} left")
    note = str(task.fields.get("note", ""))
    return ", ".join([*parts, note] if note else parts)


def clock(seconds: float) -> str:
    """Hours, minutes and seconds."""
    return str(timedelta(seconds=round(seconds)))
