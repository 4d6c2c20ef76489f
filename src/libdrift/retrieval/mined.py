"""A mined release as documents to be searched."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from libdrift.history.store import Store, packing
from libdrift.records import Symbol, SymbolKind
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
    entries: list[IndexEntry] = []
    bases: dict[str, tuple[str, ...]] = {}
    for path, symbol_id, inner, shape, doc in rows:
        symbol = _symbol(symbol_id, shape, doc)
        if symbol.bases:
            bases[symbol_id] = tuple(base for base in symbol.bases if ":" in base)
        if path:
            entries.append(_entry(name, written, path, symbol, inner=bool(inner)))
    scopes: dict[str, dict[str, str]] = defaultdict(dict)
    for scope, label, target in names:
        scopes[scope][label] = target
    return ReleaseContents(tuple(_weighed(entries)), tuple(roots.split("\n")), scopes, bases)


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


def _entry(package: str, version: str, path: str, symbol: Symbol, *, inner: bool) -> IndexEntry:
    around, _, own = path.rpartition(".")
    doc = readable(symbol.doc)
    signature = symbol.signature
    weight = _KINDS.get(symbol.kind, 1.0) * _DEPTH ** around.count(".")
    raised = symbol.kind is SymbolKind.CLASS and own.endswith(_RAISED)
    return IndexEntry(
        path,
        version,
        described(package, version, path, symbol),
        own=f"{own} exception" if raised else own,
        around=around,
        lead=lead(doc),
        parameters=" ".join(item.name for item in signature.parameters) if signature else "",
        body=doc,
        weight=weight * _INNER if inner else weight,
        symbol=symbol.id,
    )
