"""The store of mined releases: one SQLite file, read while it is being written to."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from libdrift.history import spelling, versions
from libdrift.history.store import checking, holding, packing, schema
from libdrift.history.store.opening import check_place, connect, reported
from libdrift.history.store.reading import SurfaceReader, release_of
from libdrift.records import Origin, Release, Surface

_ODD = (KeyError, TypeError, ValueError, IndexError, AttributeError)


@dataclass(frozen=True, slots=True)
class StoredRelease:
    """A release that is in the store."""

    release: Release
    origin: Origin
    mined: datetime


@dataclass(frozen=True, slots=True)
class Failure:
    """A release that could not be mined."""

    release: Release
    reason: str
    tried: datetime


class Store:
    """Releases by package and version. ``db`` is for the readers in this room."""

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        self.db = db
        self._name = name

    @classmethod
    def open(cls, path: Path, *, readonly: bool = False) -> Store:
        held = holding.taken(path) if readonly else None
        if held is not None:
            return held
        check_place(path, readonly=readonly)
        with reported(str(path)):
            db = connect(path, readonly=readonly)
            try:
                if schema.check(db, str(path)) < len(schema.MIGRATIONS):
                    if readonly:  # of an older shape: only a writer can bring it up to date
                        cls.open(path).close()
                    else:
                        db.execute("PRAGMA journal_mode = WAL")
                        schema.upgrade(db, str(path))
            except BaseException:
                db.close()
                raise
        store = cls(db, str(path))
        if readonly:
            holding.keep(path, store)
        return store

    def close(self) -> None:
        if not holding.is_held(self):
            self.db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read within is of one moment, whatever is being written meanwhile."""
        if self.db.in_transaction:  # within another one
            yield
            return
        with self._transaction("BEGIN"):
            yield

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """All that is written within goes in together, or nothing of it."""
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with reported(self._name):
            self.db.execute(begin)
            try:
                yield
            except _ODD as error:
                # A row that is missing, a text where a number was: is it the file's fault, or ours?
                found = checking.damage(self.db)
                self.db.rollback()
                if found:
                    raise packing.damaged(found[0]) from error
                raise
            except BaseException:
                self.db.rollback()
                raise
            self.db.execute("COMMIT")

    # --- writing

    def add(self, surface: Surface) -> None:
        """Put a release in, or in the place of what was there of it: all of it, or nothing."""
        from libdrift.history.store import writing

        prepared = writing.prepare(surface)
        version = surface.release.version
        with self._transaction("BEGIN IMMEDIATE"):
            package = self._own_number(surface.release)
            known = self.versions(package)
            if version in known:
                writing.erase(self.db, package, known.index(version))
            writing.write(self.db, package, prepared)
            self.db.execute(
                "DELETE FROM failures WHERE package = ? AND version = ?", (package, version)
            )

    def remove(self, package: str, version: str) -> None:
        from libdrift.history.store import trials, writing

        with self.changing():
            number, position = self.place(package, version)
            own = self.versions(number)[position]
            writing.erase(self.db, number, position)
            trials.forget(self, number, own)

    def forget_failure(self, release: Release) -> None:
        with self._transaction("BEGIN IMMEDIATE"):
            key = (self._own_number(release), release.version)
            self.db.execute("DELETE FROM failures WHERE package = ? AND version = ?", key)

    def vacuum(self) -> None:
        """Give the space of what was removed back to the disk."""
        with reported(self._name):
            self.db.execute("VACUUM")
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def note_failure(self, release: Release, reason: str) -> None:
        """Remember why a release could not be mined; ``add`` forgets it."""
        with self._transaction("BEGIN IMMEDIATE"):
            self.db.execute(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)",
                (
                    self._own_number(release),
                    release.version,
                    release.date and release.date.isoformat(),
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    reason,
                ),
            )

    def _own_number(self, release: Release) -> int:
        key = (release.ecosystem, release.package)
        self.db.execute("INSERT OR IGNORE INTO packages (ecosystem, name) VALUES (?, ?)", key)
        row = self.db.execute("SELECT id FROM packages WHERE ecosystem = ? AND name = ?", key)
        return int(row.fetchone()[0])

    # --- what is there

    def has(self, release: Release) -> bool:
        with self.snapshot():
            row = self.db.execute(
                "SELECT 1 FROM releases r JOIN packages p ON p.id = r.package"
                " WHERE p.ecosystem = ? AND p.name = ? AND r.version = ?",
                (release.ecosystem, release.package, release.version),
            ).fetchone()
        return row is not None

    def packages(self) -> list[str]:
        """Those with at least one release."""
        with self.snapshot():
            rows = self.db.execute(
                "SELECT name FROM packages WHERE id IN (SELECT package FROM releases) ORDER BY name"
            ).fetchall()
        return [row[0] for row in rows]

    def releases(self, package: str, version: str | None = None) -> list[StoredRelease]:
        """The mined releases of a package, in version order; or the one of a version."""
        with self.snapshot():
            rows = self.db.execute(
                "SELECT p.ecosystem, p.name, r.version, r.date, r.mined, b.data FROM releases r"
                " JOIN packages p ON p.id = r.package JOIN blobs b ON b.id = r.origin"
                " WHERE r.package = ? AND (? IS NULL OR r.version = ?) ORDER BY r.position",
                (self.number(package), version, version),
            ).fetchall()
        return [
            StoredRelease(
                release_of(*row[:4]),
                packing.origin(packing.inflate(row[5])),
                datetime.fromisoformat(row[4]),
            )
            for row in rows
        ]

    def failures(self, package: str | None = None) -> list[Failure]:
        """What could not be mined, of one package or of all."""
        with self.snapshot():
            rows = self.db.execute(
                "SELECT p.ecosystem, p.name, f.version, f.date, f.reason, f.tried FROM failures f"
                " JOIN packages p ON p.id = f.package WHERE ? IS NULL OR p.id = ?"
                " ORDER BY p.name, f.version",
                (package, self.number(package) if package else None),
            ).fetchall()
        return [
            Failure(release_of(*row[:4]), row[4], datetime.fromisoformat(row[5])) for row in rows
        ]

    def package_of(self, path: str) -> str | None:
        """The package that offers a path: ``sklearn.svm.SVC`` is scikit-learn's."""
        with self.snapshot():
            rows = self.db.execute(
                "SELECT DISTINCT p.ecosystem, p.name, r.roots FROM releases r"
                " JOIN packages p ON p.id = r.package"
            ).fetchall()
        rust = spelling.is_rust(path)
        path = spelling.dotted(path)
        # Of the language that it is written in, the longest root; among packages that share it,
        # the one that is called so.
        found = [
            ((ecosystem in spelling.RUST) != rust, -len(root), name != root, name)
            for ecosystem, name, roots in rows
            for root in roots.split("\n")
            if path == root or path.startswith(f"{root}.")
        ]
        return min(found)[3] if found else None

    def surface_roots(self, package: str) -> tuple[str, ...]:
        """The top names of a package's newest mined release; none if it is not mined."""
        with self.snapshot():
            row = self.db.execute(
                "SELECT roots FROM releases WHERE package = ? ORDER BY position DESC LIMIT 1",
                (self.number(package),),
            ).fetchone()
        return tuple(row[0].split("\n")) if row and row[0] else ()

    def number(self, package: str) -> int | None:
        """A package's number in the tables, by its name or one that the index takes for it."""
        usual = re.sub(r"[-_.]+", "-", package).lower()
        row = self.db.execute(
            "SELECT id FROM packages WHERE name IN (?, ?) ORDER BY name <> ?, id",
            (package, usual, package),
        ).fetchone()
        return int(row[0]) if row else None

    def versions(self, number: int | None) -> list[str]:
        """The versions of a package: the place of each is its position."""
        rows = self.db.execute(
            "SELECT version FROM releases WHERE package = ? ORDER BY position", (number,)
        )
        return [row[0] for row in rows]

    def version(self, package: str, asked: str | None = None) -> str:
        """A mined version as the store writes it; the newest one if none is asked for."""
        known = self.versions(self.number(package))
        return known[self.place(package, asked or (known or [""])[-1])[1]]

    def place(self, package: str, version: str) -> tuple[int, int]:
        """The numbers of a package and of a release's position in it."""
        number = self.number(package)
        known = self.versions(number)
        if number is None or not known:
            from libdrift.history.store.packages import not_mined

            raise not_mined(self, package)
        return number, versions.find(package, version, known)

    # --- surfaces

    def surface(self, package: str, version: str) -> Surface:
        """A release's surface, equal to the one that was added."""
        (found,) = self.surfaces(package, [version])
        return found

    def surfaces(self, package: str, versions: Sequence[str]) -> list[Surface]:
        """Several of a package: they share what is the same in them, and are read the faster."""
        with self.snapshot():
            places = [self.place(package, version) for version in versions]
            readers = {number: SurfaceReader(self.db, number) for number, _ in places}
            return [readers[number].surface(position) for number, position in places]
