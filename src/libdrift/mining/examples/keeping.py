"""What examples gave, kept by what was run where: after Ctrl-C, only the rest is run."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from libdrift.mining.parse_cache import drop

_LOG = logging.getLogger(__name__)
_FORMAT = 2  # of what the guest tells; another one is run anew
_BATCH = 500
SPARED = "died:"  # the whole server went with it: perhaps for want of memory at that moment
_LATE = "time"  # others may have been at work, too

Told = Mapping[str, Any]


def key_of(environment: str, seed: int, statements: Sequence[tuple[str, bool]]) -> str:
    content = json.dumps([_FORMAT, environment, seed, statements])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class KeptRuns:
    """A file of the cache: one that cannot be used costs time, never an answer."""

    def __init__(self, path: Path) -> None:
        self._db: sqlite3.Connection | None = None
        self._path = path
        self._broken = False  # whether its pages turned out to be damaged
        with self._trouble():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = _open(path)
            except sqlite3.DatabaseError as error:
                # A locked file is another process's work; anything else is no cache of ours.
                if isinstance(error, sqlite3.OperationalError):
                    raise
                drop(path)
                self._db = _open(path)

    def get(self, keys: Sequence[str]) -> dict[str, Told]:
        found: dict[str, Told] = {}
        with self._trouble():
            for start in range(0, len(keys) if self._db else 0, _BATCH):
                part = keys[start : start + _BATCH]
                marks = ",".join("?" * len(part))
                assert self._db is not None  # noqa: S101  (else there is no part)
                rows = self._db.execute(
                    f"SELECT key, data FROM runs WHERE key IN ({marks})",  # noqa: S608  (marks)
                    part,
                )
                found |= {key: told for key, data in rows if (told := unpacked(data)) is not None}
        return found

    def put(self, key: str, told: Told) -> None:
        """What the moment may have had a part in is not kept: the next run is another try."""
        end = str(told["end"])
        if end == _LATE or end.startswith(SPARED):
            return
        with self._trouble():
            if self._db is not None:
                data = zlib.compress(json.dumps(told).encode("utf-8", "surrogatepass"))
                self._db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (key, data))

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
        if self._broken:
            with self._trouble():
                drop(self._path)  # made anew when it is next opened

    @contextlib.contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            _LOG.info("the cache of examples cannot be used: %s", error)
            self._broken = type(error) is sqlite3.DatabaseError


def unpacked(data: object) -> Told | None:
    """What a row says; nothing where it is damaged, which its checksum tells."""
    try:
        found: Told = json.loads(zlib.decompress(data))  # type: ignore[arg-type]  # else a TypeError
    except (zlib.error, ValueError, TypeError):
        return None
    return found if isinstance(found, dict) else None


def whole(data: object) -> bool:
    """Whether a row is what was stored."""
    return unpacked(data) is not None


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache
        db.execute(
            "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID"
        )
    except BaseException:
        db.close()
        raise
    return db
