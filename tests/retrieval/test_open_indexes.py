"""A search in what was searched before is quick, and never of what the history was before."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from libdrift.history.store import Store
from libdrift.retrieval import mined, open_indexes, searching
from libdrift.retrieval.open_indexes import OpenIndexes
from tests.history.small import function, surface


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    with Store.open(path) as store:
        store.add(surface("1", function("pkg:read", doc="Read a file.")))
        store.add(surface("2", function("pkg:load", doc="Read a file.")))
    return path


@pytest.fixture
def digests(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """The releases whose digests were computed, by a cache of this test's own."""
    found: list[tuple[str, str]] = []
    plain = mined.digest

    def counted(store: Store, package: str, version: str) -> str:
        found.append((package, version))
        return plain(store, package, version)

    monkeypatch.setattr(mined, "digest", counted)
    cache = OpenIndexes()
    monkeypatch.setattr(searching, "OPEN", cache)
    yield found
    cache.close()


def paths(history: Path, version: str = "1", text: str = "file") -> list[str]:
    """As the server does: the history is opened for each question."""
    with Store.open(history, readonly=True) as store:
        indexes = history.parent / "indexes"
        return [hit.path for hit in searching.search(store, ("pkg", version), text, indexes)]


def test_nothing_is_computed_twice(history: Path, digests: list[tuple[str, str]]) -> None:
    for _ in range(3):
        assert paths(history) == ["pkg.read"]
        assert paths(history, "2") == ["pkg.load"]
    assert digests == [("pkg", "1"), ("pkg", "2")]


def test_a_release_that_is_mined_again_is_searched_anew(
    history: Path, digests: list[tuple[str, str]]
) -> None:
    """At once: within the second in which it was mined before, too."""
    assert paths(history) == ["pkg.read"]
    for name in ("scan", "parse"):
        with Store.open(history) as store:
            store.add(surface("1", function(f"pkg:{name}", doc="Read a file.")))
            assert [hit.path for hit in _searched(store, history)] == [f"pkg.{name}"]
        assert paths(history) == [f"pkg.{name}"]
    with Store.open(history) as store:
        store.remove("pkg", "1")
    assert paths(history, "2") == ["pkg.load"]
    assert len(digests) > 2


def _searched(store: Store, history: Path) -> list[searching.Hit]:
    return searching.search(store, ("pkg", "1"), "file", history.parent / "indexes")


def test_another_history_of_the_same_name_is_another(
    history: Path, digests: list[tuple[str, str]]
) -> None:
    assert paths(history) == ["pkg.read"]
    for path in history.parent.glob("history.sqlite*"):
        path.unlink()
    with Store.open(history) as store:
        store.add(surface("1", function("pkg:other", doc="Read a file.")))
    assert paths(history) == ["pkg.other"]
    assert len(digests) == 2


def test_what_is_not_yet_written_is_in_no_other_answer(
    history: Path, digests: list[tuple[str, str]]
) -> None:
    with Store.open(history) as store, store.changing():
        store.db.execute("UPDATE paths SET text = 'pkg.odd' WHERE text = 'pkg.read'")
        assert [hit.path for hit in _searched(store, history)] == ["pkg.odd"]
        assert paths(history) == ["pkg.read"]
        store.db.execute("UPDATE paths SET text = 'pkg.read' WHERE text = 'pkg.odd'")
    assert paths(history) == ["pkg.read"]
    assert digests


def test_an_index_whose_file_is_gone_or_other_is_made_again(
    history: Path, digests: list[tuple[str, str]]
) -> None:
    assert paths(history) == ["pkg.read"]
    (file,) = (history.parent / "indexes").glob("index-*.sqlite")
    file.unlink()
    assert paths(history) == ["pkg.read"]
    assert file.exists()
    file.write_bytes(b"no database")
    assert paths(history) == ["pkg.read"]
    assert len(digests) == 3


def test_few_stay_open_and_none_is_closed_while_it_is_searched(
    history: Path, tmp_path: Path
) -> None:
    cache = OpenIndexes(most=1)
    with (
        Store.open(history, readonly=True) as store,
        Store.open(history, readonly=True) as other,
        cache.lease(store, ("pkg", "1"), tmp_path) as (first, _),
        cache.lease(other, ("pkg", "2"), tmp_path) as (second, _),
    ):
        assert (first.paths, second.paths) == (["pkg", "pkg.read"], ["pkg", "pkg.load"])
        assert first.read(0)[0] == second.read(0)[0] == "pkg"
    cache.close()


def test_threads_search_while_releases_are_mined(
    history: Path, digests: list[tuple[str, str]]
) -> None:
    faults: list[object] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            try:
                if paths(history, "2") != ["pkg.load"]:
                    faults.append("another answer")
            except Exception as error:  # noqa: BLE001  (whatever it is, the test tells)
                faults.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for at in range(10):
        with Store.open(history) as store:
            store.add(surface("1", function(f"pkg:read{at}", doc="Read a file.")))
    done.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert digests
    assert paths(history) == ["pkg.read9"]


def test_a_folder_that_cannot_be_written_to_is_no_trouble(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(searching, "OPEN", cache := OpenIndexes())
    for _ in range(2):
        with Store.open(history, readonly=True) as store:
            found = searching.search(store, ("pkg", "1"), "file", tmp_path / "file" / "indexes")
        assert [hit.path for hit in found] == ["pkg.read"]
    cache.close()
    assert open_indexes.OPEN is not cache
