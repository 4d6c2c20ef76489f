from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from libdrift.jobs.answering import changing


def test_releases_are_compared_a_pair_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair is in memory whole: a server with four clients would need four times as much."""
    at_work: list[int] = []
    most = 0
    lock = threading.Lock()

    def compared(_history: object, _package: str, _old: str, new: str) -> str:
        nonlocal most
        with lock:
            at_work.append(1)
            most = max(most, len(at_work))
        time.sleep(0.02)
        with lock:
            at_work.pop()
        return new

    @contextlib.contextmanager
    def opened(_path: Path) -> Iterator[None]:
        yield

    monkeypatch.setattr(changing, "compared", compared)
    monkeypatch.setattr(changing, "open_history", opened)

    def ask(number: int) -> object:
        return changing._kept(Path("history"), "pkg", "1.0", f"2.{number}", ())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(8))) == [f"2.{number}" for number in range(8)]
    assert most == 1
    changing._kept.cache_clear()
