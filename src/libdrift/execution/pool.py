"""Workers that judge side by side: one pool for tests of every style."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")
_Item_co = TypeVar("_Item_co", covariant=True)
_Result = TypeVar("_Result")


class Work(Protocol[_Item_co]):
    """What there is to do."""

    def take(self, worker: int) -> _Item_co | None:
        """The next item for a worker; ``None`` when there is nothing left for it."""
        ...


class WorkList(Work[_Item]):
    """Items that are known from the beginning; or become known while others are worked on."""

    def __init__(self, items: Iterable[_Item], stop: threading.Event) -> None:
        self._left = deque(items)
        self._under_way = 0
        self._changed = threading.Condition()
        self._stop = stop

    def take(self, worker: int) -> _Item | None:
        del worker  # any will do
        with self._changed:
            while not self._left and self._under_way and not self._stop.is_set():
                self._changed.wait(0.2)
            if not self._left or self._stop.is_set():
                return None
            self._under_way += 1
            return self._left.popleft()

    def end(self, more: Sequence[_Item] = ()) -> None:
        """An item is done, and has brought more."""
        with self._changed:
            self._left.extend(more)
            self._under_way -= 1
            self._changed.notify_all()


def side_by_side(
    work: Work[_Item],
    worker: Callable[[], AbstractContextManager[Callable[[_Item], Iterable[_Result]]]],
    workers: int,
    stop: threading.Event,
) -> Generator[_Result]:
    """Do all work, yielding results as they come; closing it ends what runs and starts no more.

    ``worker`` makes what each worker has for itself, in the worker's own thread.
    """
    results: queue.SimpleQueue[Iterable[_Result] | BaseException | None] = queue.SimpleQueue()

    def labour(number: int) -> None:
        try:
            with worker() as do:
                while not stop.is_set():
                    item = work.take(number)
                    if item is None:
                        break
                    results.put(do(item))
        except BaseException as error:  # noqa: BLE001  (raised again where the results are read)
            results.put(error)
        results.put(None)

    count = max(1, workers)
    threads = [threading.Thread(target=labour, args=(n,), name=f"worker-{n}") for n in range(count)]
    for thread in threads:
        thread.start()
    running, failure = count, None
    try:
        while running:
            result = results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                stop.set()
                failure = failure or result
            else:
                yield from result
    finally:
        # Reached with work left only when the reader has gone, or a worker has failed.
        if running:
            stop.set()
        for thread in threads:
            thread.join()
    if failure:
        raise failure


def each(
    items: Iterable[_Item],
    do: Callable[[_Item], Iterable[_Result]],
    workers: int,
    stop: threading.Event,
) -> Generator[_Result]:
    """As ``side_by_side``, for items that need nothing but a function."""
    listed = WorkList(items, stop)

    def done(item: _Item) -> Iterable[_Result]:
        try:
            return list(do(item))
        finally:
            listed.end()

    return side_by_side(listed, lambda: nullcontext(done), workers, stop)
