"""Examples of several sessions, shared among workers."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from libdrift.environments import Ready
from libdrift.errors import InfrastructureError
from libdrift.mining.examples import running
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.mining.examples.keeping import KeptRuns
from libdrift.mining.examples.running import ExampleRunner, ExampleSession
from libdrift.records import Environment
from libdrift.sandbox import Unprotected


class Servers:
    """What starts in place of real ones, and who was asked."""

    def __init__(self, *, broken: str = "") -> None:
        self.broken = broken
        self.started: Counter[str] = Counter()
        self.threads: set[int] = set()

    @contextlib.contextmanager
    def start(self, session: ExampleSession, backend: object) -> Iterator[Servers]:
        del backend
        name = session.place.environment.runtime
        self.started[name] += 1
        if name == self.broken:
            raise InfrastructureError("it cannot be imported")
        yield self

    def run(self, job: object) -> dict[str, object]:
        self.threads.add(threading.get_ident())
        time.sleep(0.001)
        return {"statements": [[repr(job), "", [], None, None]], "end": ""}


def session(name: str) -> ExampleSession:
    place = Ready(Environment("python", name, ()), Path(), name, Path(), (), fresh=True)
    return ExampleSession(place, 0, (), ("pkg",))


def examples(count: int) -> list[DocExample]:
    return [DocExample("pkg.f", (DocStatement(f"f({at})", ""),)) for at in range(count)]


def run(
    tmp_path: Path, sessions: list[ExampleSession], count: int, workers: int
) -> list[running.Runs]:
    kept = KeptRuns(tmp_path / f"{time.monotonic_ns()}.sqlite")
    told: list[int] = []
    runner = ExampleRunner(Unprotected(), kept, workers, told.append, lambda _count: None)
    found = runner.run(sessions, examples(count))
    kept.close()
    assert sum(told) == count * len(sessions)
    return found


@pytest.mark.parametrize("count", [0, 1, 40, 300])
def test_any_number_of_workers_finds_the_same(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_started", Servers().start)
    sessions = [session("3.11"), session("3.12")]
    alone = run(tmp_path, sessions, count, 1)
    assert [len(found) for found in alone] == [count, count]
    for workers in (2, 3, 8):
        assert run(tmp_path, sessions, count, workers) == alone


def test_who_is_idle_takes_a_share_if_it_is_worth_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count, started in ((300, 2), (40, 1)):
        servers = Servers()
        monkeypatch.setattr(running, "_started", servers.start)
        run(tmp_path, [session("3.11")], count, 2)
        assert servers.started == {"3.11": started}
        assert len(servers.threads) == started


def test_a_place_that_does_not_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_started", Servers(broken="3.12").start)
    sessions = [session("3.11"), session("3.12")]
    with pytest.raises(InfrastructureError, match="cannot be imported"):
        run(tmp_path, sessions, 100, 2)
