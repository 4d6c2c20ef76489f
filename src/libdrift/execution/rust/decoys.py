"""Decoys: Rust tests that a right answer must fail, and that a forger cannot tell from real ones.

Each is the tests' text with one expectation changed: a literal in an assertion has another value,
or, where there is none, the assertion itself is turned round. A printed summary, assertions that
were redefined, or a type that equals anything pass it all the same, and are found out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from libdrift.execution.rust.lexing import Token, closing, tokens

_DICE = random.SystemRandom()
_EQUAL = ("assert_eq", "debug_assert_eq")
_TRUE = ("assert", "debug_assert")
_DECIMAL = re.compile(r"(?P<whole>\d[\d_]*)(?P<part>\.\d+)?(?P<suffix>[iuf]\w+)?")


def decoys(tests: str, own: frozenset[str]) -> list[str]:
    """Candidates, the telling ones first, else in random order. ``own``: names of the answer's.

    An operand that names the answer is what is tested, not what is expected of it.
    """
    changes = list(_changes(tests, own))
    _DICE.shuffle(changes)
    changes.sort(key=lambda change: change[0])
    texts = (tests[:start] + text + tests[end:] for _, start, end, text in changes)
    return list(dict.fromkeys(texts))


def _changes(tests: str, own: frozenset[str]) -> Iterator[tuple[int, int, int, str]]:
    """Rank (the less, the more telling), place and text of every change."""
    found = tokens(tests)
    for index, token in enumerate(found[:-2]):
        if found[index + 1].text != "!" or token.text not in (*_EQUAL, *_TRUE):
            continue
        operands = _operands(found, index + 2)
        if token.text in _TRUE:
            for operand in operands[:1]:
                yield from _literals(operand, 2)
                start, end = operand[0].start, operand[-1].end
                yield 3, start, end, f"!({tests[start:end]})"
            continue
        for operand in operands[:2]:
            tested = own & {part.text for part in operand}
            yield from _literals(operand, 1 if tested else 0)
        yield 4, token.start, token.end, token.text.replace("_eq", "_ne")


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


def _literals(operand: Sequence[Token], rank: int) -> Iterator[tuple[int, int, int, str]]:
    for token in operand:
        changed = _changed(token)
        if changed is not None:
            yield rank, token.start, token.end, changed


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
