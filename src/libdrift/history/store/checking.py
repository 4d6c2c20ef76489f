"""Whether the history's file is whole: by SQLite's own rules, and by the sums of what it holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.history.store import opening, packing, places
from libdrift.records import Binding, Provenance

_MOST = 20  # faults that are told
# What a content may be: its sum is of its bytes and of that.
KINDS = (b"shape", b"doc", b"code", b"origin", b"outside", b"tombstones")
_POSITIONS = """
SELECT p.name FROM releases r JOIN packages p ON p.id = r.package GROUP BY r.package
HAVING min(r.position) <> 0 OR max(r.position) <> count(*) - 1
    OR count(DISTINCT r.position) <> count(*)
"""
_MISSING = """
SELECT DISTINCT p.name FROM (
    SELECT package, shape AS blob FROM symbols UNION ALL SELECT package, doc FROM symbols
    UNION ALL SELECT package, code FROM symbols UNION ALL SELECT package, origin FROM releases
    UNION ALL SELECT package, outside FROM releases
    UNION ALL SELECT package, tombstones FROM releases
) u JOIN packages p ON p.id = u.package
WHERE u.blob IS NOT NULL AND u.blob NOT IN (SELECT id FROM blobs)
"""

# A scope that is empty has a row as well, which binds nothing.
_HOWS = """
SELECT text FROM labels
WHERE id IN (SELECT n.how FROM names n JOIN labels l ON l.id = n.name WHERE l.text <> '')
"""


def quick_damage(db: sqlite3.Connection) -> list[str]:
    """What a look at the small tables shows."""
    try:
        rows = db.execute(_POSITIONS).fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [f"releases of {name} are not in order" for (name,) in rows]


def damage(db: sqlite3.Connection) -> list[str]:
    """All that is wrong with a file, as far as can be seen; every page and content is read."""
    found: list[str] = []
    try:
        for fault in _faults(db):
            found.append(fault)
            if len(found) >= _MOST:
                break
    except sqlite3.DatabaseError as error:
        found.append(str(error))
    return found


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute(f"PRAGMA integrity_check({_MOST})"):
        if line != "ok":
            yield str(line)
    yield from quick_damage(db)
    for (name,) in db.execute(_MISSING):
        yield f"contents of {name} are missing"
    for (how,) in db.execute(_HOWS):
        if not _says_how(how):
            yield f"{how!r} is no way to bind a name"
    if db.execute("SELECT 1 FROM names WHERE target NOT IN (SELECT id FROM ids)").fetchone():
        yield "names lead nowhere"
    for number, sum_, data in db.execute("SELECT id, digest, data FROM blobs"):
        if not _holds(sum_, data):
            yield f"content {number} is not what was stored"
    yield from _misplaced(db)


def _misplaced(db: sqlite3.Connection) -> Iterator[str]:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'places'").fetchone():
        return  # a file of an older shape, which has none
    for version, data in db.execute("SELECT version, data FROM places"):
        try:
            places.unpacked(data)
        except LibdriftError:
            yield f"places of symbols in {version} are not what was stored"


def explained(error: Exception) -> InfrastructureError | None:
    """An error while a history was read, if a file of this process is damaged and so may be why."""
    for path in opening.OPENED:
        try:
            with opening.reported(str(path)):
                db = opening.connect(path, readonly=True)
                try:
                    found = damage(db)
                finally:
                    db.close()
        except LibdriftError as trouble:
            return InfrastructureError(trouble.message, trouble.fix)
        if found:
            return packing.damaged(f"{found[0]} in {path} ({type(error).__name__})")
    return None


def _says_how(text: object) -> bool:
    try:
        binding, *provenance = str(text).split(" ")
        Binding(binding)
        list(map(Provenance, provenance))
    except ValueError:
        return False
    return True


def _holds(sum_: object, data: object) -> bool:
    if not isinstance(data, bytes):
        return False
    try:
        content = packing.inflate(data)
    except LibdriftError:
        return False
    return any(packing.digest(kind, content) == sum_ for kind in KINDS)
