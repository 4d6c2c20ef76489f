"""Where a release's symbols stand in its files: kept by release, for lines move with every edit."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from libdrift.errors import UserError
from libdrift.history.store import packing

if TYPE_CHECKING:
    from libdrift.history.store.database import Store

# By module: its file, then names and lines. Names are sorted, for then they are packed best.
_Packed = dict[str, tuple[str, dict[str, int]]]
_ONE = json.JSONDecoder()


def packed(places: Mapping[str, str]) -> bytes:
    """Ids and their places (``flask/app.py:80``) as bytes that can be stored."""
    modules: _Packed = {}
    for symbol, place in sorted(places.items()):
        module, _, name = symbol.partition(":")
        file, _, line = place.rpartition(":")
        modules.setdefault(f"{module}:{file}", (file, {}))[1][name] = int(line)
    text = json.dumps(modules, separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def unpacked(data: bytes) -> _Packed:
    """All of a release."""
    with _damage_told():
        found: _Packed = json.loads(_text(data))
        return found


def _of_module(data: bytes, module: str) -> Iterator[tuple[str, dict[str, int]]]:
    """The files of one module and their lines; the rest of a large release is not read."""
    with _damage_told():
        text = _text(data)
        start = json.dumps(f"{module}:", ensure_ascii=False)[:-1]  # keys are written as this is
        at = text.find(start)
        while at >= 0:
            _, end = _ONE.raw_decode(text, at)
            if text[end] == ":":  # a key, and no name of a file
                (file, lines), end = _ONE.raw_decode(text, end + 1)
                yield file, lines
            at = text.find(start, end)


def _text(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


@contextlib.contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise packing.damaged("places of symbols are not what was stored") from error


def write(db: sqlite3.Connection, package: int, version: str, data: bytes) -> None:
    db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", (package, version, data))


def forget(db: sqlite3.Connection, package: int, version: str) -> None:
    db.execute("DELETE FROM places WHERE package = ? AND version = ?", (package, version))


def place_of(store: Store, package: str, version: str, symbol: str) -> str:
    """File and line of a symbol's definition, by its id; empty where they are not known."""
    with store.snapshot():
        try:
            number, position = store.place(package, version)
        except UserError:
            return ""
        row = store.db.execute(
            "SELECT p.data FROM places p JOIN releases r"
            " ON r.package = p.package AND r.version = p.version"
            " WHERE p.package = ? AND r.position = ?",
            (number, position),
        ).fetchone()
    if row is None:  # mined before places were kept, or of another language
        return ""
    module, _, name = symbol.partition(":")
    return next(
        (f"{file}:{lines[name]}" for file, lines in _of_module(row[0], module) if name in lines), ""
    )
