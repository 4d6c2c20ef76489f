from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, product

import pytest

from libdrift.history.store import schema, spans
from libdrift.history.store.spans import NAMES, SYMBOLS, Key, SpanTable, Value

CONTENTS: dict[str, dict[Key, Value]] = {
    "-": {},
    "x": {(7,): (None, 0, 1, None, 2)},
    "y": {(7,): (3, 0, 1, None, 2)},
}


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    found = sqlite3.connect(":memory:", isolation_level=None)
    schema.upgrade(found, "memory")
    yield found
    found.close()


def expected(history: Sequence[str]) -> list[tuple[int, int, int | None]]:
    """The longest runs of the same content: first, last, and the one value that differs."""
    runs: list[tuple[int, int, int | None]] = []
    for content, group in groupby(range(len(history)), key=lambda at: history[at]):
        places = list(group)
        if content != "-":
            runs.append((places[0], places[-1], CONTENTS[content][7,][0]))
    return runs


def held(db: sqlite3.Connection) -> list[tuple[int, int, int | None]]:
    return db.execute(
        "SELECT first, last, path FROM symbols WHERE package = 1 ORDER BY 1"
    ).fetchall()


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_every_history_of_four_releases_in_every_order(
    db: sqlite3.Connection, order: tuple[int, ...]
) -> None:
    """One key that is not there, one thing or another thing; then each release taken out again."""
    neighbour = {(8,): (None, 0, 1, None, None)}
    spans.put(db, SYMBOLS, 2, 0, neighbour)
    for history in product(CONTENTS, repeat=4):
        there: list[int] = []
        for place in order:
            position = sum(other < place for other in there)
            there.append(place)
            spans.put(db, SYMBOLS, 1, position, CONTENTS[history[place]])
        assert held(db) == expected(history), history
        left = list(history)
        for place in order:
            position = sum(other < place for other in there)
            there.remove(place)
            spans.take(db, SYMBOLS, 1, position)
            del left[position]
            assert held(db) == expected(left), (history, left)
    rows = db.execute("SELECT * FROM symbols").fetchall()
    assert rows == [(2, 8, 0, 0, None, 0, 1, None, None)]  # another package: untouched


@pytest.mark.parametrize("table", [SYMBOLS, NAMES], ids=lambda table: table.name)
def test_keys_do_not_disturb_each_other(db: sqlite3.Connection, table: SpanTable) -> None:
    one, other = (1,) * len(table.key), (1,) * (len(table.key) - 1) + (2,)
    a, b = (5,) * len(table.value), (6,) * len(table.value)
    for facts in ({one: a, other: a}, {one: a, other: b}, {one: a}):
        spans.put(db, table, 1, 1 if facts == {one: a} else 0, facts)
    key = ", ".join(table.key)
    rows = db.execute(f"SELECT {key}, first, last, {table.value[0]} FROM {table.name}").fetchall()
    assert sorted(rows) == [(*one, 0, 2, 5), (*other, 0, 0, 6), (*other, 2, 2, 5)]
