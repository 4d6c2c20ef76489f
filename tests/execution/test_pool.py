"""One pool: all work is done once, more may come of it, and a reader who leaves ends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import closing, nullcontext

import pytest

from libdrift.execution.pool import WorkList, each, side_by_side


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_every_item_is_worked_on_once(workers: int) -> None:
    found = list(each(range(50), lambda n: [n, -n], workers, threading.Event()))
    assert sorted(found) == sorted([*range(50), *(-n for n in range(50))])


def test_work_may_bring_more() -> None:
    stop = threading.Event()
    listed = WorkList([3, 2], stop)

    def halve(number: int) -> Iterable[int]:
        time.sleep(0.01)  # the other worker is idle by now, and must wait for what comes of it
        listed.end([number - 1, number - 1] if number else [])
        return [number]

    found = list(side_by_side(listed, lambda: nullcontext(halve), 2, stop))
    assert sorted(found) == sorted([3, *[2] * 3, *[1] * 6, *[0] * 12])


def test_what_a_worker_raises_is_raised_where_results_are_read() -> None:
    def work(number: int) -> Iterable[int]:
        if number == 3:
            raise ValueError("three")
        return [number]

    stop = threading.Event()
    with pytest.raises(ValueError, match="three"):
        list(each(range(1000), work, 2, stop))
    assert stop.is_set()


def test_a_reader_who_leaves_ends_the_work() -> None:
    stop, begun = threading.Event(), []

    def work(number: int) -> Iterable[int]:
        begun.append(number)
        return [number]

    with closing(each(range(100_000), work, 2, stop)) as results:
        next(results)
    assert stop.is_set()
    count = len(begun)
    time.sleep(0.05)
    assert len(begun) == count < 100_000
