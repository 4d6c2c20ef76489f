"""What was read in a file, kept by the file's content, so that it is read once for all releases.

Only a cache: a file that cannot be opened, read or written costs time, never an answer.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from libdrift.languages.python.static import Key

_LOG = logging.getLogger(__name__)
FORMAT = 2  # of what is stored; part of every version
_SUM = 4  # bytes of a content's checksum, before it
_BATCH = 500  # below SQLite's limit of variables, in every build of it


class ParseCache:
    """Bytes by content key, for one ``version`` of their format; shared between processes."""

    def __init__(self, path: Path, version: str) -> None:
        self._version = version = f"{FORMAT}-{version}"
        self._path = path
        self._broken = False  # whether its pages turned out to be damaged
        self._connection: sqlite3.Connection | None = None
        with self._trouble("open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = _open(path, version)
            except sqlite3.DatabaseError as error:
                # A locked file is another process's work; anything else is no cache of ours.
                if isinstance(error, sqlite3.OperationalError):
                    raise
                drop(path)
                self._connection = _open(path, version)

    def get(self, keys: Collection[Key]) -> dict[Key, bytes]:
        """What is known of these keys."""
        found: dict[Key, bytes] = {}
        if self._connection is None:
            return found
        wanted = set(keys)
        sums = sorted({crc for crc, _, _ in wanted})
        with self._trouble("read"):
            for start in range(0, len(sums), _BATCH):
                part = sums[start : start + _BATCH]
                marks = ",".join("?" * len(part))
                rows = self._connection.execute(
                    "SELECT crc, size, suffix, content FROM parsed"  # noqa: S608  (only marks)
                    f" WHERE version = ? AND crc IN ({marks})",
                    (self._version, *part),
                )
                found.update(
                    {
                        (crc, size, suffix): content[_SUM:]
                        for crc, size, suffix, content in rows
                        if (crc, size, suffix) in wanted and whole(content)
                    }
                )
        return found

    def put(self, records: Mapping[Key, bytes]) -> None:
        if self._connection is None or not records:
            return
        rows = [
            (self._version, *key, zlib.crc32(content).to_bytes(_SUM, "big") + content)
            for key, content in records.items()
        ]
        with self._trouble("write"), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO parsed VALUES (?,?,?,?,?)", rows)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._broken:
            with self._trouble("drop"):
                drop(self._path)  # made anew when it is next opened

    @contextlib.contextmanager
    def _trouble(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            _LOG.info("cannot %s the cache of parsed files: %s", what, error)
            if type(error) is sqlite3.DatabaseError and what != "open":
                self._broken = True


def whole(content: object) -> bool:
    """Whether a stored content is what was stored, by the sum that it begins with."""
    if not isinstance(content, bytes):
        return False
    return content[:_SUM] == zlib.crc32(content[_SUM:]).to_bytes(_SUM, "big")


def drop(path: Path) -> None:
    """Remove a database and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


def _open(path: Path, version: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS parsed (version TEXT, crc INTEGER, size INTEGER,"
                " suffix TEXT, content BLOB, PRIMARY KEY (version, crc, size, suffix))"
                " WITHOUT ROWID"
            )
            connection.execute("DELETE FROM parsed WHERE version <> ?", (version,))
    except BaseException:
        connection.close()
        raise
    return connection
