"""Work on Rust units, side by side: what is done may bring more to do."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import nullcontext

from libdrift.execution.pool import WorkList, side_by_side
from libdrift.execution.rust.judging import Done, Step, Task


def in_parallel(tasks: Sequence[Task], workers: int, stop: threading.Event) -> Generator[Done]:
    """Do all work, and the work that comes of it; yield judgements as they are made."""
    listed = WorkList(tasks, stop)

    def do(task: Task) -> Iterable[Done]:
        step = Step()
        try:
            step = task()
        finally:
            listed.end(step.more)
        return step.done

    return side_by_side(listed, lambda: nullcontext(do), workers, stop)
