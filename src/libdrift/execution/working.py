"""Threads that do the same work side by side, and one reader of what they bring."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import TypeVar

_Result = TypeVar("_Result")


def side_by_side(
    work: Callable[[Callable[[_Result], None]], None], workers: int, stop: threading.Event
) -> Generator[_Result, None, None]:
    """Let each of some threads do ``work``, which hands over results; yield these.

    What a thread raises is raised here, when all have ended. A reader that goes away sets ``stop``.
    """
    results: queue.SimpleQueue[tuple[_Result] | BaseException | None] = queue.SimpleQueue()

    def labour() -> None:
        try:
            work(lambda result: results.put((result,)))
        except BaseException as error:  # noqa: BLE001  (raised again where the results are read)
            results.put(error)
        results.put(None)

    threads = [threading.Thread(target=labour, name=f"worker-{n}") for n in range(max(1, workers))]
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
                yield result[0]
    finally:
        # Reached with work left only when the reader has gone, or a worker has failed.
        if running:
            stop.set()
        for thread in threads:
            thread.join()
    if failure:
        raise failure
