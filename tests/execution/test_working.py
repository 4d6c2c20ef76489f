"""Work that several threads do, and what becomes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from libdrift.execution.working import side_by_side


def test_all_that_is_told_is_read() -> None:
    def work(tell: Callable[[int], None]) -> None:
        tell(1)
        tell(2)

    assert sorted(side_by_side(work, 3, threading.Event())) == [1, 1, 1, 2, 2, 2]


def test_what_a_worker_raises_is_raised_to_the_reader() -> None:
    stop = threading.Event()

    def work(tell: Callable[[int], None]) -> None:
        tell(1)
        raise KeyError

    with pytest.raises(KeyError):
        list(side_by_side(work, 2, stop))
    assert stop.is_set()


def test_a_reader_that_goes_away_stops_the_work() -> None:
    stop = threading.Event()

    def work(tell: Callable[[int], None]) -> None:
        while not stop.wait(0.001):
            tell(1)

    results = side_by_side(work, 2, stop)
    assert next(results) == 1
    results.close()
    assert stop.is_set()
