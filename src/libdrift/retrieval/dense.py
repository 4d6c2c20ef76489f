"""Search by meaning: the vectors of a release's documents, made once, and what is near to them."""

from __future__ import annotations

import contextlib
import hashlib
import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift.errors import InfrastructureError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_BATCH = 64  # texts that are asked for at once, and kept at once
_DAMPING = 60  # of fusion: the constant that it was published with
_PATIENCE = 60.0  # seconds that a writer waits for another


@dataclass(frozen=True, slots=True)
class Embedder:
    """``name`` stands for the vectors: another model, or other settings, is another name."""

    name: str
    embed: Callable[[Sequence[str]], Sequence[Sequence[float]]]


def vectors(embedder: Embedder, texts: Sequence[str], folder: Path, key: str) -> Matrix:
    """A row of length 1 for each text.

    What was made before is taken from a file, which is named after the embedder and ``key``. It
    grows by whole batches, so a run that was killed goes on where it ended.
    """
    import numpy as np

    name = hashlib.sha256(f"{embedder.name}\0{key}".encode()).hexdigest()[:20]
    path = folder / f"vectors-{name}.sqlite"
    with _opened(path) as db:
        known = int(db.execute("SELECT count(*) FROM vectors").fetchone()[0])
        while known < len(texts):
            batch = _asked(embedder, texts[known : known + _BATCH])
            rows = [(known + at, row.tobytes()) for at, row in enumerate(batch)]
            with db:  # another process may have made the same: then they are the same
                db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            known += len(batch)
        found = [
            np.frombuffer(row[0], dtype=np.float32)
            for row in db.execute("SELECT data FROM vectors ORDER BY id")
        ]
    if len({row.size for row in found}) > 1:
        path.unlink(missing_ok=True)
        raise InfrastructureError(
            f"{embedder.name} gives vectors of several lengths", "Run it again with one model"
        )
    return np.vstack(found) if found else np.zeros((0, 0), dtype=np.float32)


def nearest(embedder: Embedder, text: str, known: Matrix, limit: int) -> list[tuple[int, float]]:
    """The rows that are nearest to a text, and how near: the cosine."""
    import numpy as np

    if not len(known):
        return []
    (wanted,) = _asked(embedder, [text])
    if wanted.size != known.shape[1]:
        raise InfrastructureError(
            f"{embedder.name} now gives vectors of {wanted.size} numbers, and gave "
            f"{known.shape[1]} before",
            "Give the other model another name",
        )
    near = known @ wanted
    best = np.lexsort((np.arange(len(near)), -near))[:limit]
    return [(int(at), float(near[at])) for at in best]


def fused(*rankings: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion: what is far up in several rankings comes first."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, (number, _) in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (_DAMPING + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def _asked(embedder: Embedder, texts: Sequence[str]) -> list[NDArray[np.float32]]:
    import numpy as np

    rows = [np.asarray(row, dtype=np.float32) for row in embedder.embed(texts)]
    if len(rows) != len(texts):
        raise InfrastructureError(
            f"{embedder.name} gave {len(rows)} vectors for {len(texts)} texts",
            "Use an embedding model",
        )
    if any(row.ndim != 1 or not row.size or not np.isfinite(row).all() for row in rows):
        raise InfrastructureError(
            f"{embedder.name} did not return vectors", "Use an embedding model"
        )
    return [row / (float(np.linalg.norm(row)) or math.inf) for row in rows]


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file of vectors. What the embedder raises meanwhile is not the file's trouble."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=_PATIENCE)) as db:
            db.execute(
                "CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, data BLOB NOT NULL)"
            )
            yield db
    except sqlite3.DatabaseError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> InfrastructureError:
    return InfrastructureError(f"vectors cannot be stored in {path}: {error}", f"Run: rm {path}")
