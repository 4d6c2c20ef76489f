"""Facts that hold for spans of positions: how a release is set between others, and taken out.

The caller holds a transaction; ``package`` is its number in the store.
"""

# ruff: noqa: S608  (only names of our own tables are set into statements)
from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

Key = tuple[int, ...]
Value = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SpanTable:
    name: str
    key: tuple[str, ...]
    value: tuple[str, ...]

    @property
    def columns(self) -> str:
        return ", ".join(("package", *self.key, "first", "last", *self.value))

    @property
    def marks(self) -> str:
        return ", ".join("?" for _ in range(3 + len(self.key) + len(self.value)))

    @property
    def one(self) -> str:
        """The condition that finds one span."""
        return " AND ".join(f"{column} = ?" for column in ("package", *self.key, "first"))


SYMBOLS = SpanTable("symbols", ("symbol",), ("path", "inner", "shape", "doc", "code"))
NAMES = SpanTable("names", ("scope", "name"), ("target", "how"))


def put(
    db: sqlite3.Connection,
    table: SpanTable,
    package: int,
    position: int,
    facts: Mapping[Key, Value],
) -> None:
    """Set a release in at a position; those from there on move up by one."""
    name = table.name
    _move(db, name, package, position, 1)
    # What held just before is taken to hold on: most of it does, and one statement is quicker.
    db.execute(
        f"UPDATE {name} SET last = last + 1 WHERE package = ? AND last >= ?",
        (package, position - 1),
    )
    left = dict(facts)
    cut: list[tuple[int, ...]] = []
    earlier: list[tuple[int, ...]] = []
    new: list[tuple[int | None, ...]] = []
    width = len(table.key)
    near = db.execute(
        f"SELECT {table.columns} FROM {name} WHERE package = ? AND first <= ? AND last >= ?",
        (package, position + 1, position),
    )
    for row in near.fetchall():
        key, first, last, value = (
            row[1 : 1 + width],
            row[1 + width],
            row[2 + width],
            row[3 + width :],
        )
        covers = first <= position
        if facts.get(key) == value:
            left.pop(key, None)
            if not covers:
                earlier.append((position, package, *key, first))
        elif covers:
            cut.append((position - 1, package, *key, first))
            if last > position:
                new.append((package, *key, position + 1, last, *value))
    new += [(package, *key, position, position, *value) for key, value in left.items()]
    db.executemany(f"UPDATE {name} SET last = ? WHERE {table.one}", cut)
    db.executemany(f"UPDATE {name} SET first = ? WHERE {table.one}", earlier)
    db.executemany(f"INSERT INTO {name} ({table.columns}) VALUES ({table.marks})", new)


def take(db: sqlite3.Connection, table: SpanTable, package: int, position: int) -> None:
    """Take the release at a position out; those after it move down by one."""
    name = table.name
    db.execute(
        f"DELETE FROM {name} WHERE package = ? AND first = ? AND last = ?",
        (package, position, position),
    )
    db.execute(
        f"UPDATE {name} SET last = last - 1 WHERE package = ? AND last >= ?", (package, position)
    )
    _move(db, name, package, position + 1, -1)
    # Two spans that only the release between them held apart are one now.
    same = " AND ".join(
        [f"a.{column} = b.{column}" for column in table.key]
        + [f"a.{column} IS b.{column}" for column in table.value]
    )
    keys = ", ".join(f"a.{column}" for column in table.key)
    pairs = db.execute(
        f"SELECT {keys}, a.first, b.first, b.last FROM {name} a JOIN {name} b"
        f" ON a.package = b.package AND {same} AND b.first = ?"
        " WHERE a.package = ? AND a.last = ?",
        (position, package, position - 1),
    ).fetchall()
    db.executemany(
        f"DELETE FROM {name} WHERE {table.one}",
        [(package, *row[:-3], row[-2]) for row in pairs],
    )
    db.executemany(
        f"UPDATE {name} SET last = ? WHERE {table.one}",
        [(row[-1], package, *row[:-3], row[-3]) for row in pairs],
    )


def _move(db: sqlite3.Connection, name: str, package: int, start: int, by: int) -> None:
    """Move the starts of spans from a position on, through negative numbers.

    The start is part of the key, and a key must be unique after every single row, not only at the
    end: a row that moves up by one would meet its neighbour that has not moved yet.
    """
    db.execute(
        f"UPDATE {name} SET first = -1 - (first + ?) WHERE package = ? AND first >= ?",
        (by, package, start),
    )
    db.execute(f"UPDATE {name} SET first = -1 - first WHERE package = ? AND first < 0", (package,))
