"""The documentation of one release, searched."""

from __future__ import annotations

from dataclasses import dataclass

from libdrift.jobs.answering.context import AnswerContext, ServedRelease
from libdrift.jobs.stored import search_release
from libdrift.retrieval.documents import described, shortened


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    symbol: str
    text: str  # its headline and the beginning of its documentation


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    release: ServedRelease
    hits: tuple[FoundSymbol, ...]


def search_docs(
    context: AnswerContext, query: str, package: str, version: str | None = None, limit: int = 5
) -> SearchAnswer:
    """What one release has on some words, the best first."""
    release = context.release(package, version)
    found = search_release(
        package, query, release.version, limit, context.history, context.on_demand
    )
    return SearchAnswer(
        release,
        tuple(
            FoundSymbol(hit.path, _brief(described(package, found.version, hit.path, hit.symbol)))
            for hit in found.hits
        ),
    )


def _brief(text: str, longest: int = 320) -> str:
    """The headline without package and version, which stand above all hits."""
    head, _, rest = text.partition("\n")
    return "\n".join(filter(None, [head.partition(": ")[2], shortened(rest, longest)]))
