"""A mined release as documents to be searched."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from libdrift.history.store import Store, packing
from libdrift.records import Symbol, SymbolKind
from libdrift.retrieval import borrowing, words
from libdrift.retrieval.documents import described, readable
from libdrift.retrieval.index import IndexEntry, ReleaseContents
from libdrift.retrieval.words import lead

# How much of a score counts. What is not meant for users is found, but after the rest; so are
# modules and values: their texts tell of many things, or in few words of one.
_INNER = 0.3
_KINDS = {
    SymbolKind.MODULE: 0.6,
    SymbolKind.ATTRIBUTE: 0.7,
    SymbolKind.PROPERTY: 0.8,
    SymbolKind.CONSTANT: 0.7,
    SymbolKind.UNKNOWN: 0.6,
}
_DEPTH = 0.9  # for each name that leads there: what is meant to be found is near the root
_FRESH = 1.2  # what is new in a release, or other than before, is what its users ask for
_TESTING = 0.7
_FOR_TESTS = frozenset({"test", "tests", "testing"})
_USUAL = 3  # documents that have a word
_KNOWN = 1.2  # at most, for what other documents mention
_MENTION = re.compile(r"\.([^\W\d]\w*)|`([^\W\d]\w*)`")
_RAISED = ("Error", "Exception", "Warning")
_HELD = "package = ? AND first <= ? AND last >= ?"


def digest(store: Store, package: str, version: str) -> str:
    """A hash of all that a release's documents are made of."""
    with store.snapshot():
        number, position = store.place(package, version)
        rows = store.db.execute(
            "SELECT p.text, i.text, s.inner, a.digest, b.digest FROM symbols s"  # noqa: S608
            " JOIN paths p ON p.id = s.path JOIN ids i ON i.id = s.symbol"
            " JOIN blobs a ON a.id = s.shape LEFT JOIN blobs b ON b.id = s.doc"
            f" WHERE s.{_HELD} ORDER BY i.text",
            (number, position, position),
        )
        found = hashlib.sha256()
        for row in rows:
            found.update(repr(row).encode("utf-8", "replace"))
        # Its neighbours lend texts, and show what is new in this one.
        beside = store.db.execute(
            "SELECT position, version, mined FROM releases"
            " WHERE package = ? AND position IN (?, ?) ORDER BY position",
            (number, position - 1, position + 1),
        )
        found.update(repr([(at - position, *more) for at, *more in beside]).encode())
    return found.hexdigest()[:20]


def contents(store: Store, package: str, version: str) -> ReleaseContents:
    """The documents of exactly one release, under its version as the store writes it."""
    with store.snapshot():
        number, position = store.place(package, version)
        at = (number, position, position)
        name, written, roots = store.db.execute(
            "SELECT p.name, r.version, r.roots FROM releases r JOIN packages p ON p.id = r.package"
            " WHERE r.package = ? AND r.position = ?",
            (number, position),
        ).fetchone()
        rows = store.db.execute(
            "SELECT p.text, i.text, s.inner, a.data, b.data FROM symbols s"  # noqa: S608
            " JOIN ids i ON i.id = s.symbol LEFT JOIN paths p ON p.id = s.path"
            " JOIN blobs a ON a.id = s.shape LEFT JOIN blobs b ON b.id = s.doc"
            f" WHERE s.{_HELD} ORDER BY p.text, i.text",
            at,
        ).fetchall()
        names = store.db.execute(
            "SELECT s.text, l.text, t.text FROM names n JOIN ids s ON s.id = n.scope"  # noqa: S608
            " JOIN labels l ON l.id = n.name JOIN ids t ON t.id = n.target"
            f" WHERE n.{_HELD} AND l.text <> ''",
            at,
        ).fetchall()
        fresh = _fresh(store, number, position)
        found = {row[1]: (row[0], row[2], _symbol(row[1], *row[3:])) for row in rows}
        bases = {
            symbol_id: tuple(base for base in symbol.bases if ":" in base)
            for symbol_id, (_, _, symbol) in found.items()
            if symbol.bases
        }
        lent = _lent(store, (number, position), [item[2] for item in found.values()], bases)
    entries = [
        _entry(
            (name, written),
            path,
            symbol,
            lent.get(symbol.id, ""),
            _weight(path, symbol, inner=bool(inner), is_fresh=symbol.id in fresh),
        )
        for path, inner, symbol in found.values()
        if path
    ]
    scopes: dict[str, dict[str, str]] = defaultdict(dict)
    for scope, label, target in names:
        scopes[scope][label] = target
    entries = list(_parted(_weighed(entries)))
    return ReleaseContents(tuple(entries), tuple(roots.split("\n")), scopes, bases)


def _fresh(store: Store, number: int, position: int) -> set[str]:
    """The ids of what the mined release before has not, or otherwise; none of the first one's."""
    if not position:
        return set()
    rows = store.db.execute(
        "SELECT i.text FROM symbols s JOIN ids i ON i.id = s.symbol"  # noqa: S608
        f" WHERE s.{_HELD} AND NOT EXISTS (SELECT 1 FROM symbols o WHERE o.package = s.package"
        " AND o.symbol = s.symbol AND o.first < ? AND o.last >= ? AND o.shape = s.shape)",
        (number, position, position, position, position - 1),
    )
    return {row[0] for row in rows}


def _lent(
    store: Store,
    place: tuple[int, int],
    found: Sequence[Symbol],
    bases: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Texts to search by for what has none: the nearest kind of kin that has one lends it."""
    docs = {symbol.id: symbol.doc.strip() for symbol in found}
    lent = borrowing.inherited(docs, bases)
    bare = [symbol for symbol, doc in docs.items() if not doc and symbol not in lent]
    lent |= borrowing.of_neighbours(store, place, bare)
    bare = [symbol for symbol in bare if symbol not in lent]
    return lent | borrowing.of_namesakes(docs, bare)


def symbols(store: Store, package: str, version: str, paths: Collection[str]) -> dict[str, Symbol]:
    """What documents of a release are about, by their paths."""
    with store.snapshot():
        number, position = store.place(package, version)
        rows = store.db.execute(
            "SELECT p.text, i.text, a.data, b.data FROM symbols s"
            " JOIN paths p ON p.id = s.path JOIN ids i ON i.id = s.symbol"
            " JOIN blobs a ON a.id = s.shape LEFT JOIN blobs b ON b.id = s.doc"
            " WHERE s.package = ? AND s.first <= ? AND s.last >= ?"
            " AND p.text IN (SELECT value FROM json_each(?))",
            (number, position, position, json.dumps(list(paths))),
        ).fetchall()
    return {path: _symbol(symbol_id, shape, doc) for path, symbol_id, shape, doc in rows}


def _symbol(symbol_id: str, shape: bytes, doc: bytes | None) -> Symbol:
    text = packing.text(packing.inflate(doc)) if doc else ""
    return packing.symbol(symbol_id, packing.shape(packing.inflate(shape)), text)


def namesakes(store: Store, package: str, version: str, name: str) -> list[str]:
    """The paths of all that a release has under a name, whatever leads there."""
    with store.snapshot():
        number, position = store.place(package, version)
        rows = store.db.execute(
            "SELECT DISTINCT p.text FROM symbols s JOIN paths p ON p.id = s.path"  # noqa: S608
            f" WHERE s.{_HELD.replace(' AND ', ' AND s.')} ORDER BY p.text",
            (number, position, position),
        ).fetchall()
    return [row[0] for row in rows if row[0].rpartition(".")[2] == name]


def _weighed(entries: list[IndexEntry]) -> Iterable[IndexEntry]:
    """With more weight for what the documents themselves speak of."""
    told: Counter[str] = Counter()
    for item in entries:
        told.update({one or other for one, other in _MENTION.findall(item.body)})
    most = math.log1p(max(told.values(), default=1))
    for item in entries:
        known = math.log1p(told[item.path.rpartition(".")[2]]) / most
        yield replace(item, weight=item.weight * _KNOWN**known)


def _parted(entries: Iterable[IndexEntry]) -> Iterable[IndexEntry]:
    """With names that are several words in one, as `textlength`, also in their parts."""
    entries = list(entries)
    told: Counter[str] = Counter()
    for item in entries:
        told.update(set(words.plain(item.body)))
    parts = words.Compounds(word for word, count in told.items() if count >= _USUAL)
    for item in entries:
        yield replace(item, own=parts.added(item.own))


def _weight(path: str, symbol: Symbol, *, inner: bool, is_fresh: bool) -> float:
    around = path.split(".")[:-1]
    weight = _KINDS.get(symbol.kind, 1.0) * _DEPTH ** max(0, len(around) - 1)
    weight *= _TESTING if _FOR_TESTS.intersection(around) else 1.0
    weight *= _FRESH if is_fresh else 1.0
    return weight * _INNER if inner else weight


def _entry(
    release: tuple[str, str], path: str, symbol: Symbol, lent: str, weight: float
) -> IndexEntry:
    around, _, own = path.rpartition(".")
    doc = readable(symbol.doc or lent)
    signature = symbol.signature
    raised = symbol.kind is SymbolKind.CLASS and own.endswith(_RAISED)
    return IndexEntry(
        path,
        release[1],
        described(*release, path, symbol),
        own=f"{own} exception" if raised else own,
        around=around,
        lead=lead(doc),
        parameters=" ".join(item.name for item in signature.parameters) if signature else "",
        body=doc,
        weight=weight,
        symbol=symbol.id,
    )
