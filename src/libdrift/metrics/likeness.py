"""How much of the reference an answer's names repeat: VersiCode's ISM and PM.

*ISM*, the identifier sequence match: of all pairs of an identifier of the reference and one of the
answer, that with the longest common prefix; its length by the longer identifier's. *PM*, the prefix
match: the same over pairs of lines, whose elements are identifiers and not characters. Both are 0
for an answer that does not pass a gate: it must have the API's name and, as a block, compile.

``released`` is exact: names by the standard library's tokeniser, whose errors make ISM 0 and, in
PM, a line's words; the API's name may be a part of another; of pairs with equally long prefixes
the first counts.

``fixed`` reads names with every version of Python alike, from code that is cut off too, and none
from strings of several lines. The API's name must be a whole name. A block must compile only where
the reference does, and may be indented as a whole. Of equally long prefixes the best pair counts,
so that neither side is preferred. A reference has 1 against itself, even without any name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from libdrift.metrics.names import released_names


@dataclass(frozen=True, slots=True)
class Likeness:
    ism: float
    pm: float


NOTHING = Likeness(0.0, 0.0)
_Item = TypeVar("_Item", str, tuple[str, ...])  # a name, or the names on a line


class ReleasedLikeness:
    """ISM and PM against one reference as released, without the gate."""

    def __init__(self, reference: str) -> None:
        self._names = dict.fromkeys(_released_identifiers(reference))
        self._reference = reference
        self._lines: dict[tuple[str, ...], None] | None = None

    def ism(self, output: str) -> float:
        return closest(self._names, dict.fromkeys(_released_identifiers(output)))

    def pm(self, output: str) -> float:
        """Raises where a line cannot even be read; see ``released_names``."""
        if self._lines is None:
            self._lines = _released_lines(self._reference)
        return closest(self._lines, _released_lines(output))


def fixed(reference: Iterable[tuple[str, ...]], output: Iterable[tuple[str, ...]]) -> Likeness:
    """ISM and PM as fixed, of the names on each line, without the gate. Symmetric."""
    our_lines, their_lines = dict.fromkeys(reference), dict.fromkeys(output)
    ours = dict.fromkeys(name for line in our_lines for name in line)
    theirs = dict.fromkeys(name for line in their_lines for name in line)
    if not ours and not theirs:
        return Likeness(1.0, 1.0)
    return Likeness(closest(ours, theirs, fair=True), closest(our_lines, their_lines, fair=True))


def closest(
    ours: Mapping[_Item, None], theirs: Mapping[_Item, None], *, fair: bool = False
) -> float:
    """The longest common prefix of a pair, by the length of the longer; 0 if there is none.

    The items are the keys. Of several pairs the first counts, and with ``fair`` the one with the
    highest result.
    """
    # What both have is a pair already: others must share at least as much.
    best, longer = max(map(len, ours.keys() & theirs.keys()), default=0), 1
    if fair and best:
        longer = best  # no pair with as much is better than an equal one
    elif best:
        best -= 1  # an earlier pair with as much goes first
    by_first: dict[str, list[_Item]] = {}
    for item in theirs:
        if len(item) > best:
            by_first.setdefault(item[0], []).append(item)
    for item in ours:
        if len(item) <= best - fair or not item:
            continue
        for other in by_first.get(item[0], ()):
            common = best if fair else best + 1
            if other[:common] != item[:common]:
                continue
            shorter, length = sorted((len(item), len(other)))
            while common < shorter and item[common] == other[common]:
                common += 1
            if best < common <= shorter or (fair and common == best and length < longer):
                best, longer = common, length
    return best / longer


def _released_identifiers(code: str) -> Sequence[str]:
    try:
        return _read(code) or ()
    except Exception:  # noqa: BLE001  (as released: what cannot be read is taken line by line)
        return code.splitlines()


def _released_lines(code: str) -> dict[tuple[str, ...], None]:
    found: dict[tuple[str, ...], None] = {}
    for line in code.split("\n"):
        read = _read(line)
        found[tuple(line.split(" ") if read is None else read)] = None
    return found


def _read(code: str) -> list[str] | None:
    return _read_again(code) if len(code) < _SHORT else released_names(code)


# A line is read for ISM and for PM, and lines come back in other answers.
_SHORT = 500
_read_again = lru_cache(512)(released_names)
