"""Documents in the order in which they answer a query, by their words and their names."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

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
    ("prose", "around", 0.2),
    ("parameters", "parameters", 0.5),
    ("near", "own", 0.3),
    ("near", "around", 0.3),
)
# The name of what has no text stands for its summary, too.
_FOR_LEADS = {part: weight for part, of, weight in _SEARCHES if of == "lead"}
_GIVEN = 1.5  # times, for members of a class that a value is of
_BESIDE = 1.2  # times, for members of an imported class, and for what is beside what is named
_SOON = 1.3  # times, for what a later release warns of
_RAISED = 1.4  # times, for exceptions, where the text speaks of some
_MODULE = 1.3  # times, for what is in a module that is imported and not used yet
_OUTSIDE = 0.5  # times, for what the gap's root does not lead to
_MOVED = 2.0  # times, for what is deprecated and used by code that is to be moved
_NAMED = 0.3  # of the best score, for what the code names
_UNUSED = 0.3  # of the best score, for what is imported and not used yet
_WHOLE = 1.5  # times, for what is called exactly as the function to be written
_CALLED = 1.0  # of the best score, for what is called as the function to be written
_SAID = 0.3  # of the best score, for what is called as the text says; twice as much for more words
_AT_HAND = 0.7  # times, for such a name of a member of a class that a value is of
_SHORT = 3  # letters of a name that tells something
_SHORTENED = 0.6  # of the best score, for what is called as the query's words are shortened
_AT_ALL = 0.25  # of the best score, that a shortened name's document has by its words
_PASSED = 0.2  # of the best score, for what takes all keywords that the text passes
_OPENED = 1.0  # of the best score, for what the code breaks off at
_RETURNED = 0.5  # of the best score, for the class of what is to be made
_INSTEAD = 1.1  # times the score of what is deprecated, for what it says to use
_AGAIN = 0.8  # times, for each document before it of the same name
_POOL = 30  # documents that are looked at again
_TELLS_RAISING = re.compile(r"exception|raise|catch|error", re.IGNORECASE)
_EXCEPTIONS = ("Error", "Exception", "Warning")
_WARNED = "Deprecated"  # the second line of a document
_NAME = re.compile(r"[`'\"]([\w.]+)(?:\(\))?[`'\"]|(\w+(?:\.\w+)+)|\b[Uu]se (\w+)")


def by_words(
    index: DocumentIndex, query: Query, limit: int, soon: Container[str] = ()
) -> list[tuple[int, float]]:
    """The best documents and their scores; ``soon`` has the ids of what is about to change."""
    scores: dict[int, float] = defaultdict(float)
    query = replace(query, given=_whole(index, query.given), returned=_whole(index, query.returned))
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
            is_all = of == "own" and number in index.silent
            scores[number] += score * (weight + (_FOR_LEADS.get(part, 0.0) if is_all else 0.0))
    top = max(scores.values(), default=1.0)
    short = _by_shortened_names(index, query)
    enough = {number for number in short if scores.get(number, 0.0) >= _AT_ALL * top}
    for number, share in _by_own_names(index, query).items():
        scores[number] += share * top
    for number in enough:
        scores[number] += _SHORTENED * top
    for number in _taking(index, query):
        scores[number] += _PASSED * top
    _by_names(index, query, scores, top)
    raised = _TELLS_RAISING.search(query.prose) is not None
    for number in scores:
        scores[number] *= index.weights[number]
        if index.symbol(number) in soon:
            scores[number] *= _SOON
        if raised and index.paths[number].endswith(_EXCEPTIONS):
            scores[number] *= _RAISED
    if query.moves:
        for number in _reached(index, query.named):
            scores[number] *= _MOVED if _warning(index, number) else 1.0
    _by_warnings(index, scores)
    return _mixed(index, scores, limit)


def _whole(index: DocumentIndex, paths: Iterable[str]) -> tuple[str, ...]:
    """Paths, also of types that code has without an import, by their names alone."""
    return tuple(path if "." in path else index.of_name(path) or path for path in paths)


def _best(index: DocumentIndex, scores: dict[int, float], limit: int) -> list[int]:
    return heapq.nsmallest(limit, scores, key=lambda at: (-scores[at], index.paths[at]))


def _by_warnings(index: DocumentIndex, scores: dict[int, float]) -> None:
    """What a deprecated thing says to use answers better than that thing."""
    for number in _best(index, scores, _POOL):
        scope = index.paths[number].rpartition(".")[0]
        for found in _NAME.findall(_warning(index, number)):
            name = next(filter(None, found)).strip(".")
            other = index.number(name)
            if other is None:
                other = index.number(f"{scope}.{name.rpartition('.')[2]}")
            if other is not None and other != number and index.is_thing(other):
                scores[other] = max(scores.get(other, 0.0), _INSTEAD * scores[number])


def _warning(index: DocumentIndex, number: int) -> str:
    """The line that says that a thing is deprecated, where there is one."""
    lines = index.read(number)[2].split("\n", 2)[1:2]
    return lines[0] if lines and lines[0].startswith(_WARNED) else ""


def _mixed(index: DocumentIndex, scores: dict[int, float], limit: int) -> list[tuple[int, float]]:
    """The best, with fewer of one name: a dozen classes may have the same method."""
    pool = _best(index, scores, max(limit, _POOL))
    names = [index.paths[number].rpartition(".")[2] for number in pool]
    seen: Counter[str] = Counter()
    left = [(scores[number], -at) for at, number in enumerate(pool)]
    found: list[tuple[int, float]] = []
    while left and len(found) < limit:
        best = max(left)
        left.remove(best)
        at = -best[1]
        found.append((pool[at], best[0]))
        seen[names[at]] += 1
        left = [
            (score * _AGAIN, place) if names[-place] == names[at] else (score, place)
            for score, place in left
        ]
    return found


def _by_own_names(index: DocumentIndex, query: Query) -> dict[int, float]:
    """Shares for what has its name in the query, as one word or as several: `is prime`.

    The fewer things have the name, the more that tells. Where some are members of a class that a
    value is of, only these are meant.
    """
    said = words.spoken(query.prose)
    single = set(said)
    inside = words.spoken(query.inside)
    whole = len("".join(inside))
    told = {name: _SAID if name in single else 2 * _SAID for name in words.joined(said)}
    called = {name: _CALLED * len(name) / whole for name in words.joined(inside)}
    called |= {name: _WHOLE * share for name, share in called.items() if len(name) == whole}
    at_hand = {at for path in query.given for at in index.members(path)}
    found: dict[int, float] = defaultdict(float)
    for shares, shortest in ((told, _SHORT + 1), (called, _SHORT)):
        best: dict[int, float] = {}
        if shares is told:
            meant = (at for word in single for form in _counted(word) for at in index.called(form))
            best |= dict.fromkeys(at_hand.intersection(meant), _SAID * _AT_HAND)
        for name, share in shares.items():
            if len(name) < shortest and not _has_number(name):
                continue
            numbers = index.called(name)
            near, alone = at_hand.intersection(numbers), 1 / math.sqrt(max(1, len(numbers)))
            for number in numbers:
                times = _AT_HAND / math.sqrt(len(near)) if number in near else alone
                best[number] = max(best.get(number, 0.0), share * times)
        for number, share in best.items():
            found[number] += share
    return found


def _counted(word: str) -> tuple[str, ...]:
    """A word as one more or one fewer of it is said: of an `edge`, the ``edges``."""
    if len(word) <= _SHORT:
        return ()
    return (f"{word}s", f"{word}es", *((word[:-1],) if word.endswith("s") else ()))


def _has_number(name: str) -> bool:
    """Such as ``i1``: short, and yet no word."""
    return len(name) > 1 and name[0].isalpha() and any(map(str.isdigit, name))


def _by_shortened_names(index: DocumentIndex, query: Query) -> set[int]:
    """What has the query's words as its name, shortened: `sjoin` for a spatial join."""
    names = words.shortened(words.spoken(query.inside)) | words.shortened(words.spoken(query.prose))
    return {at for name in names if len(name) >= _SHORT for at in index.called(name)}


def _taking(index: DocumentIndex, query: Query) -> set[int]:
    """What has all keywords that the text passes among its parameters."""
    found = [set(index.found("parameters", [keyword])) for keyword in query.keywords]
    return set.intersection(*found) if found else set()


def _by_names(index: DocumentIndex, query: Query, scores: dict[int, float], top: float) -> None:
    given = {at for path in query.given for at in index.members(path)}
    for times, numbers in (
        (_GIVEN, given),
        (_BESIDE, _beside(index, (*query.named, *query.given, *query.returned))),
        (_BESIDE, {at for path in _things(index, query.imported) for at in index.members(path)}
         - given),
        (_MODULE, {at for path in query.unused if "." in path for at in index.members(path)}),
    ):  # fmt: skip
        for number in numbers:
            if number in scores:
                scores[number] *= times
    opened = tuple(filter(None, (query.opened, _without_members(index, query.scope))))
    shares = (
        *((query.named, _NAMED), (query.returned, _RETURNED), (query.unused, _UNUSED)),
        (opened, _OPENED),
    )
    for paths, share in shares:
        for number in _reached(index, paths):
            scores[number] += share * top
    if query.scope and index.number(query.scope) is not None:
        inside = {*index.members(query.scope), *index.below(query.scope)}
        for number in scores if inside else ():
            if number not in inside:
                scores[number] *= _OUTSIDE


def _without_members(index: DocumentIndex, scope: str) -> str:
    """A scope that is a function: what a call of it gives back, the code goes on with."""
    number = index.number(scope) if scope else None
    is_call = number is not None and index.is_thing(number) and not index.members(scope)
    return scope if is_call else ""


def _things(index: DocumentIndex, paths: Iterable[str]) -> Iterator[str]:
    """Those of some paths that lead to what a module has."""
    for path in paths:
        number = index.number(path)
        if number is not None and index.is_thing(number):
            yield path


def _beside(index: DocumentIndex, paths: Iterable[str]) -> set[int]:
    """What is in the same modules as things of some paths; all of a package is not beside."""
    scopes = {path.rpartition(".")[0] for path in _things(index, paths)}
    return {at for scope in scopes if "." in scope for at in index.below(scope)}


def _reached(index: DocumentIndex, paths: Iterable[str]) -> set[int]:
    """What paths lead to, or their beginnings; a module is where to look, and no answer."""
    found: set[int] = set()
    for path in paths:
        number = index.nearest(path)
        if number is not None and index.is_thing(number):
            found.add(number)
    return found
