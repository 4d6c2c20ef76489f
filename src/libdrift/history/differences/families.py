"""Names that were renamed together: in several of one module, one word gave way to another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from libdrift.history.differences import resemblance

_SEVERAL = 3  # names that tell of a rule
_ADDED = 2  # words
# Words with which a name is of something else.
_TURNING = set("is has can no not non without un in anti old legacy".split())


class Candidate(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def last(self) -> str: ...
    @property
    def parent(self) -> str: ...


def renamed(lost: Sequence[Candidate], gained: Sequence[Candidate]) -> Mapping[str, str]:
    """By the path of what is gone, that of what took its place: `SelectionA`, now `ParameterA`,
    where `SelectionB` and `SelectionC` became `ParameterB` and `ParameterC`."""
    fresh: dict[tuple[str, tuple[str, ...]], list[tuple[str, Candidate]]] = defaultdict(list)
    for thing in gained:
        for word, rest in _without_each(thing.last):
            fresh[thing.parent, rest].append((word, thing))
    pairs = [
        (thing, word, other, new)
        for thing in lost
        for word, rest in _without_each(thing.last)
        for other, new in fresh.get((thing.parent, rest), ())
        if word != other and not resemblance.are_opposites(thing.last, new.last)
    ]
    rules = Counter((thing.parent, word, other) for thing, word, other, _ in pairs)
    found: dict[str, set[str]] = defaultdict(set)
    for thing, word, other, new in pairs:
        if rules[thing.parent, word, other] >= _SEVERAL:
            found[thing.path].add(new.path)
    return {path: next(iter(places)) for path, places in found.items() if len(places) == 1}


def extended(lost: Sequence[Candidate], gained: Sequence[Candidate]) -> Mapping[str, str]:
    """`MAX_LINE`, now `MAX_LINE_LENGTH`: the only new name beside it with all of its words."""
    found: dict[str, list[str]] = defaultdict(list)
    beside: dict[str, list[Candidate]] = defaultdict(list)
    for thing in gained:
        beside[thing.parent].append(thing)
    for thing in lost:
        mine = resemblance.words_of(thing.last)
        for other in beside[thing.parent] if len(mine) > 1 else ():
            theirs = resemblance.words_of(other.last)
            added = {*theirs} - {*mine}
            is_longer = 0 < len(theirs) - len(mine) <= _ADDED
            if is_longer and _is_within(mine, theirs) and added.isdisjoint(_TURNING):
                found[thing.path].append(other.path)
    counts = Counter(path for places in found.values() for path in places)
    return {
        path: places[0]
        for path, places in found.items()
        if len(places) == 1 and counts[places[0]] == 1
    }


def _is_within(some: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in others in the same order."""
    left = iter(words)
    return all(word in left for word in some)


def _without_each(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each word of a name, with the others in their places; a number is no such word."""
    words = resemblance.words_of(name)
    for at, word in enumerate(words):
        if len(words) > 1 and not word.isdigit():
            yield word, (*words[:at], "", *words[at + 1 :])
