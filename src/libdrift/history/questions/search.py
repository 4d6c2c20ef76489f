"""Full-text search over one release: names, parameters and documentation as of that release."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from libdrift.history.store import Store, packing, words
from libdrift.records import Symbol

_NAME = 3.0  # a word in a name says more than one among a docstring's hundreds
_INNER = 0.3  # of the score: found, but after what is meant for users


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    symbol: Symbol
    score: float  # more is better; of no meaning across queries


def search(store: Store, package: str, version: str, query: str, limit: int = 10) -> list[Hit]:
    """What a release has on some words, the best first. Any text is a query."""
    wanted = words.query(query)
    if not wanted:
        return []
    with store.snapshot():
        number, position = store.place(package, version)
        best = heapq.nlargest(limit, _scored(store, wanted, number, position))
        return [_hit(store, *item) for item in best]


def _scored(
    store: Store, wanted: str, package: int, position: int
) -> list[tuple[float, int, int, int, int | None]]:
    """Scores of what holds in a release; numbers of path, symbol, shape and documentation."""
    by_path: dict[int, float] = dict(
        store.db.execute(
            "SELECT rowid, -bm25(path_words) FROM path_words WHERE path_words MATCH ?", (wanted,)
        ).fetchall()
    )
    by_blob: dict[int, float] = dict(
        store.db.execute(
            "SELECT rowid, -bm25(blob_words) FROM blob_words WHERE blob_words MATCH ?", (wanted,)
        ).fetchall()
    )
    rows = store.db.execute(
        "SELECT path, symbol, shape, doc, inner FROM symbols"
        " WHERE package = ? AND first <= ? AND last >= ? AND path IS NOT NULL",
        (package, position, position),
    )
    found: list[tuple[float, int, int, int, int | None]] = []
    for path, symbol, shape, doc, inner in rows:
        score = by_blob.get(shape, 0.0) + by_blob.get(doc, 0.0) + _NAME * by_path.get(path, 0.0)
        if score:
            found.append((score * _INNER if inner else score, -path, symbol, shape, doc))
    return found


def _hit(store: Store, score: float, path: int, symbol: int, shape: int, doc: int | None) -> Hit:
    row = store.db.execute(
        "SELECT p.text, i.text, s.data, d.data FROM paths p JOIN ids i ON i.id = ?"
        " JOIN blobs s ON s.id = ? LEFT JOIN blobs d ON d.id = ? WHERE p.id = ?",
        (symbol, shape, doc, -path),
    ).fetchone()
    text = packing.text(packing.inflate(row[3])) if row[3] else ""
    found = packing.symbol(row[1], packing.one_shape(packing.inflate(row[2])), text)
    return Hit(row[0], found, score)
