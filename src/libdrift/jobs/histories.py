"""What is known of releases: mined into the history, and asked of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift import config
from libdrift.errors import UserError
from libdrift.history.asking import check_version, not_mined
from libdrift.history.diff import compare
from libdrift.history.documents import Document, document
from libdrift.history.lives import Life, life
from libdrift.history.mining import Event, Options
from libdrift.history.mining import mine as mined_events
from libdrift.history.store import Store
from libdrift.records import Change, Surface


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two mined releases of a package."""

    package: str
    old: str
    new: str
    changes: tuple[Change, ...]

    @property
    def breaking(self) -> tuple[Change, ...]:
        """Only what can break code that worked."""
        return tuple(change for change in self.changes if change.breaking)


def open_history(store: Path | None = None) -> Store:
    """The history for questions: the usual file, or another."""
    return Store.open(store or config.load().history, readonly=True)


def mine(
    packages: Sequence[str], options: Options | None = None, store: Path | None = None
) -> tuple[Event, ...]:
    """Read releases of the package index into the history, without importing them."""
    from libdrift.languages.python.index import Index

    settings = config.load()
    index = Index.configured(os.environ)
    with Store.open(store or settings.history) as history:
        found = mined_events(
            list(packages), options or Options(), history, index, settings.cache / "mining"
        )
        return tuple(found)


def history_of(symbol: str, store: Path | None = None) -> Life:
    """Since when a symbol is there, its deprecation and end, its signatures."""
    with open_history(store) as history:
        return life(history, symbol)


def diff(package: str, old: str, new: str, store: Path | None = None) -> Difference:
    """What changed between two mined releases."""
    with open_history(store) as history:
        known = [item.release.version for item in history.releases(package)]
        if not known:
            raise not_mined(history, package)
        first, last = (_position(known, package, version) for version in (old, new))
        if first > last:
            raise UserError(f"{old} is later than {new}", f"diff {package} {new} {old}")
        chosen: Iterable[str] = known[first : last + 1] if first < last else [old, new]
        before, *between, after = [history.surface(package, version) for version in chosen]
        changes = compare(before, after, between)
    return Difference(before.release.package, old, new, tuple(changes))


def docs(symbol: str, at: str | None = None, store: Path | None = None) -> Document:
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


def _position(known: Sequence[str], package: str, version: str) -> int:
    from libdrift.history import versions

    check_version(version)
    found = next((at for at, one in enumerate(known) if versions.same(one, version)), None)
    if found is None:
        raise UserError(
            f"{package} {version} is not mined", f"libdrift mine {package} --versions {version}"
        )
    return found
