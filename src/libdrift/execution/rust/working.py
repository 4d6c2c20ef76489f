"""Workers that share one list of work, which grows while it is done."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from libdrift.execution.rust.judging import Done, Step, Task
from libdrift.execution.working import side_by_side


class _Work:
    """Work to do; it is over when none is left and none is under way, which could bring more."""

    def __init__(self, tasks: Sequence[Task], stop: threading.Event) -> None:
        self._left = deque(tasks)
        self._under_way = 0
        self._changed = threading.Condition()
        self._stop = stop

    def take(self) -> Task | None:
        with self._changed:
            while not self._left and self._under_way and not self._stop.is_set():
                self._changed.wait(0.2)
            if not self._left or self._stop.is_set():
                return None
            self._under_way += 1
            return self._left.popleft()

    def end(self, more: Sequence[Task]) -> None:
        with self._changed:
            self._left.extend(more)
            self._under_way -= 1
            self._changed.notify_all()


def in_parallel(tasks: Sequence[Task], workers: int, stop: threading.Event) -> Iterator[Done]:
    """Do all work, and the work that comes of it; yield judgements as they are made."""
    left = _Work(tasks, stop)

    def work(tell: Callable[[Step], None]) -> None:
        while task := left.take():
            step = Step()
            try:
                step = task()
            finally:
                left.end(step.more)
            tell(step)

    count = max(1, min(workers, len(tasks) * workers))
    with closing(side_by_side(work, count, stop)) as steps:
        for step in steps:
            yield from step.done
