"""What the releases beside one call its things: names that are gone, and warnings that came later.

Who asks in words of another release finds what took a thing's place in this one. As all that is
borrowed, it is only searched by.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from libdrift.history.store import Store, packing
from libdrift.records import Deprecation
from libdrift.retrieval import words
from libdrift.retrieval.words import lead

_RARE = 4  # names beside each other that may share a word which still tells something
_SHORTEST = 3  # letters of such a word
_HEIRS = 3  # of one thing that is gone
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class LentWords:
    """Names and texts of other releases, for one thing of this one."""

    names: str = ""
    text: str = ""

    def __add__(self, other: LentWords) -> LentWords:
        return LentWords(f"{self.names} {other.names}", f"{self.text}\n{other.text}")


def from_others(
    store: Store, place: tuple[int, int], paths: Mapping[str, str], fresh: set[str]
) -> dict[str, LentWords]:
    """By id. ``paths`` are those of the release at hand, with ids; ``fresh`` what is new in it."""
    found: dict[str, LentWords] = defaultdict(LentWords)
    siblings: dict[str, dict[str, str]] = defaultdict(dict)
    for path, symbol in paths.items():
        owner, _, own = path.rpartition(".")
        siblings[owner][own] = symbol
    for path, warnings, doc in _gone(store, place, paths):
        own = path.rpartition(".")[2]
        for heir in _named(path, warnings, paths) or _alike(path, siblings, fresh):
            found[heir] += LentWords(own, lead(doc))
    known = set(paths.values())
    for symbol, warnings in _later(store, place):
        if symbol in known:
            found[symbol] += LentWords("", " ".join(item.message for item in warnings))
    return found


def _gone(
    store: Store, place: tuple[int, int], paths: Mapping[str, str]
) -> Iterable[tuple[str, tuple[Deprecation, ...], str]]:
    """Path, warnings and documentation of what the mined release before had, and this has not."""
    package, position = place
    rows = store.db.execute(
        "SELECT p.text, s.shape, s.doc FROM symbols s JOIN paths p ON p.id = s.path"
        " WHERE s.package = ? AND s.first <= ? AND s.last = ? AND s.inner = 0 ORDER BY p.text",
        (package, position - 1, position - 1),
    ).fetchall()
    rows = [row for row in rows if row[0] not in paths]
    blobs = _blobs(store, {number for _, *both in rows for number in both if number is not None})
    for path, shape, doc in rows:
        yield (
            path,
            _warnings(blobs[shape]),
            packing.text(packing.inflate(blobs[doc])) if doc else "",
        )


def _later(store: Store, place: tuple[int, int]) -> Iterable[tuple[str, tuple[Deprecation, ...]]]:
    """What the mined release after says against things, and this one does not, by their ids."""
    rows = store.db.execute(
        "SELECT i.text, s.shape FROM symbols s JOIN ids i ON i.id = s.symbol"
        " WHERE s.package = ? AND s.first = ? + 1 ORDER BY i.text",
        place,
    ).fetchall()
    blobs = _blobs(store, {shape for _, shape in rows})
    told = {shape: _warnings(data) for shape, data in blobs.items()}
    for symbol, shape in rows:
        if told[shape]:
            yield symbol, told[shape]


def _blobs(store: Store, numbers: set[int]) -> dict[int, bytes]:
    rows = store.db.execute(
        "SELECT id, data FROM blobs WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(numbers)),),
    )
    return dict(rows.fetchall())


def _warnings(shape: bytes) -> tuple[Deprecation, ...]:
    return packing.shape(packing.inflate(shape))[2]


def _named(path: str, warnings: Iterable[Deprecation], paths: Mapping[str, str]) -> list[str]:
    """What warnings said to use, as far as the release at hand has it."""
    owner = path.rpartition(".")[0]
    found: dict[str, None] = {}
    for item in warnings:
        for name in _NAME.findall(item.replacement) if not item.parameter else ():
            symbol = paths.get(name) or paths.get(f"{owner}.{name.rpartition('.')[2]}")
            if symbol:
                found[symbol] = None
    return list(found)[:_HEIRS]


def _alike(path: str, siblings: Mapping[str, Mapping[str, str]], fresh: set[str]) -> list[str]:
    """New things beside it whose names share a word with it that few have there."""
    owner, _, own = path.rpartition(".")
    beside = siblings.get(owner, {})
    counts = Counter(word for name in beside for word in set(words.split(name)))
    parts = {
        word for word in words.split(own) if len(word) >= _SHORTEST and 0 < counts[word] <= _RARE
    }
    near = {
        symbol: len(parts.intersection(words.split(name)))
        for name, symbol in beside.items()
        if symbol in fresh
    }
    return sorted((symbol for symbol, share in near.items() if share), key=lambda x: (-near[x], x))[
        :_HEIRS
    ]
