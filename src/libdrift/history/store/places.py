"""Where a release's symbols stand in its files: kept by release, for lines move with every edit."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from libdrift.errors import UserError
from libdrift.history.store import packing

if TYPE_CHECKING:
    from libdrift.history.store.database import Store

# By module: its file, then names and lines. Names are sorted, for then they are packed best.
_Packed = dict[str, tuple[str, dict[str, int]]]


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
    try:
        found: _Packed = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    except (zlib.error, ValueError, TypeError) as error:
        raise packing.damaged("places of symbols are not what was stored") from error
    return found


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
    modules = unpacked(row[0])
    module, _, name = symbol.partition(":")
    for key, (file, lines) in modules.items():
        if key == f"{module}:{file}" and name in lines:
            return f"{file}:{lines[name]}"
    return ""
