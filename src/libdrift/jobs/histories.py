"""What is known of releases: mined into the history, and asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from libdrift import config
from libdrift.history.questions import (
    Diff,
    DiffFilter,
    Life,
    SymbolDocument,
    check_version,
    document,
    life,
)
from libdrift.history.questions import diff as compared
from libdrift.history.store import Store
from libdrift.mining import MiningOptions, MiningProgress, MiningResult
from libdrift.mining import mine as read_releases
from libdrift.records import Surface


def open_history(store: Path | None = None) -> Store:
    """The history for questions: the usual file, or another."""
    return Store.open(store or config.load().history, readonly=True)


def mine(
    packages: str | Sequence[str],
    options: MiningOptions | None = None,
    store: Path | None = None,
    progress: MiningProgress | None = None,
) -> MiningResult:
    """Read releases into the history: of packages, ``crate:NAME``, ``jdk``, ``rust`` and others."""
    settings = config.load()
    asked = [packages] if isinstance(packages, str) else packages
    with Store.open(store or settings.history) as history:
        return read_releases(asked, options or MiningOptions(), history, settings, progress)


def history_of(symbol: str, store: Path | None = None) -> Life:
    """Since when a symbol is there, its deprecation and end, its signatures."""
    with open_history(store) as history:
        return life(history, symbol)


def diff(
    package: str, old: str, new: str, wanted: DiffFilter | None = None, store: Path | None = None
) -> Diff:
    """What changed between two mined releases."""
    with open_history(store) as history:
        return compared(history, package, old, new, wanted)


def docs(symbol: str, at: str | None = None, store: Path | None = None) -> SymbolDocument:
    """A symbol's signature and documentation exactly as of one release, or the newest."""
    if at is not None:
        check_version(at)
    with open_history(store) as history:
        return document(history, symbol, at)


def surface(package: str, version: str, store: Path | None = None) -> Surface:
    """What a mined release offers, and how that is known."""
    check_version(version)
    with open_history(store) as history:
        return history.surface(package, version)
