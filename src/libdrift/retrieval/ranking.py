"""Documents in the order in which they answer a query, by their words and their names."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable

from libdrift.retrieval import words
from libdrift.retrieval.index import DocumentIndex
from libdrift.retrieval.queries import Query

# Part of the query, part of the document, weight: by hand, in round numbers, with an eye on
# published tasks and our own. Half or twice of any one of them changes little.
_SEARCHES = (
    ("name", "own", 3.0),
    ("prose", "lead", 1.0),
    ("prose", "own", 0.5),
    ("prose", "body", 1.0),
    ("prose", "parameters", 0.3),
    ("focus", "lead", 0.5),
    ("focus", "own", 0.25),
    ("focus", "body", 0.5),
    ("pairs", "lead", 0.5),
    ("pairs", "own", 0.25),
    ("pairs", "body", 0.5),
    ("inside", "own", 0.5),
    ("inside", "around", 0.7),
    ("parameters", "parameters", 0.5),
    ("near", "own", 0.3),
    ("near", "around", 0.3),
)
_GIVEN = 1.2  # times, for members of a class that a value is of
_OUTSIDE = 0.5  # times, for what the gap's root does not lead to
_NAMED = 0.3  # of the best score, for what the code names
_RETURNED = 0.5  # of the best score, for the class of what is to be made


def by_words(index: DocumentIndex, query: Query, limit: int) -> list[tuple[int, float]]:
    """The best documents and their scores."""
    scores: dict[int, float] = defaultdict(float)
    asked = {
        "prose": words.split(query.prose),
        "focus": words.split(query.focus),
        "pairs": words.pairs(query.prose),
        "inside": words.split(query.inside),
        "parameters": words.split(query.parameters),
        "near": words.split(query.near),
    }
    telling = {part: words.telling(found) for part, found in asked.items()}
    telling["name"] = words.known(words.split(query.name))  # `where` is a little word, and a name
    for part, of, weight in _SEARCHES:
        for number, score in index.found(of, telling[part]).items():
            scores[number] += weight * score
    _by_names(index, query, scores)
    weighed = {number: score * index.weights[number] for number, score in scores.items()}
    best = heapq.nsmallest(limit, weighed, key=lambda at: (-weighed[at], index.paths[at]))
    return [(number, weighed[number]) for number in best]


def _by_names(index: DocumentIndex, query: Query, scores: dict[int, float]) -> None:
    top = max(scores.values(), default=1.0)
    for number in {at for path in query.given for at in index.members(path)}:
        if number in scores:
            scores[number] *= _GIVEN
    for paths, share in ((query.named, _NAMED), (query.returned, _RETURNED)):
        for number in _reached(index, paths):
            scores[number] += share * top
    if query.scope and index.number(query.scope) is not None:
        inside = {*index.members(query.scope), *index.below(query.scope)}
        for number in scores:
            if number not in inside:
                scores[number] *= _OUTSIDE


def _reached(index: DocumentIndex, paths: Iterable[str]) -> set[int]:
    """What paths lead to, or their beginnings; a module is where to look, and no answer."""
    found: set[int] = set()
    for path in paths:
        number = index.nearest(path)
        if number is not None and index.is_thing(number):
            found.add(number)
    return found
