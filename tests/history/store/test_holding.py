"""A question opens a history once, sees what is written meanwhile, and leaves nothing open."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from libdrift.history.store import Store, held_open
from libdrift.languages.python.static import of_sources


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    added(path, "1")
    return path


def added(path: Path, version: str) -> None:
    with Store.open(path) as store:
        store.add(of_sources({"pkg/__init__.py": "def f(): ..."}, version, "pkg"))


def known(path: Path) -> list[str]:
    with Store.open(path, readonly=True) as store:
        return store.versions(store.number("pkg"))


def test_it_is_opened_once_and_closed_at_the_end(history: Path) -> None:
    with held_open():
        with Store.open(history, readonly=True) as first:
            pass
        with held_open(), Store.open(history, readonly=True) as second:
            assert second is first
        assert first.versions(first.number("pkg")) == ["1"]
    with pytest.raises(sqlite3.ProgrammingError):
        first.db.execute("SELECT 1")
    assert Store.open(history, readonly=True) is not first


def test_what_is_written_meanwhile_is_seen(history: Path) -> None:
    with held_open():
        assert known(history) == ["1"]
        added(history, "2")
        assert known(history) == ["1", "2"]


def test_a_writer_and_another_thread_have_connections_of_their_own(history: Path) -> None:
    found: list[Store] = []
    with held_open(), Store.open(history, readonly=True) as held:
        with Store.open(history) as writer:
            assert writer is not held
        thread = threading.Thread(target=lambda: found.append(Store.open(history, readonly=True)))
        thread.start()
        thread.join()
        assert found[0] is not held


def test_without_a_question_nothing_is_held(history: Path) -> None:
    with Store.open(history, readonly=True) as first:
        assert Store.open(history, readonly=True) is not first
