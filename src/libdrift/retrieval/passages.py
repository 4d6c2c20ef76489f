"""Search in exactly one release: of the mined history, or of a folder of documents."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import sqlite3
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import kept
from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.questions import document
from libdrift.history.spelling import mined_as
from libdrift.history.store import Store
from libdrift.records import Task
from libdrift.retrieval import dense, folders, mined
from libdrift.retrieval.ahead import warned_later
from libdrift.retrieval.dense import Embedder
from libdrift.retrieval.documents import Document, described
from libdrift.retrieval.index import FORMAT, DocumentIndex, ReleaseContents, fill
from libdrift.retrieval.queries import Query
from libdrift.retrieval.ranking import by_words

if TYPE_CHECKING:
    from libdrift.retrieval.dense import Matrix

_LOG = logging.getLogger(__name__)
# Where SQLite's header has a number for an application's own use.
_HEADER, _SUM_AT = 100, 68
_CHECKED: set[tuple[str, int, int]] = set()  # files of this process, as they were when read
_DEEP = 100  # documents of each ranking that are fused

Made = tuple[str, Callable[[], ReleaseContents]]  # a hash of what there is, and how to read it


class Way(StrEnum):
    BM25 = "bm25"
    DENSE = "dense"
    HYBRID = "hybrid"


class Passages(ABC):
    """``folder`` is a cache: what is in it is made anew where it is not there.

    A release is made ready when it is first asked for, or by ``prepare``, in the thread that made
    this object. Those that are ready are searched by any thread.
    """

    def __init__(self, folder: Path, embedder: Embedder | None = None) -> None:
        self._folder = folder
        self._embedder = embedder
        self._ready: dict[tuple[str, str], tuple[str, DocumentIndex]] = {}
        self._soon: dict[tuple[str, str], frozenset[str]] = {}
        self._vectors: dict[str, Matrix] = {}

    @abstractmethod
    def _made(self, package: str, version: str) -> Made: ...

    def _ahead(self, package: str, version: str) -> frozenset[str]:
        """The ids of symbols that later releases warn of, where that is known."""
        del package, version
        return frozenset()

    def right(self, task: Task, symbols: Callable[[], frozenset[str]]) -> frozenset[str]:
        """The paths of the documents that a task is about; ``symbols`` tells the right symbols."""
        del task
        return symbols()

    def is_foreign(self, found: Document, version: str) -> bool:
        """Whether a document is of another version than the one asked for."""
        return bool(found.version) and not versions.same(found.version, version)

    def prepare(self, package: str, version: str, way: Way = Way.BM25) -> None:
        """Make a release ready; a refusal where it is not there."""
        key, index = self._index(package, version)
        if way is not Way.BM25:
            self._matrix(key, index)

    def search(self, query: Query, k: int = 3, way: Way = Way.BM25) -> list[Document]:
        """The best ``k`` documents of the query's own release, the best first."""
        key, index = self._index(query.package, query.version)
        deep = k if way is Way.BM25 else max(k, _DEEP)
        soon = self._soon[query.package, query.version]
        ranked = by_words(index, query, deep, soon) if way is not Way.DENSE else []
        if way is not Way.BM25:
            known = self._matrix(key, index)
            near = dense.nearest(self._model(), query.text, known, deep)
            ranked = dense.fused(ranked, near) if way is Way.HYBRID else near
        found: list[Document] = []
        for number, score in ranked[:k]:
            path, version, text = index.read(number)
            found.append(Document(path, query.package, version, text, score))
        return found

    def close(self) -> None:
        for _, index in self._ready.values():
            index.close()
        self._ready.clear()

    def _index(self, package: str, version: str) -> tuple[str, DocumentIndex]:
        if (package, version) not in self._ready:
            digest, read = self._made(package, version)
            key = index_key(package, version, digest)
            self._soon[package, version] = self._ahead(package, version)
            self._ready[package, version] = key, opened_index(self._folder, key, read)
        return self._ready[package, version]

    def _matrix(self, key: str, index: DocumentIndex) -> Matrix:
        if key not in self._vectors:
            model = self._model()
            self._vectors[key] = dense.vectors(model, index.texts(), self._folder, key)
        return self._vectors[key]

    def _model(self) -> Embedder:
        if self._embedder is None:
            raise UserError(
                "a dense or hybrid search needs an embedding model", "Choose one, or use bm25"
            )
        return self._embedder


class MinedPassages(Passages):
    """Over the mined history: every public symbol of a release is a document."""

    def __init__(self, store: Store, folder: Path, embedder: Embedder | None = None) -> None:
        super().__init__(folder, embedder)
        self._store = store

    def _made(self, package: str, version: str) -> Made:
        digest = mined.digest(self._store, package, version)
        return digest, lambda: mined.contents(self._store, package, version)

    def _ahead(self, package: str, version: str) -> frozenset[str]:
        return warned_later(self._store, package, version)

    def is_foreign(self, found: Document, version: str) -> bool:
        """Whether it is anything else than the history has for its path in that release."""
        try:
            held = document(self._store, found.path, version)
        except UserError:
            return True
        return found.text != described(held.package, held.version, found.path, held.symbol)


class FolderPassages(Passages):
    """Over a folder of documents, laid out as ``folders`` says.

    A release without documents is one in which nothing is found.
    """

    def __init__(self, documents: Path, folder: Path, embedder: Embedder | None = None) -> None:
        super().__init__(folder, embedder)
        self._files = folders.listed(documents)
        self.skipped: list[str] = []  # files that could not be read, and why

    def _made(self, package: str, version: str) -> Made:
        contents, skipped = folders.contents(self._files, package, version)
        self.skipped += [line for line in skipped if line not in self.skipped]
        found = hashlib.sha256()
        for entry in contents.entries:
            found.update(f"{entry.path}\0{entry.text}\0".encode())
        return found.hexdigest()[:20], lambda: contents

    def right(self, task: Task, symbols: Callable[[], frozenset[str]]) -> frozenset[str]:
        """The passages that name a right symbol: whole, or as the name in their title."""
        package = mined_as(task.facts.library, task.language)
        entries = folders.contents(self._files, package, task.facts.version)[0].entries
        return folders.naming(entries, symbols())


def index_key(package: str, version: str, digest: str) -> str:
    """What the index of a release is called, by all that it is made of."""
    name = f"{FORMAT}\0{package}\0{version}\0{digest}"
    return hashlib.sha256(name.encode()).hexdigest()[:20]


def index_path(folder: Path, key: str) -> Path:
    return folder / f"index-{key}.sqlite"


def opened_index(folder: Path, key: str, read: Callable[[], ReleaseContents]) -> DocumentIndex:
    return DocumentIndex(_kept(folder, key, read))


def _kept(folder: Path, key: str, read: Callable[[], ReleaseContents]) -> sqlite3.Connection:
    """The index of a release from its file; without a place for one, in memory."""
    path = index_path(folder, key)
    with contextlib.suppress(sqlite3.DatabaseError, OSError):
        if path.exists():
            return _opened(path)
    contents = read()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, contents)
        return _opened(path)
    except (OSError, sqlite3.DatabaseError) as error:
        _LOG.warning(
            "an index is rebuilt each time, because it cannot be stored in %s: %s", path, error
        )
        db = sqlite3.connect(":memory:", check_same_thread=False)
        fill(db, contents)
        return db


def _write(path: Path, contents: ReleaseContents) -> None:
    """Aside, then renamed: a file is whole or not there."""
    with kept.being_written(path) as aside:
        with contextlib.closing(sqlite3.connect(aside)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # nobody else sees it, and it is not kept
            fill(db, contents)
        with aside.open("rb+") as file:
            file.seek(_SUM_AT)
            file.write(checksum(aside).to_bytes(4, "big"))


def checksum(path: Path) -> int:
    """Of a file of an index, but for the place in its header that holds its checksum."""
    found = 0
    with path.open("rb") as file:
        head = bytearray(file.read(_HEADER))
        head[_SUM_AT : _SUM_AT + 4] = bytes(4)
        found = zlib.crc32(head)
        while data := file.read(1 << 20):
            found = zlib.crc32(data, found)
    return found


def check_index(path: Path) -> None:
    """Raise ``DatabaseError`` unless a file of an index is what was written."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if int.from_bytes(head[_SUM_AT : _SUM_AT + 4], "big") != checksum(path):
        raise sqlite3.DatabaseError("its content does not match its checksum")


def _opened(path: Path) -> sqlite3.Connection:
    known = path.stat()
    seen = (str(path), known.st_mtime_ns, known.st_size)
    if seen not in _CHECKED:  # a server opens the same files again and again
        check_index(path)
        _CHECKED.add(seen)
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    db = sqlite3.connect(uri, uri=True, check_same_thread=False)
    try:
        db.execute("SELECT count(*) FROM documents").fetchone()
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db
