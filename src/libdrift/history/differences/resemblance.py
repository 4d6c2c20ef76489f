"""How far two things of two releases resemble each other: in code, parameters, words, name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from libdrift.records import ParameterKind, Signature, Symbol, SymbolKind

_CERTAIN = 0.99  # several pieces of evidence never make more
_SAME_SORT = {SymbolKind.METHOD: SymbolKind.FUNCTION, SymbolKind.ATTRIBUTE: SymbolKind.CONSTANT}
_ALIKE = 0.4  # of the lines: other code is another thing
_MOST = 0.7  # of the words
_WORDY = 6  # words of documentation: two such texts are not the same by chance
_SUBSTANCE = 2  # parameters: signatures shorter than that are alike by chance
_TRIVIAL = 4  # characters of a value that many constants have: 0, None, True
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LEAST = 3  # letters: `into` is not what `to` is not
_DENIALS = {"in", "un", "non", "no", "not", "dis", "de", "im", "anti"}
_DIGITS = re.compile(r"\d+")
_OPPOSITES = [
    {*pair.split("/")}
    for pair in "include/exclude enable/disable allow/forbid allow/deny show/hide min/max "
    "with/without keep/drop start/end start/stop first/last left/right lower/upper".split()
]


def same_sort(one: Symbol, two: Symbol) -> bool:
    a, b = (_SAME_SORT.get(symbol.kind, symbol.kind) for symbol in (one, two))
    return a is b or SymbolKind.UNKNOWN in (a, b)


def is_like(one: Symbol | None, two: Symbol | None, *, least: float) -> bool:
    """Whether two things of like names may be one, by their kinds and parameters."""
    if one is None or two is None or not same_sort(one, two):
        return False
    shared = overlap(one.signature, two.signature)
    return shared is None or shared >= least


def same_words(one: Symbol, two: Symbol) -> bool:
    """The same documentation, and more than a few words of it."""
    return len(one.doc.split()) >= _WORDY and one.doc.split() == two.doc.split()


def nearly_same_words(one: Symbol, two: Symbol) -> bool:
    """First sentences of several words, of which both share most."""
    firsts = [symbol.doc.strip().partition("\n")[0].partition(". ")[0] for symbol in (one, two)]
    lines = [first.casefold().rstrip(".").split() for first in firsts]
    if min(map(len, lines)) < _WORDY:
        return False
    shared = len({*lines[0]} & {*lines[1]})
    return shared >= _MOST * max(len({*line}) for line in lines)


def same_first_line(one: Symbol, two: Symbol) -> bool:
    lines = [symbol.doc.strip().partition("\n")[0].strip().casefold() for symbol in (one, two)]
    return lines[0] == lines[1]


def same_value(one: Symbol, two: Symbol) -> bool:
    """Two constants of one value that is more than a small number."""
    return one.value == two.value and len(one.value) > _TRIVIAL


def overlap(old: Signature | None, new: Signature | None) -> float | None:
    """The share of the old parameters that the new one takes; None where that says nothing."""
    if old is None or new is None:
        return None
    mine = [p.name for p in old.parameters if p.kind is not ParameterKind.KEYWORDS]
    theirs = {p.name for p in new.parameters}
    if len(mine) < _SUBSTANCE:
        return None
    return sum(name in theirs for name in mine) / max(len(mine), 1)


def similarity(one: tuple[int, ...], two: tuple[int, ...]) -> float | None:
    """Jaccard's measure, estimated from the least hashes of both."""
    if not one or not two:
        return None
    size = min(max(len(one), len(two)), len({*one, *two}))
    least = sorted({*one, *two})[:size]
    return len({*one} & {*two} & {*least}) / size


def cannot_be(code: float | None, old: str, new: str) -> bool:
    """What rules a pair out at little cost: there can be very many pairs."""
    if code is not None:
        return code < _ALIKE
    # PY38 is not what PY39 was.
    return abs(len(old) - len(new)) > 2 or _DIGITS.findall(old) != _DIGITS.findall(new)  # noqa: PLR2004


def likely(code: float | None, parameters: float | None, name: float) -> float:
    shared = 0.5 if parameters is None else parameters
    if code is None:
        # Without code: a spelling's change (`is_finite`, `isFinite`), or nothing.
        return 0.75 if name >= 0.9 and shared >= 0.5 else 0.0  # noqa: PLR2004
    if code < _ALIKE:
        return 0.0
    return 0.55 * code + 0.2 * shared + 0.25 * name


def words_of(name: str) -> list[str]:
    """`getItem`, `GetItem`, `get_item`: get, item."""
    return [word.casefold() for word in _WORD.findall(name)]


def are_opposites(left: str, right: str) -> bool:
    """`include_none` and `exclude_none`, `Compatible` and `Incompatible`."""
    words = [{*words_of(name)} for name in (left, right)]
    apart = sorted(words[0] ^ words[1], key=len)
    if set(apart) in _OPPOSITES:
        return True
    if len(apart) != 2 or len(apart[0]) < _LEAST:  # noqa: PLR2004  (one word each)
        return False
    return apart[1].removesuffix(apart[0]) in _DENIALS


def same_but_number(left: str, right: str) -> bool:
    """`sampler`, `samplers`."""
    return left.rstrip("s") == right.rstrip("s")


def shared_words(left: str, right: str) -> float:
    """`pass_many` and `pass_collection`: half of the words."""
    a, b = left.split("_"), right.split("_")
    return 2 * len({*a} & {*b}) / (len(a) + len(b))


def joined(confidences: Iterable[float]) -> float:
    """What several pieces of evidence make together."""
    doubt = 1.0
    for confidence in confidences:
        if confidence == 1.0:
            return 1.0
        doubt *= 1 - confidence
    return min(1 - doubt, _CERTAIN)


def may_be_called(symbol: Symbol) -> bool:
    """`name = make(...)`: a value to the reader of the source, but what it is nobody knows."""
    plain = bool(symbol.annotation) or (bool(symbol.value) and "(" not in symbol.value)
    return symbol.kind is SymbolKind.CONSTANT and not plain
