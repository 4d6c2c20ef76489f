"""The history's file: whether it can be used, its connection, and what SQLite says is wrong."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from libdrift.errors import InfrastructureError, UserError

_PATIENCE = 60.0  # seconds that a writer waits for another
_NO_PLACE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENAMETOOLONG}
_ELSEWHERE = "Name another file: --store FILE, or LIBDRIFT_HISTORY"


OPENED: set[Path] = set()  # by this process: where to look when something odd was read


def nothing_mined() -> UserError:
    return UserError("nothing is mined yet", "Run: libdrift mine PACKAGE")


def check_place(path: Path, *, readonly: bool) -> None:
    """Whether a file can be there, and be opened: SQLite would not say why it cannot."""
    try:
        if path.is_dir():
            raise UserError(
                f"{path} is a folder, but the history is a file", f"Name {path / 'history.sqlite'}"
            )
        if readonly and not path.exists():
            raise nothing_mined()
        if not readonly:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.open("rb" if readonly else "ab").close()  # an empty file is an empty database
        if not readonly and not os.access(path.parent, os.W_OK):  # for what SQLite puts beside it
            raise PermissionError(errno.EACCES, "its folder cannot be written to")
    except (FileExistsError, NotADirectoryError) as error:
        above = next(place for place in path.parents if place.exists())
        raise UserError(f"{path} cannot be used: {above} is a file", _ELSEWHERE) from error
    except OSError as error:
        what = f"the history {path} cannot be used: {error.strerror}"
        if error.errno in _NO_PLACE:
            raise UserError(what, _ELSEWHERE) from error
        raise InfrastructureError(what) from error


def connect(path: Path, *, readonly: bool, any_thread: bool = False) -> sqlite3.Connection:
    OPENED.add(path)
    mode = "ro" if readonly else "rwc"
    if readonly and not os.access(path.parent, os.W_OK):
        mode += "&immutable=1"  # readers of a live file need to write beside it; this one is not
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=not any_thread,
    )
    db.execute("PRAGMA foreign_keys = ON")
    # A kill loses nothing that was committed; a power cut may lose the last release, no more.
    db.execute("PRAGMA synchronous = NORMAL")
    return db


@contextlib.contextmanager
def reported(name: str) -> Iterator[None]:
    """SQLite's troubles in the words of the house."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of it says more than we need
        what = f"the history {name} cannot be used: {error}"
        if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
            raise UserError(what, _ELSEWHERE) from error
        raise InfrastructureError(
            what, "Check for a full disk, or another libdrift that is writing"
        ) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: of its schema
        raise UserError(
            f"{name} is not a history that libdrift can read: {error}",
            "Move the file away, or name another one, and mine again; "
            "`libdrift doctor --deep` shows the damage",
        ) from error
