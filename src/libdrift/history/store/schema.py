"""The store's tables, and how a file of an older shape becomes one of today's.

A release has a *position*: its place, counted from 0, among the mined releases of its package in
version order. What a symbol is, and what a name reaches, holds for a span of positions, from
``first`` to ``last``. Spans of one key never overlap and are as long as they can be, so the same
releases give the same rows, in whatever order they were added.
"""

from __future__ import annotations

import sqlite3

from libdrift.errors import UserError

APPLICATION = 0x6C696264  # "libd": tells our file from another program's database

_FIRST = """
CREATE TABLE packages (
    id INTEGER PRIMARY KEY,
    ecosystem TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (name, ecosystem)
);
CREATE TABLE releases (
    package INTEGER NOT NULL REFERENCES packages (id),
    position INTEGER NOT NULL,
    version TEXT NOT NULL,
    date TEXT,
    mined TEXT NOT NULL,
    roots TEXT NOT NULL,          -- one a line
    origin INTEGER NOT NULL,      -- the rest: blobs
    outside INTEGER NOT NULL,
    tombstones INTEGER NOT NULL,
    UNIQUE (package, version)
);
CREATE TABLE failures (
    package INTEGER NOT NULL REFERENCES packages (id),
    version TEXT NOT NULL,
    date TEXT,
    tried TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (package, version)
) WITHOUT ROWID;

-- Each text once. An id says where a thing is defined, a path what a user writes.
CREATE TABLE ids (
    id INTEGER PRIMARY KEY,
    package INTEGER NOT NULL REFERENCES packages (id),
    text TEXT NOT NULL,
    UNIQUE (package, text)
);
CREATE TABLE paths (
    id INTEGER PRIMARY KEY,
    package INTEGER NOT NULL REFERENCES packages (id),
    text TEXT NOT NULL,
    UNIQUE (package, text)
);
CREATE TABLE labels (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- Each distinct content once, packed.
CREATE TABLE blobs (id INTEGER PRIMARY KEY, digest INTEGER NOT NULL UNIQUE, data BLOB NOT NULL);

CREATE TABLE symbols (
    package INTEGER NOT NULL,
    symbol INTEGER NOT NULL,      -- ids
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    path INTEGER,                 -- paths: the most public one; none for what has no public name
    inner INTEGER NOT NULL,       -- 1: even that path is not meant for users
    shape INTEGER NOT NULL,       -- blobs: kind, signature, deprecations…
    doc INTEGER,                  -- blobs
    code INTEGER,                 -- blobs: the body's hash and its sketch
    PRIMARY KEY (package, symbol, first)
) WITHOUT ROWID;
CREATE TABLE names (
    package INTEGER NOT NULL,
    scope INTEGER NOT NULL,       -- ids
    name INTEGER NOT NULL,        -- labels; the empty one says that the scope is there, and empty
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    target INTEGER NOT NULL,      -- ids
    how INTEGER NOT NULL,         -- labels: binding and provenance
    PRIMARY KEY (package, scope, name, first)
) WITHOUT ROWID;

-- Words only: the texts themselves are above. bm25 needs the places of words where there is no
-- text to read them from, hence no smaller `detail`.
CREATE VIRTUAL TABLE path_words USING fts5 (words, content='', tokenize='porter unicode61');
CREATE VIRTUAL TABLE blob_words
    USING fts5 (parameters, doc, content='', tokenize='porter unicode61');
"""

# Documents are searched in an index of their own release, which `retrieval` makes: in one for all,
# how rare a word is depended on what else had been mined.
_WITHOUT_WORDS = """
DROP TABLE path_words;
DROP TABLE blob_words;
"""

# By version and not by position: a trial holds whatever else is mined later.
_TRIALS = """
CREATE TABLE trials (
    id INTEGER PRIMARY KEY,
    package INTEGER NOT NULL REFERENCES packages (id),
    old TEXT NOT NULL,            -- versions
    new TEXT NOT NULL,
    ran TEXT NOT NULL,
    summary BLOB NOT NULL,
    UNIQUE (package, old, new)
);
CREATE TABLE trial_findings (
    trial INTEGER NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (trial, number)
) WITHOUT ROWID;
"""

# By version, as trials. A release that was mined before has no row until it is mined again.
_PLACES = """
CREATE TABLE places (
    package INTEGER NOT NULL REFERENCES packages (id),
    version TEXT NOT NULL,
    data BLOB NOT NULL,           -- files and lines of symbols, packed
    PRIMARY KEY (package, version)
) WITHOUT ROWID;
"""

# Each brings a file from the version that is its index to the next. Never change one: append.
MIGRATIONS: tuple[str, ...] = (_FIRST, _WITHOUT_WORDS, _TRIALS, _PLACES)


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def check(db: sqlite3.Connection, name: str) -> int:
    """The version of a file's schema, after a look whether it is one that we can read."""
    version = version_of(db)
    application = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if tables and application != APPLICATION:
        raise UserError(f"{name} is the database of another program", "Name another file")
    if version > len(MIGRATIONS):
        raise UserError(
            f"{name} was written by a newer libdrift (schema {version}, this one knows "
            f"{len(MIGRATIONS)})",
            "Update libdrift, or name another file",
        )
    return version


def upgrade(db: sqlite3.Connection, name: str) -> None:
    """Bring a file, perhaps an empty one, to today's schema: all of the way, or not at all."""
    db.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have done it meanwhile.
        for script in MIGRATIONS[check(db, name) :]:
            for statement in _statements(script):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _statements(script: str) -> list[str]:
    """``executescript`` would commit on its own: a kill between two statements must undo both."""
    found: list[str] = []
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found
