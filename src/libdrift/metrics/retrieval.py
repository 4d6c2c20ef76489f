"""Did the search find the right documents, and how far up?

Documents are known by a text: an API's name (LibEvolutionEval) or an address (GitChameleon, whose
program takes addresses for equal that differ in case or in a slash at the end: see ``address``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from math import log2


def reciprocal_rank(found: Sequence[str], wanted: Collection[str]) -> float | None:
    """1 / rank of the first wanted document, counted from 1; 0 if none of them was found.

    ``None`` if nothing was to be found.
    """
    if not wanted:
        return None
    ranks = (rank for rank, document in enumerate(found, 1) if document in wanted)
    rank = next(ranks, None)
    return 0.0 if rank is None else 1 / rank


def precision_at(k: int, found: Sequence[str], wanted: Collection[str]) -> float | None:
    """|first k found and wanted| / k. A place that is not filled is a miss, a repeat too.

    ``None`` if nothing was to be found.
    """
    hits = _hits(k, found, wanted)
    return len(hits) / k if wanted else None


def recall_at(k: int, found: Sequence[str], wanted: Collection[str]) -> float | None:
    """|first k found and wanted| / |wanted|; ``None`` if nothing was to be found."""
    hits = _hits(k, found, wanted)
    return len(hits) / len(set(wanted)) if wanted else None


def ndcg_at(k: int, found: Sequence[str], wanted: Collection[str]) -> float | None:
    """Discounted gain of the first k over that of the best order; a repeat gains nothing.

    ``None`` if nothing was to be found.
    """
    if not wanted:
        return None
    seen: set[str] = set()
    gain = 0.0
    for rank, document in enumerate(islice(found, k), 1):
        if document in wanted and document not in seen:
            seen.add(document)
            gain += 1 / log2(rank + 1)
    best = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(set(wanted))) + 1))
    return gain / best


def hit(found: Iterable[str], wanted: Iterable[str]) -> bool:
    """GitChameleon's hit: at least one wanted document is among those found."""
    return not {address(url) for url in wanted}.isdisjoint(address(url) for url in found)


def strict_precision(found: Iterable[str], wanted: Iterable[str]) -> bool:
    """GitChameleon's precision: something was found, and all of it was wanted."""
    documents = {address(url) for url in found}
    return bool(documents) and documents <= {address(url) for url in wanted}


def address(url: str) -> str:
    """As GitChameleon's program compares them."""
    return url.rstrip("/").lower()


def _hits(k: int, found: Sequence[str], wanted: Collection[str]) -> set[str]:
    if k < 1:
        raise ValueError(f"k is a number of documents, not {k}")
    return {document for document in islice(found, k) if document in wanted}
