"""Any text, searched for in one mined release: for people, and for tools that models call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.history.store import Store
from libdrift.records import Symbol
from libdrift.retrieval import mined
from libdrift.retrieval.open_indexes import OPEN
from libdrift.retrieval.queries import query
from libdrift.retrieval.ranking import by_words

_FEW = 3  # words


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    symbol: Symbol
    score: float  # more is better; of no meaning across queries


def search(
    store: Store, release: tuple[str, str], text: str, folder: Path, limit: int = 10
) -> list[Hit]:
    """What a release (package and version) has on some words, the best first.

    ``folder`` is a cache of indexes: a release's own is made when it is first searched, and stays
    open for the next search in it.
    """
    package, version = release
    # Who asks in few words may well know the name.
    name = text if len(text.split()) <= _FEW else ""
    asked = replace(query(text, package, version), inside=text, name=name)
    with OPEN.lease(store, release, folder) as (index, soon):
        found = [
            (index.paths[number], score) for number, score in by_words(index, asked, limit, soon)
        ]
        known = mined.symbols(store, package, version, [path for path, _ in found])
    return [Hit(path, known[path], score) for path, score in found]
