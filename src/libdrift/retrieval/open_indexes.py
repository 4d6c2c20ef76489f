"""Indexes that stay open between searches, for a server: each as long as the history is the same.

Whether it is, SQLite itself tells (``data_version``), to a connection that is kept for that. Where
it is not, the release's digest is computed again; an index of the same digest is still good.
"""

from __future__ import annotations

import atexit
import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from libdrift.history.store import Store
from libdrift.history.store.opening import connect
from libdrift.retrieval import mined
from libdrift.retrieval.ahead import warned_later
from libdrift.retrieval.index import DocumentIndex
from libdrift.retrieval.passages import index_key, index_path, opened_index

_MOST = 50_000  # documents of all open indexes: about 50 MB
_RELEASES = 256  # whose state is remembered
_HISTORIES = 8  # files that are watched

Release = tuple[str, str]  # package and version
Stamp = tuple[int, int, int, int]  # of a file: device, number, size, time
Moment = tuple[Stamp, int]  # of a history: its file, and SQLite's number for its content


@dataclass(frozen=True, slots=True)
class _State:
    """What a release was, when its history was so."""

    history: Moment
    key: str  # of its index
    soon: frozenset[str]


@dataclass(slots=True)
class _Opened:
    """An index, its file as it was opened, and how many are searching in it."""

    index: DocumentIndex
    file: Stamp | None  # None: it could not be kept
    users: int = 0
    dropped: bool = False


class OpenIndexes:
    """Any thread may search; what is dropped is closed when the last one has done."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._watches: dict[Path, tuple[Stamp, sqlite3.Connection]] = {}
        # Both in the order of their last use.
        self._states: dict[tuple[Path | None, Release], _State] = {}
        self._open: dict[Path, _Opened] = {}

    @contextlib.contextmanager
    def lease(
        self, store: Store, release: Release, folder: Path
    ) -> Iterator[tuple[DocumentIndex, frozenset[str]]]:
        """The index of a release, and the ids of what later releases warn of.

        What is read of the store meanwhile is of the same moment.
        """
        history = None if store.db.in_transaction else _file(store)
        before = self._now(history)
        with store.snapshot():
            store.place(*release)  # from here on, the store is read as it is now
            # If it was written to in between, nobody knows which state that is.
            now = before if self._now(history) == before else None
            opened, soon = self._taken(store, release, folder, (history, now))
            try:
                yield opened.index, soon
            finally:
                with self._lock:
                    opened.users -= 1
                    _close_if_unused(opened)

    def close(self) -> None:
        with self._lock:
            for path in list(self._open):
                self._drop(path)
            for _, watch in self._watches.values():
                watch.close()
            self._watches.clear()
            self._states.clear()

    def _taken(
        self, store: Store, release: Release, folder: Path, at: tuple[Path | None, Moment | None]
    ) -> tuple[_Opened, frozenset[str]]:
        history, now = at
        place = (history, release)
        with self._lock:
            known = self._states.get(place)
            if known is not None and known.history == now:
                found = self._found(index_path(folder, known.key))
                if found is not None:
                    return found, known.soon
        key = index_key(*release, mined.digest(store, *release))
        soon = warned_later(store, *release)
        path = index_path(folder, key)
        with self._lock:
            if now is not None:
                self._states.pop(place, None)
                while len(self._states) >= _RELEASES:
                    self._states.pop(next(iter(self._states)))
                self._states[place] = _State(now, key, soon)
            found = self._found(path)
        if found is not None:
            return found, soon
        made = opened_index(folder, key, lambda: mined.contents(store, *release))
        return self._added(path, _Opened(made, _stamp(path), users=1)), soon

    def _now(self, history: Path | None) -> Moment | None:
        """What tells whether a history was written to; ``None`` where that cannot be told."""
        stamp = _stamp(history) if history is not None else None
        if history is None or stamp is None:
            return None
        with self._lock:
            known = self._watches.get(history)
            if known is not None and known[0][:2] != stamp[:2]:  # another file of that name
                self._watches.pop(history)[1].close()
                known = None
            try:
                if known is None:
                    known = stamp, connect(history, readonly=True, any_thread=True)
                    while len(self._watches) >= _HISTORIES:
                        self._watches.pop(next(iter(self._watches)))[1].close()
                    self._watches[history] = known
                return stamp, int(known[1].execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error:
                return None

    def _found(self, path: Path) -> _Opened | None:
        """An index that is open, unless its file is not what it was."""
        opened = self._open.get(path)
        if opened is None:
            return None
        if opened.file != _stamp(path):
            self._drop(path)
            return None
        self._open[path] = self._open.pop(path)
        opened.users += 1
        return opened

    def _added(self, path: Path, made: _Opened) -> _Opened:
        with self._lock:
            if path in self._open:  # another thread made it meanwhile
                self._drop(path)
            self._open[path] = made
            while sum(len(item.index.paths) for item in self._open.values()) > self._most:
                self._drop(next(iter(self._open)))  # the last one, too: then after this search
        return made

    def _drop(self, path: Path) -> None:
        opened = self._open.pop(path)
        opened.dropped = True
        _close_if_unused(opened)


def _close_if_unused(opened: _Opened) -> None:
    if opened.dropped and not opened.users:
        opened.index.close()


def _file(store: Store) -> Path | None:
    """Where a history is; nowhere, if it is in memory."""
    name = store.db.execute("PRAGMA database_list").fetchone()[2]
    return Path(name) if name else None


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


OPEN = OpenIndexes()
atexit.register(OPEN.close)
