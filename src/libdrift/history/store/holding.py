"""One connection for all that is read to answer one question: to open a file takes milliseconds."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libdrift.history.store.database import Store

# The process and the thread that opened them: no other may use them.
_Held = tuple[tuple[int, int], "dict[Path, Store]"]
_held: ContextVar[_Held | None] = ContextVar("held", default=None)


@contextlib.contextmanager
def held_open() -> Iterator[None]:
    """Histories that are opened for reading meanwhile stay open till the end, each once."""
    if _here() is not None:  # within another one
        yield
        return
    stores: dict[Path, Store] = {}
    token = _held.set((_who(), stores))
    try:
        yield
    finally:
        _held.reset(token)
        for store in stores.values():
            store.close()


def taken(path: Path) -> Store | None:
    """A history that is held open here."""
    return (_here() or {}).get(path)


def is_held(store: Store) -> bool:
    return any(store is one for one in (_here() or {}).values())


def keep(path: Path, store: Store) -> None:
    """Hold a history open, where such are held."""
    stores = _here()
    if stores is not None:
        stores[path] = store


def _here() -> dict[Path, Store] | None:
    found = _held.get()
    return found[1] if found is not None and found[0] == _who() else None


def _who() -> tuple[int, int]:
    return os.getpid(), threading.get_ident()
