"""What later releases warn of: those who use a release ask of it, since it is about to change."""

from __future__ import annotations

from libdrift.history.store import Store, packing

_PACKAGES = 64  # whose warnings are kept: to read them takes a part of a second
_known: dict[tuple[str, int, str], dict[str, int]] = {}


def warned_later(store: Store, package: str, version: str) -> frozenset[str]:
    """The ids of symbols that a mined release after this one deprecates as a whole."""
    with store.snapshot():
        number, position = store.place(package, version)
        mined = store.db.execute(
            "SELECT position, version, mined FROM releases WHERE package = ? AND position > ?"
            " ORDER BY position",
            (number, position),
        ).fetchall()
        if not mined:
            return frozenset()
        key = (_file(store), number, repr(mined[-1]) + str(len(mined) + position))
        if key not in _known:
            while len(_known) >= _PACKAGES:
                _known.pop(next(iter(_known)))
            _known[key] = _warned(store, number)
        found = _known[key]
    return frozenset(symbol for symbol, first in found.items() if first > position)


def _file(store: Store) -> str:
    """Which history it is; one in memory is its own."""
    rows = store.db.execute("PRAGMA database_list").fetchall()
    return str(rows[0][2] or id(store))


def _warned(store: Store, number: int) -> dict[str, int]:
    """By symbol, the last release that begins to warn of it, or warns otherwise."""
    rows = store.db.execute(
        "SELECT i.text, s.first, a.data FROM symbols s JOIN ids i ON i.id = s.symbol"
        " JOIN blobs a ON a.id = s.shape WHERE s.package = ?",
        (number,),
    )
    found: dict[str, int] = {}
    shapes: dict[bytes, bool] = {}  # many symbols have the same one
    for symbol, first, data in rows:
        if data not in shapes:
            shapes[data] = _is_warned(data)
        if shapes[data]:
            found[symbol] = max(first, found.get(symbol, -1))
    return found


def _is_warned(data: bytes) -> bool:
    _, _, deprecations, *_ = packing.shape(packing.inflate(data))
    return any(not item.parameter for item in deprecations)
