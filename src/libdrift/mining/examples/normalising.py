"""Outputs without what differs from run to run or says nothing: addresses, layout, float noise."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b|\bat remote \d+\b")
# Where a class or function is defined is no behaviour: only its name is kept.
_DEFINED = re.compile(r"<(class|function|module|built-in \w+) '?((?:\w+\.)*)(\w+)'?[^<>]*>")
_OBJECT = re.compile(r"<(?:\w+\.)+(\w+)(?=[ >(])")
_BEFORE = r"(?<![\w.])"
_NUMBER = _BEFORE + r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[jJ]?(?!\w)"
_QUOTED = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_IMAGINARY = r"[-+](?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[jJ](?!\w)"
_TOKEN = re.compile(rf"{_IMAGINARY}|{_NUMBER}|\w+(?:\.\w+)*|{_QUOTED}|[^\w\s]")
_IS_NUMBER = re.compile(rf"{_NUMBER}|{_IMAGINARY}")
_NAME = r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*"
_COMPLEX = rf"{_NUMBER}|(?:{_NUMBER[len(_BEFORE) :]})?[-+][\d.]+(?:[eE][-+]?\d+)?j"
# A plain value that says its type: `np.float64(1.0)`.
_WRAPPED = re.compile(rf"\b({_NAME})\((\(?(?:{_COMPLEX})\)?|{_QUOTED}|True|False|nan|-?inf)\)")
_ENCLOSED = re.compile(rf"(?<![\w\])])\(({_COMPLEX})\)")
_SINGLETON = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(True|False)_(?!\w)")
_RELATIVE = 1e-6
_NOTHING = 1e-9  # of the largest number of an output: below it is rounding
_SMALL, _LIKE = 1e-5, 1e-2  # what is left of an iteration: so small, and so much alike
_DIGITS = 4  # from so many on, the last one printed is rounding
_WORD, _PROSE = 3, 150  # letters of a word, and words, from which on it is prose
_LONGEST = 600  # tokens that are aligned with others

Edit = tuple[tuple[str, ...], tuple[str, ...]]


def same(one: str, other: str) -> bool:
    """Whether two outputs say the same, but for what is noise."""
    if one == other:
        return True
    return _alike(tokens(one), tokens(other))


def same_but_spelled(one: str, other: str) -> bool:
    """Whether they say the same, if values that say their type are the values alone."""
    return _alike(tokens(unwrapped(one)), tokens(unwrapped(other)))


def is_prose(text: str) -> bool:
    """Whether an output is documentation, which every release words anew."""
    found = tokens(text)
    words = sum(token.isalpha() and len(token) >= _WORD for token in found)
    return words >= _PROSE and 5 * words >= 2 * len(found)


def unwrapped(text: str) -> str:
    text = _WRAPPED.sub(r"\2", _SINGLETON.sub(r"\1", text))
    return _ENCLOSED.sub(r"\1", text)


def wrappers(text: str) -> set[str]:
    """What plain values are said to be: `np.float64`."""
    names = {match[0] for match in _SINGLETON.finditer(text)}
    return names | {match[1] for match in _WRAPPED.finditer(text)}


@lru_cache(512)
def tokens(text: str) -> tuple[str, ...]:
    text = _ADDRESS.sub("0x", text)
    text = _OBJECT.sub(r"<\1", _DEFINED.sub(r"<\1 \3>", text))
    return tuple(_TOKEN.findall(_in_order(text)))


def _in_order(text: str) -> str:
    """With the items of each pair of braces sorted: sets have no order, and dicts none to keep."""
    if "{" not in text:
        return text
    done: list[str] = []
    open_: list[list[str]] = []  # items so far, of each brace that is open
    depth: list[int] = []  # of other brackets, within each brace
    for part in re.findall(rf"{_QUOTED}|[{{}}()\[\],]|[^{{}}()\[\],'\"]+|['\"]", text):
        if part == "{":
            open_.append([""])
            depth.append(0)
        elif part == "}" and open_:
            items = sorted(item.strip() for item in open_.pop())
            depth.pop()
            (open_[-1] if open_ else done).append("{" + ", ".join(items) + "}")
            _join(open_)
        elif not open_:
            done.append(part)
        elif part == "," and not depth[-1]:
            open_[-1].append("")
        else:
            depth[-1] += (part in "([") - (part in ")]")
            open_[-1][-1] += part
    return "".join(done) + "".join("{" + ", ".join(items) for items in open_)


def _join(open_: list[list[str]]) -> None:
    """A closed pair of braces is a part of the item around it."""
    if open_:
        last = open_[-1].pop()
        open_[-1][-1] += last


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    if len(one) != len(other):
        return False
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if not pairs:
        return True
    if not all(_IS_NUMBER.fullmatch(a) and _IS_NUMBER.fullmatch(b) for a, b in pairs):
        return False
    largest = max((abs(_value(text)) for text in one if _IS_NUMBER.fullmatch(text)), default=0.0)
    return all(_near(a, b, largest) for a, b in pairs)


def _value(text: str) -> float:
    value = abs(complex(text)) if text[-1] in "jJ" else float(text)
    return value if math.isfinite(value) else 0.0


def _near(one: str, other: str, largest: float) -> bool:
    if _is_whole(one) or _is_whole(other):
        return False
    if (one[-1] in "jJ") != (other[-1] in "jJ"):
        return False
    a, b = float(one.rstrip("jJ")), float(other.rstrip("jJ"))
    if math.isclose(a, b, rel_tol=_RELATIVE) or max(abs(a), abs(b)) <= _NOTHING * max(1.0, largest):
        return True
    if max(abs(a), abs(b)) < _SMALL and math.isclose(a, b, rel_tol=_LIKE):
        return True
    # The same number, printed to fewer digits or rounded the other way in the last one.
    places = [Decimal(text.rstrip("jJ")).normalize().as_tuple() for text in (one, other)]
    shown = [Decimal(text.rstrip("jJ")).as_tuple() for text in (one, other)]
    if min(len(place.digits) for place in shown) < _DIGITS or not all(
        isinstance(place.exponent, int) for place in (*places, *shown)
    ):
        return False
    unit = 10.0 ** max(int(place.exponent) for place in shown)
    return abs(a - b) <= 1.01 * unit


def _is_whole(text: str) -> bool:
    """An integer is exact: another one is another answer."""
    return not any(letter in text for letter in ".eE")


def edits(one: str, other: str) -> frozenset[Edit] | None:
    """What is replaced by what, numbers left open; nothing where it is numbers alone, or much."""
    old, new = ([_open(token) for token in tokens(text)] for text in (one, other))
    if max(len(old), len(new)) > _LONGEST:
        return None
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    found = frozenset(
        (tuple(old[a:b]), tuple(new[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    )
    words = {token for edit in found for side in edit for token in side}
    return found if any(word[0].isalpha() or word[0] == "_" for word in words) else None


def _open(token: str) -> str:
    return "0" if _IS_NUMBER.fullmatch(token) else token
