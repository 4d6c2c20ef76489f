"""Other arguments of the same shape and type: what a function is tested with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice

_MOST = 6  # of one argument
_LARGEST = 10**6
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_MARK = re.compile(r"[^\w\s]")  # of a text with a form: a path, an address, a pattern, markup


def variations(source: str, most: int = _MOST) -> list[str]:
    """Other literals in place of one, as source, the most alike first. The same ones every time."""
    value = ast.literal_eval(source)
    found: dict[str, None] = {}
    try:
        for other in islice(_others(value), 4 * most):
            written = repr(other)
            if written != repr(value) and type(other) is type(value):
                found[written] = None
    except (ValueError, OverflowError):  # a number of more digits than Python writes
        return []
    return list(found)[:most]


def _others(value: object) -> Iterator[object]:
    match value:
        case bool() | None:
            return
        case int():
            yield from _integers(value)
        case float():
            yield from (round(one, 6) for one in (value + 1, value * 2, value / 2, value + 0.25))
        case str():
            yield from _texts(value)
        case list():
            yield from map(list, _sequences(value))
        case tuple():
            yield from map(tuple, _sequences(list(value)))
        case dict():
            yield from _mappings(value)
        case _:
            return


def _integers(value: int) -> Iterator[int]:
    for other in (value + 1, value + 2, value - 1, value * 2, value + 5):
        if (other >= 0 or value < 0) and abs(other) < max(_LARGEST, 2 * abs(value)):
            yield other


def _texts(value: str) -> Iterator[str]:
    if not value:
        return
    numbers = _DIGITS.findall(value)
    if numbers:  # a date, a version, a quantity: its form stays
        yield from (_renumbered(value, by) for by in (1, 2, 3))
    elif _MARK.search(value):
        yield from _reworded(value)
        return
    if len(value) > 1 and not numbers:
        yield value[::-1]
        yield value[1:] + value[0]
        yield value.swapcase()
        words = value.split(" ")
        if len(words) > 1:
            yield " ".join(reversed(words))
            yield " ".join(words[:-1])
    elif value.isalpha():
        yield from (chr((ord(value.lower()) - 97 + by) % 26 + 97) for by in (1, 2, 3))
    yield value + value


def _renumbered(value: str, by: int) -> str:
    """Every number's last digit is another one; it never becomes nothing."""

    def other(found: re.Match[str]) -> str:
        digits = found[0]
        return digits[:-1] + str((int(digits[-1]) + by - 1) % 9 + 1)

    return _DIGITS.sub(other, value)


def _reworded(value: str) -> Iterator[str]:
    """Other words between the same marks: backwards, a bracket would close before it opens."""
    yield _WORD.sub(lambda found: found[0][::-1], value)
    yield _WORD.sub(lambda found: found[0][1:] + found[0][0], value)
    yield value.swapcase()


def _sequences(value: list[object]) -> Iterator[list[object]]:
    if not value:
        return
    alternatives = [list(islice(_others(item), 2)) for item in value]
    changed = [other[0] if other else item for item, other in zip(value, alternatives, strict=True)]
    if len(value) > 1:
        yield value[::-1]
        yield value[1:] + value[:1]
    yield changed
    yield [*value, value[0]]
    if len(value) > 1:
        yield value[:-1]
    yield [*changed[:1], *value[1:]]
    yield [*value, *changed]


def _mappings(value: dict[object, object]) -> Iterator[dict[object, object]]:
    if not value:
        return
    items = list(value.items())
    alternatives = {key: next(_others(item), item) for key, item in items}
    yield alternatives
    first = items[0][0]
    yield {**value, first: alternatives[first]}
    if len(items) > 1:
        yield dict(items[:-1])
        yield dict(reversed(items))
        keys = list(value)
        yield dict(zip(keys, [*list(value.values())[1:], items[0][1]], strict=True))
