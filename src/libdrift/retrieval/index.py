"""The documents of one release as SQLite tables: their words, and the names that reach them.

Each part of a document is a full-text table of its own, so that a word in a short summary is not
lost behind a long documentation.
"""

# ruff: noqa: S608  (only names of our own tables are set into statements)
from __future__ import annotations

import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from libdrift.retrieval import words

FORMAT = "4"  # of what is kept in files: with another one, they are made anew
PARTS = ("own", "around", "lead", "parameters", "body")

_TABLES = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, version TEXT NOT NULL, text TEXT NOT NULL,
    weight REAL NOT NULL, symbol TEXT NOT NULL
);
CREATE TABLE names (
    scope TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (scope, name)
) WITHOUT ROWID;
CREATE TABLE bases (class TEXT NOT NULL, place INTEGER NOT NULL, base TEXT NOT NULL);
CREATE TABLE roots (path TEXT PRIMARY KEY) WITHOUT ROWID;
""" + "".join(
    f"CREATE VIRTUAL TABLE {part} USING fts5 (words, content='', tokenize='porter unicode61');\n"
    for part in PARTS
)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A document to be indexed, and the parts that it is searched by."""

    path: str
    version: str
    text: str
    own: str = ""  # its own name, or title
    around: str = ""  # the names that lead there
    lead: str = ""  # what it is for, in a sentence
    parameters: str = ""
    body: str = ""
    weight: float = 1.0  # how much it is meant for users
    symbol: str = ""  # its id, where it is a symbol: where it is defined


@dataclass(frozen=True, slots=True)
class ReleaseContents:
    """All of a release.

    ``names`` has, for a module or a class, its own names and the ids that they reach; ``bases``
    has the bases of classes.
    """

    entries: tuple[IndexEntry, ...]
    roots: tuple[str, ...] = ()
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def fill(db: sqlite3.Connection, contents: ReleaseContents) -> None:
    """Write a release into an empty database, in one transaction."""
    db.executescript(_TABLES)
    with db:
        db.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
            (
                (at, item.path, item.version, item.text, item.weight, item.symbol)
                for at, item in enumerate(contents.entries)
            ),
        )
        for part in PARTS:
            db.executemany(
                f"INSERT INTO {part} (rowid, words) VALUES (?, ?)",
                (
                    (at, text)
                    for at, item in enumerate(contents.entries)
                    if (text := " ".join(words.split(getattr(item, part))))
                ),
            )
        db.executemany(
            "INSERT INTO names VALUES (?, ?, ?)",
            ((x, name, to) for x, inside in contents.names.items() for name, to in inside.items()),
        )
        db.executemany(
            "INSERT INTO bases VALUES (?, ?, ?)",
            ((x, at, base) for x, bases in contents.bases.items() for at, base in enumerate(bases)),
        )
        db.executemany("INSERT INTO roots VALUES (?)", ((root,) for root in contents.roots))


class DocumentIndex:
    """Answers from a filled database, which it owns; any thread may ask, one is served at a time.

    Documents are known by their numbers.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._lock = threading.Lock()
        rows = db.execute("SELECT path, weight, symbol FROM documents ORDER BY id").fetchall()
        self.paths: list[str] = [row[0] for row in rows]
        self.weights: list[float] = [row[1] for row in rows]
        self._symbols: list[str] = [row[2] for row in rows]
        self._numbers = {symbol: at for at, symbol in enumerate(self._symbols) if symbol}
        self._inside: dict[str, list[int]] = defaultdict(list)  # by the id of the scope
        for at, symbol in enumerate(self._symbols):
            self._inside[_holder(symbol)].append(at)
        self._called: dict[str, list[int]] = defaultdict(list)  # by own names, as one word
        for at, path in enumerate(self.paths):
            self._called[as_one(path.rpartition(".")[2])].append(at)
        self._roots = {row[0] for row in db.execute("SELECT path FROM roots")}
        told = {
            row[0] for part in ("lead", "body") for row in db.execute(f"SELECT rowid FROM {part}")
        }
        # Documents without a text: their names are all that they say.
        self.silent = frozenset(at for at in range(len(rows)) if at not in told)

    def close(self) -> None:
        self._db.close()

    def found(self, part: str, wanted: Iterable[str]) -> dict[int, float]:
        """BM25 of the documents that have one of some words in a part; more is better."""
        matching = words.match(wanted)
        if not matching:
            return {}
        with self._lock:
            return dict(
                self._db.execute(
                    f"SELECT rowid, -bm25({part}) FROM {part} WHERE {part} MATCH ?", (matching,)
                ).fetchall()
            )

    def read(self, number: int) -> tuple[str, str, str]:
        """Path, version and text of a document."""
        with self._lock:
            found = self._db.execute(
                "SELECT path, version, text FROM documents WHERE id = ?", (number,)
            ).fetchone()
        return found[0], found[1], found[2]

    def texts(self) -> list[str]:
        """Those of all documents, in the order of their numbers."""
        with self._lock:
            rows = self._db.execute("SELECT text FROM documents ORDER BY id").fetchall()
        return [row[0] for row in rows]

    # --- names

    def number(self, path: str) -> int | None:
        """The document of what a path reaches, whichever of its names that is."""
        return self._numbers.get(self._target(path))

    def nearest(self, path: str) -> int | None:
        """As ``number``, of the path or its beginning: of ``flask.request.args``, the request's."""
        while path:
            number = self.number(path)
            if number is not None:
                return number
            path = path.rpartition(".")[0]
        return None

    def called(self, name: str) -> list[int]:
        """Documents whose own name is this, as one word in lower case."""
        return self._called.get(name, [])

    def of_name(self, name: str) -> str:
        """The path of what has this very name, and most members; empty where there is nothing."""
        paths = [
            self.paths[at]
            for at in self.called(as_one(name))
            if self.is_thing(at) and self.paths[at].rpartition(".")[2] == name
        ]
        return max(paths, key=lambda path: (len(self.members(path)), path), default="")

    def symbol(self, number: int) -> str:
        """The id of what a document is about; empty where it is no symbol's."""
        return self._symbols[number]

    def is_thing(self, number: int) -> bool:
        """Whether a document is of something that a module has, and not of a module."""
        return ":" in self._symbols[number]

    def below(self, path: str) -> list[int]:
        """Documents whose paths go on from a path."""
        return [at for at, known in enumerate(self.paths) if known.startswith(f"{path}.")]

    def members(self, path: str) -> list[int]:
        """Documents of the names in a module or a class, inherited ones too."""
        target = self._target(path)
        if not target:
            return []
        if ":" in target:
            return [at for scope in self._line(target) for at in self._inside.get(scope, ())]
        with self._lock:
            rows = self._db.execute(
                "SELECT target FROM names WHERE scope = ?", (target,)
            ).fetchall()
        return [self._numbers[row[0]] for row in rows if row[0] in self._numbers]

    def _target(self, path: str) -> str:
        """The id of what a path reaches; empty if it leads nowhere."""
        parts = path.split(".")
        for length in range(len(parts), 0, -1):  # a root may be a namespace's `google.cloud`
            current = ".".join(parts[:length])
            if current in self._roots:
                for part in parts[length:]:
                    current = self._look(current, part)
                return current
        return ""

    def _look(self, scope: str, name: str) -> str:
        for holder in self._line(scope) if ":" in scope else (scope,):
            with self._lock:
                row = self._db.execute(
                    "SELECT target FROM names WHERE scope = ? AND name = ?", (holder, name)
                ).fetchone()
            if row:
                return str(row[0])
        return ""

    def _line(self, class_id: str) -> list[str]:
        """A class and its bases, the nearer first."""
        line = [class_id]
        for current in line:  # grows
            with self._lock:
                rows = self._db.execute(
                    "SELECT base FROM bases WHERE class = ? ORDER BY place", (current,)
                ).fetchall()
            line += [row[0] for row in rows if row[0] not in line]
        return line


def as_one(name: str) -> str:
    """``is_prime`` and ``isPrime`` as they are said: `isprime`."""
    return name.replace("_", "").lower()


def _holder(symbol: str) -> str:
    """The id of the class or the module that a symbol is defined in."""
    module, _, name = symbol.partition(":")
    owner = name.rpartition(".")[0]
    return f"{module}:{owner}" if owner else module
