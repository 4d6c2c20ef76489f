"""Workers that share one list of work, which grows while it is done."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Iterator, Sequence

from libdrift.execution.rust.judging import Done, Step, Task


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
    work = _Work(tasks, stop)
    results: queue.SimpleQueue[Step | BaseException | None] = queue.SimpleQueue()

    def labour() -> None:
        try:
            while task := work.take():
                step = Step()
                try:
                    step = task()
                finally:
                    work.end(step.more)
                results.put(step)
        except BaseException as error:  # noqa: BLE001  (raised again where the results are read)
            results.put(error)
        results.put(None)

    count = max(1, min(workers, len(tasks) * workers))
    threads = [threading.Thread(target=labour, name=f"rust-{n}") for n in range(count)]
    for thread in threads:
        thread.start()
    running = len(threads)
    failure: BaseException | None = None
    try:
        while running:
            result = results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                stop.set()
                failure = failure or result
            else:
                yield from result.done
    finally:
        # Reached with work left only when the reader has gone, or a worker has failed.
        if running:
            stop.set()
        for thread in threads:
            thread.join()
    if failure:
        raise failure
