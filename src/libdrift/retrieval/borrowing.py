"""Texts for symbols that have no documentation: of their bases, neighbours and namesakes.

What is borrowed is only searched by. The document that a reader gets says no more than its own
release does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from libdrift.history.store import Store, packing

_NAMESAKES = 4  # with more of them, a name such as `get` tells nothing
_MOST = 900  # variables of a statement, below SQLite's limit in every build of it


def inherited(docs: Mapping[str, str], bases: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For members without a text, that of the nearest base which has one."""
    found: dict[str, str] = {}
    for symbol, doc in docs.items():
        owner, dot, name = symbol.rpartition(".")
        if doc or not dot or ":" not in owner:
            continue
        for base in _line(owner, bases):
            if docs.get(f"{base}.{name}"):
                found[symbol] = docs[f"{base}.{name}"]
                break
    return found


def _line(owner: str, bases: Mapping[str, Sequence[str]]) -> list[str]:
    line = [owner]
    for current in line:  # grows
        line += [base for base in bases.get(current, ()) if base not in line]
    return line[1:]


def of_neighbours(store: Store, place: tuple[int, int], symbols: Sequence[str]) -> dict[str, str]:
    """For symbols without a text, that of the mined release before or after.

    ``place`` is the package and the position of the release at hand.
    """
    package, position = place
    found: dict[str, str] = {}
    for start in range(0, len(symbols), _MOST):
        some = symbols[start : start + _MOST]
        marks = ",".join("?" * len(some))
        rows = store.db.execute(
            "SELECT i.text, b.data FROM ids i"  # noqa: S608
            " JOIN symbols s ON s.package = i.package AND s.symbol = i.id"
            f" JOIN blobs b ON b.id = s.doc WHERE i.package = ? AND i.text IN ({marks})"
            " AND s.first <= ? AND s.last >= ? ORDER BY s.first DESC",
            (package, *some, position + 1, position - 1),
        )
        found |= {symbol: packing.text(packing.inflate(data)) for symbol, data in rows}
    return {symbol: doc for symbol, doc in found.items() if doc.strip()}


def of_namesakes(docs: Mapping[str, str], wanted: Sequence[str]) -> dict[str, str]:
    """For symbols without a text, those of the few things that have the same name."""
    told: dict[str, list[str]] = defaultdict(list)
    for symbol, doc in docs.items():
        if doc and ":" in symbol:
            told[_own(symbol)].append(doc)
    found: dict[str, str] = {}
    for symbol in wanted:
        texts = list(dict.fromkeys(told.get(_own(symbol), ())))
        if 0 < len(texts) <= _NAMESAKES:
            found[symbol] = max(texts, key=len)
    return found


def _own(symbol: str) -> str:
    return symbol.partition(":")[2].rpartition(".")[2]
