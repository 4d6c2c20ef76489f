"""How a surface goes into the store's tables, and out of them. The caller holds a transaction."""

# ruff: noqa: S608  (only names of our own tables are set into statements)
from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from libdrift.history.paths import PathAndInner, public_paths
from libdrift.history.store import packing, places, spans
from libdrift.history.versions import order
from libdrift.records import Name, Surface, Symbol


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes to be stored once."""

    digest: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A surface in the pieces that are stored: done before the store is locked."""

    surface: Surface
    paths: Mapping[str, PathAndInner]
    parts: Mapping[str, tuple[Content, Content | None, Content | None]]  # shape, doc, code
    origin: Content
    outside: Content
    tombstones: Content
    places: bytes  # none where none is known


def prepare(surface: Surface) -> Prepared:
    return Prepared(
        surface,
        public_paths(surface),
        {symbol.id: _parts(symbol) for symbol in surface.symbols.values()},
        _content(b"origin", packing.encode(surface.origin)),
        _content(b"outside", packing.encode(dict(surface.outside))),
        _content(b"tombstones", packing.encode(dict(surface.tombstones))),
        places.packed(surface.places) if surface.places else b"",
    )


def _parts(symbol: Symbol) -> tuple[Content, Content | None, Content | None]:
    shape, doc, code = packing.shape_of(symbol), packing.doc_of(symbol), packing.code_of(symbol)
    return (
        _content(b"shape", shape),
        _content(b"doc", doc) if doc else None,
        _content(b"code", code) if code else None,
    )


def _content(kind: bytes, data: bytes) -> Content:
    return Content(packing.digest(kind, data), data)


def write(db: sqlite3.Connection, package: int, prepared: Prepared) -> None:
    """Put a release in that is not there yet."""
    surface = prepared.surface
    version = surface.release.version
    known = _versions(db, package)
    position = bisect_left([order(item) for item in known], order(version))
    db.execute(
        "UPDATE releases SET position = position + 1 WHERE package = ? AND position >= ?",
        (package, position),
    )
    contents = [item for parts in prepared.parts.values() for item in parts if item]
    of_release = (prepared.origin, prepared.outside, prepared.tombstones)
    blobs = _blobs(db, [*contents, *of_release])
    db.execute(
        "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            package,
            position,
            version,
            surface.release.date and surface.release.date.isoformat(),
            datetime.now(UTC).isoformat(timespec="seconds"),
            "\n".join(surface.roots),
            *(blobs[item.digest] for item in of_release),
        ),
    )
    ids = _ids(db, package, surface)
    paths = _interned(db, "paths", package, {path for path, _ in prepared.paths.values()})
    spans.put(db, spans.SYMBOLS, package, position, _symbols(prepared, ids, paths, blobs))
    spans.put(db, spans.NAMES, package, position, _names(db, surface.scopes, ids))
    if prepared.places:
        places.write(db, package, version, prepared.places)


def _versions(db: sqlite3.Connection, package: int) -> list[str]:
    rows = db.execute(
        "SELECT version FROM releases WHERE package = ? ORDER BY position", (package,)
    )
    return [row[0] for row in rows]


def _symbols(
    prepared: Prepared,
    ids: Mapping[str, int],
    paths: Mapping[str, int],
    blobs: Mapping[int, int],
) -> dict[spans.Key, spans.Value]:
    found: dict[spans.Key, spans.Value] = {}
    for symbol, parts in prepared.parts.items():
        path, inner = prepared.paths.get(symbol, ("", True))
        found[ids[symbol],] = (
            paths[path] if path else None,
            int(inner),
            *(blobs[item.digest] if item else None for item in parts),
        )
    return found


def _names(
    db: sqlite3.Connection, scopes: Mapping[str, Mapping[str, Name]], ids: Mapping[str, int]
) -> dict[spans.Key, spans.Value]:
    wanted = {""}
    for inside in scopes.values():
        wanted.update(inside, map(_how, inside.values()))
    labels = _interned(db, "labels", None, wanted)
    found: dict[spans.Key, spans.Value] = {}
    for scope, inside in scopes.items():
        number = ids[scope]
        for label, name in inside.items():
            found[number, labels[label]] = (ids[name.target], labels[_how(name)])
        if not inside:
            found[number, labels[""]] = (number, labels[""])
    return found


def _how(name: Name) -> str:
    return " ".join((name.binding, *name.provenance))


def _ids(db: sqlite3.Connection, package: int, surface: Surface) -> dict[str, int]:
    targets = {name.target for scope in surface.scopes.values() for name in scope.values()}
    return _interned(db, "ids", package, targets.union(surface.symbols, surface.scopes))


def _interned(
    db: sqlite3.Connection, table: str, package: int | None, texts: Collection[str]
) -> dict[str, int]:
    """The numbers of texts, new ones included."""
    where, rest = ("", ()) if package is None else (" AND package = ?", (package,))
    rows = db.execute(
        f"SELECT text, id FROM {table} WHERE text IN (SELECT value FROM json_each(?)){where}",
        (json.dumps(list(texts)), *rest),
    )
    found: dict[str, int] = dict(rows.fetchall())
    start = _last(db, table) + 1
    new = {text: start + at for at, text in enumerate(sorted(set(texts) - found.keys()))}
    columns, marks = ("id, text", "?, ?") if package is None else ("id, text, package", "?, ?, ?")
    db.executemany(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})",
        [(number, text, *rest) for text, number in new.items()],
    )
    return found | new


def _blobs(db: sqlite3.Connection, contents: Iterable[Content]) -> dict[int, int]:
    """The numbers of contents by their digests, new ones included."""
    wanted = {item.digest: item for item in contents}
    rows = db.execute(
        "SELECT digest, id FROM blobs WHERE digest IN (SELECT value FROM json_each(?))",
        (json.dumps(list(wanted)),),
    )
    found: dict[int, int] = dict(rows.fetchall())
    start = _last(db, "blobs") + 1
    new = [wanted[digest] for digest in wanted if digest not in found]
    numbered = list(enumerate(new, start))
    db.executemany(
        "INSERT INTO blobs VALUES (?, ?, ?)",
        ((number, item.digest, packing.deflate(item.data)) for number, item in numbered),
    )
    return found | {item.digest: number for number, item in numbered}


def _last(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()[0])


# --- out again


def erase(db: sqlite3.Connection, package: int, position: int) -> None:
    """Take a release out, and what only it had."""
    at = (package, position, position)
    lost = db.execute(
        "SELECT path, shape, doc, code FROM symbols WHERE package = ? AND first = ? AND last = ?",
        at,
    ).fetchall()
    spans.take(db, spans.SYMBOLS, package, position)
    spans.take(db, spans.NAMES, package, position)
    *own, version = db.execute(
        "SELECT origin, outside, tombstones, version FROM releases"
        " WHERE package = ? AND position = ?",
        at[:2],
    ).fetchone()
    places.forget(db, package, version)
    db.execute("DELETE FROM releases WHERE package = ? AND position = ?", at[:2])
    db.execute(
        "UPDATE releases SET position = position - 1 WHERE package = ? AND position > ?", at[:2]
    )
    gone = {
        column: _unused(db, column, {row[at] for row in lost})
        for at, column in enumerate(("path", "shape", "doc", "code"))
    }
    _delete(db, "paths", gone["path"])
    _delete(db, "blobs", gone["shape"] | gone["doc"] | gone["code"])
    db.execute(
        "DELETE FROM blobs WHERE id IN (?, ?, ?) AND id NOT IN (SELECT origin FROM releases"
        " UNION SELECT outside FROM releases UNION SELECT tombstones FROM releases)",
        own,
    )
    if not db.execute("SELECT 1 FROM releases WHERE package = ?", (package,)).fetchone():
        db.execute("DELETE FROM ids WHERE package = ?", (package,))


def _unused(db: sqlite3.Connection, column: str, numbers: set[int | None]) -> set[int]:
    rows = db.execute(
        f"SELECT DISTINCT {column} FROM symbols WHERE {column} IN (SELECT value FROM json_each(?))",
        (json.dumps(list(numbers)),),
    )
    used = {row[0] for row in rows}
    return {number for number in numbers if number is not None and number not in used}


def _delete(db: sqlite3.Connection, table: str, numbers: Collection[int]) -> None:
    db.execute(
        f"DELETE FROM {table} WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(numbers)),),
    )
