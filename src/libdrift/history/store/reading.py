"""Surfaces out of the store's tables."""

# ruff: noqa: S608  (only names of our own tables are set into statements)
from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date
from typing import TypeVar

from libdrift.history.store import packing
from libdrift.records import Binding, Name, Provenance, Release, Surface, Symbol

_HELD = "FROM symbols WHERE package = ? AND first <= ? AND last >= ?"
_Part = TypeVar("_Part")


class SurfaceReader:
    """Reads releases of one package. What several of them have in common is there once.

    Most of a package stays as it is from one release to the next: ten releases that are read
    together take little more than one.
    """

    def __init__(self, db: sqlite3.Connection, package: int) -> None:
        self._db = db
        self._package = package
        self._shapes: dict[int, packing.Shape] = {}
        self._docs: dict[int, str] = {}
        self._codes: dict[int, packing.Code] = {}
        self._symbols: dict[tuple[str, int, int | None, int | None], Symbol] = {}
        self._names: dict[tuple[str, str], Name] = {}
        self._texts: dict[str, str] = {}

    def surface(self, position: int) -> Surface:
        row = self._db.execute(
            "SELECT p.ecosystem, p.name, r.version, r.date, r.roots, a.data, b.data, c.data"
            " FROM releases r JOIN packages p ON p.id = r.package"
            " JOIN blobs a ON a.id = r.origin JOIN blobs b ON b.id = r.outside"
            " JOIN blobs c ON c.id = r.tombstones WHERE r.package = ? AND r.position = ?",
            (self._package, position),
        ).fetchone()
        origin, outside, tombstones = map(packing.inflate, row[5:])
        return Surface(
            release_of(*row[:4]),
            tuple(row[4].split("\n")) if row[4] else (),
            self._symbols_at(position),
            self._scopes_at(position),
            packing.outside(outside),
            packing.tombstones(tombstones),
            packing.origin(origin),
        )

    def _symbols_at(self, position: int) -> dict[str, Symbol]:
        at = (self._package, position, position)
        self._load("shape", packing.shape, self._shapes, at)
        self._load("doc", packing.text, self._docs, at)
        self._load("code", packing.code, self._codes, at)
        rows = self._db.execute(
            f"SELECT ids.text, shape, doc, code FROM (SELECT * {_HELD}) s"
            " JOIN ids ON ids.id = s.symbol ORDER BY ids.text",
            at,
        )
        found: dict[str, Symbol] = {}
        for row in rows:
            symbol = self._symbols.get(row)
            if symbol is None:
                symbol_id, shape, doc, code = row
                symbol = self._symbols[row] = packing.symbol(
                    self._text(symbol_id),
                    self._shapes[shape],
                    self._docs.get(doc, ""),
                    self._codes.get(code, ("", ())),
                )
            found[symbol.id] = symbol
        return found

    def _load(
        self,
        column: str,
        read: Callable[[bytes], _Part],
        known: dict[int, _Part],
        at: tuple[int, int, int],
    ) -> None:
        rows = self._db.execute(
            f"SELECT id, data FROM blobs WHERE id IN (SELECT {column} {_HELD})", at
        )
        for number, data in rows:
            if number not in known:
                known[number] = read(packing.inflate(data))

    def _scopes_at(self, position: int) -> dict[str, dict[str, Name]]:
        rows = self._db.execute(
            "SELECT s.text, l.text, t.text, h.text FROM names n"
            " JOIN ids s ON s.id = n.scope JOIN labels l ON l.id = n.name"
            " JOIN ids t ON t.id = n.target JOIN labels h ON h.id = n.how"
            " WHERE n.package = ? AND n.first <= ? AND n.last >= ? ORDER BY s.text, l.text",
            (self._package, position, position),
        )
        found: dict[str, dict[str, Name]] = {}
        for scope, label, target, how in rows:
            inside = found.get(scope)
            if inside is None:
                inside = found[self._text(scope)] = {}
            if label:
                inside[self._text(label)] = self._name(target, how)
        return found

    def _name(self, target: str, how: str) -> Name:
        known = self._names.get((target, how))
        if known is None:
            binding, *provenance = how.split(" ")
            known = Name(self._text(target), Binding(binding), tuple(map(Provenance, provenance)))
            self._names[known.target, self._text(how)] = known
        return known

    def _text(self, text: str) -> str:
        return self._texts.setdefault(text, text)


def release_of(ecosystem: str, package: str, version: str, day: str | None) -> Release:
    return Release(ecosystem, package, version, date.fromisoformat(day) if day else None)
