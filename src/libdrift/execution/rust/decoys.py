"""Decoys: Rust tests that a right answer must fail, and that a forger cannot tell from real ones.

Each is the tests' text with one expectation changed: a literal has another value, or, where there
is none that matters, an assertion is turned round. A printed summary, assertions that
were redefined, or a type that equals anything pass it all the same, and are found out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from libdrift.execution.rust.lexing import Token, closing, tokens

_DICE = random.SystemRandom()
_EQUAL = ("assert_eq", "debug_assert_eq")
_TRUE = ("assert", "debug_assert")
_SAYING = frozenset("panic println print eprintln eprint format".split())  # to people
_DECIMAL = re.compile(r"(?P<whole>\d[\d_]*)(?P<part>\.\d+)?(?P<suffix>[iuf]\w+)?")


class Kind(IntEnum):
    """What is changed; the less, the more it tells."""

    EXPECTED = 0  # what a result is compared with
    CLAIM = 1  # a literal of an assertion that something holds
    INPUT = 2  # what is asked of the answer, or stands outside of assertions
    TURNED = 3  # no literal: the assertion is turned round, which types that always agree survive


@dataclass(frozen=True, slots=True)
class Decoy:
    text: str
    kind: Kind


_Change = tuple[Kind, int, int, str]  # what, where, and the new text


def decoys(tests: str, own: frozenset[str]) -> list[Decoy]:
    """Candidates, the telling ones first, else in random order. ``own``: names of the answer's.

    An operand that names the answer is what is tested, not what is expected of it.
    """
    changes = list(_changes(tests, own))
    _DICE.shuffle(changes)
    changes.sort(key=lambda change: change[0])
    found: dict[str, Kind] = {}
    for kind, start, end, text in changes:
        found.setdefault(tests[:start] + text + tests[end:], kind)
    return [Decoy(text, kind) for text, kind in found.items()]


def _changes(tests: str, own: frozenset[str]) -> Iterator[_Change]:
    found = tokens(tests)
    index = 0
    while index < len(found) - 2:
        token = found[index]
        if token.text == "#" and found[index + 1].text == "[":
            index = closing(found, index + 1)
        elif found[index + 1].text == "!" and token.text in (*_EQUAL, *_TRUE):
            yield from _assertion(tests, token, _operands(found, index + 2), own)
            index = closing(found, index + 2)
        elif found[index + 1].text == "!" and found[index + 2].text in ("(", "[", "{"):
            if token.text in _SAYING:
                index = closing(found, index + 2)
        else:
            yield from _literals([token], Kind.INPUT)
        index += 1


def _assertion(
    tests: str, name: Token, operands: Sequence[Sequence[Token]], own: frozenset[str]
) -> Iterator[_Change]:
    if name.text in _TRUE:
        for operand in operands[:1]:
            asked = _asked(operand, own)
            yield from _literals([part for part in operand if part in asked], Kind.INPUT)
            yield from _literals([part for part in operand if part not in asked], Kind.CLAIM)
            start, end = operand[0].start, operand[-1].end
            yield Kind.TURNED, start, end, f"!({tests[start:end]})"
        return
    tested = [bool(own & {part.text for part in operand}) for operand in operands[:2]]
    for operand, is_tested in zip(operands, tested, strict=False):
        kind = Kind.CLAIM if all(tested) else Kind.INPUT  # both may be made by the answer
        yield from _literals(operand, kind if is_tested else Kind.EXPECTED)
    yield Kind.TURNED, name.start, name.end, name.text.replace("_eq", "_ne")


def _asked(operand: Sequence[Token], own: frozenset[str]) -> set[Token]:
    """What an operand gives to the answer's own functions."""
    found: set[Token] = set()
    for index, token in enumerate(operand[:-1]):
        if token.text in own and operand[index + 1].text == "(":
            found.update(operand[index : closing(operand, index + 1)])
    return found


def _operands(found: Sequence[Token], opening: int) -> list[Sequence[Token]]:
    end = closing(found, opening)
    operands: list[Sequence[Token]] = []
    start, depth = opening + 1, 0
    for index in range(opening + 1, end + 1):
        text = found[index].text if index < end else ","
        if index == end or (depth == 0 and text == "," and found[index].kind == "sign"):
            if index > start:
                operands.append(found[start:index])
            start = index + 1
        elif found[index].kind == "sign":
            depth += (text in "([{") - (text in ")]}")
    return operands


def _literals(operand: Sequence[Token], kind: Kind) -> Iterator[_Change]:
    for token in operand:
        changed = _changed(token)
        if changed is not None:
            yield kind, token.start, token.end, changed


def _changed(token: Token) -> str | None:
    """Another literal of the same kind; ``None`` for what is not one, or is not understood."""
    if token.kind == "word":
        return {"true": "false", "false": "true"}.get(token.text)
    if token.kind == "number":
        match = _DECIMAL.fullmatch(token.text)
        if match is None:
            return None
        whole = int(match["whole"].replace("_", "")) + _DICE.randint(1, 9)
        return f"{whole}{match['part'] or ''}{match['suffix'] or ''}"
    if token.kind == "string" and token.text.endswith('"'):
        return f'{token.text[:-1]}{_DICE.choice("abdeginorst")}"'
    if token.kind == "char" and len(token.text) == len("'a'") and token.text[1].isalpha():
        return "'" + _DICE.choice([c for c in "abdeginorst" if c != token.text[1]]) + "'"
    return None
