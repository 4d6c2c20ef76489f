"""Decoys: Rust tests that a right answer must fail, and that a forger cannot tell from real ones.

In some of the test functions something is changed: a literal has another value, or, where there is
none that matters, what an assertion claims is denied. Real tests and decoys are rendered alike:
without comments, which would tell what was meant, and with ``(claim) == true`` where a decoy would
have ``(claim) == false``. A printed summary or a type that equals anything pass a decoy all the
same, and are found out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from libdrift.execution.rust.altering import DICE, altered
from libdrift.execution.rust.lexing import Token, closing, tokens
from libdrift.execution.rust.syntax import items

_EQUAL = {"assert_eq": "==", "debug_assert_eq": "==", "assert_ne": "!=", "debug_assert_ne": "!="}
_TRUE = ("assert", "debug_assert")
_SAYING = frozenset("panic println print eprintln eprint format".split())  # to people
_OPERANDS = 2  # of a comparison; what follows is a message


class ChangedPart(IntEnum):
    """What is changed; the less, the more it tells."""

    EXPECTED = 0  # what a result is compared with
    CLAIM = 1  # a literal of an assertion that something holds
    INPUT = 2  # what is asked of the answer, or stands outside of assertions
    TURNED = 3  # no literal: the assertion is turned round, which types that always agree survive


@dataclass(frozen=True, slots=True)
class ChangedToken:
    """What can be changed at a place of one test function."""

    function: str  # its path, as a test runner names it
    kind: ChangedPart
    start: int
    end: int
    changed: str
    same: str  # the place as it is in the rendering that the change is made in


@dataclass(frozen=True, slots=True)
class _Function:
    path: str
    body: Sequence[Token]


def bare(tests: str) -> str:
    """Tests without their comments, each line where it was."""
    pieces, end = [], 0
    for token in tokens(tests):
        pieces += [_spaces(tests[end : token.start]), token.text]
        end = token.end
    return "".join([*pieces, _spaces(tests[end:])])


def changes(tests: str, own: frozenset[str]) -> list[ChangedToken]:
    """All that can be changed, the telling first, else in random order. ``own``: the answer's.

    An operand that names the answer is what is tested, not what is expected of it.
    """
    functions = list(_functions(tests))
    others = [token for function in functions for token in _compared(function.body, own)]
    found = [one for function in functions for one in _Finder(tests, own, others).all(function)]
    DICE.shuffle(found)
    return sorted(found, key=lambda change: change.kind)


def rendered(tests: str, places: Mapping[ChangedToken, bool]) -> str:
    """Tests in which these are changed, or are only written as if they could have been."""
    text = tests
    for change in sorted(places, key=lambda one: one.start, reverse=True):
        part = change.changed if places[change] else change.same
        text = text[: change.start] + part + text[change.end :]
    return text


def _spaces(gap: str) -> str:
    return gap if gap.isspace() or not gap else " " + "\n" * gap.count("\n")


def _functions(tests: str) -> Iterator[_Function]:
    """The test functions of a file, by the modules that they are in."""
    found = tokens(tests)
    left = [("", item) for item in reversed(items(tests))]
    while left:
        module, item = left.pop()
        path = module + item.name
        if item.node.type == "mod_item":
            left += [(f"{path}::", inner) for inner in reversed(item.inner())]
        elif item.node.type == "function_item" and item.is_test and item.body:
            start, end = item.body
            yield _Function(path, [token for token in found if start <= token.start < end])


@dataclass(frozen=True, slots=True)
class _Finder:
    tests: str
    own: frozenset[str]
    others: Sequence[Token]  # what results are compared with anywhere in the tests

    def all(self, function: _Function) -> Iterator[ChangedToken]:
        found = function.body
        index = 0
        while index < len(found) - 2:
            token = found[index]
            if token.text == "#" and found[index + 1].text == "[":
                index = closing(found, index + 1)
            elif _is_assertion(found, index):
                yield from self._assertion(function, token, _operands(found, index + 2))
                index = closing(found, index + 2)
            elif found[index + 1].text == "!" and found[index + 2].text in ("(", "[", "{"):
                if token.text in _SAYING:
                    index = closing(found, index + 2)
            else:
                yield from self._literals(function, [token], ChangedPart.INPUT)
            index += 1

    def _assertion(
        self, function: _Function, name: Token, operands: Sequence[Sequence[Token]]
    ) -> Iterator[ChangedToken]:
        count = 1 if name.text in _TRUE else _OPERANDS
        if len(operands) < count:
            return
        said = " ".join(part.text for operand in operands[count:] for part in operand)
        # That two are unlike stays true of most other literals.
        kinds = () if name.text.endswith("_ne") else self._kinds(name, operands[:count])
        for part, kind in kinds:
            # A message that repeats what is expected would tell that it was changed.
            if part.text.strip("\"'") not in said or not said:
                yield from self._literals(function, [part], kind)
        parts = [self.tests[operand[0].start : operand[-1].end] for operand in operands[:count]]
        start, end = operands[0][0].start, operands[count - 1][-1].end
        claim, before = parts[0], ""
        if count == _OPERANDS:
            start, before = name.start, f"{name.text[:-3]}!("
            claim = f"({parts[0]}) {_EQUAL[name.text]} ({parts[1]})"
        turned, same = (f"{before}({claim}) == {word}" for word in ("false", "true"))
        yield ChangedToken(function.path, ChangedPart.TURNED, start, end, turned, same)

    def _kinds(
        self, name: Token, operands: Sequence[Sequence[Token]]
    ) -> Iterator[tuple[Token, ChangedPart]]:
        """The parts of an assertion that could be changed, and what each is there."""
        tested = [bool(self.own & {part.text for part in operand}) for operand in operands]
        for operand, is_tested in zip(operands, tested, strict=True):
            asked = _asked(operand, self.own)
            for before, part, after in _with_neighbours(operand):
                if part in asked:
                    yield part, ChangedPart.INPUT
                elif name.text in _TRUE or all(tested):  # both may be made by the answer
                    if not {before.text, after.text} & set("<>"):  # right answers may differ there
                        yield part, ChangedPart.CLAIM
                else:
                    yield part, ChangedPart.INPUT if is_tested else ChangedPart.EXPECTED

    def _literals(
        self, function: _Function, operand: Sequence[Token], kind: ChangedPart
    ) -> Iterator[ChangedToken]:
        for token in operand:
            if _is_of_a_type(function.body, token):
                continue
            changed = altered(token, self.others)
            if changed is not None:
                yield ChangedToken(function.path, kind, token.start, token.end, changed, token.text)


def _is_assertion(found: Sequence[Token], index: int) -> bool:
    name, sign, opening = (token.text for token in found[index : index + 3])
    return sign == "!" and opening == "(" and name in (*_EQUAL, *_TRUE)


def _compared(found: Sequence[Token], own: frozenset[str]) -> Iterator[Token]:
    """The literals that results are compared with."""
    for index in range(len(found) - 2):
        if _is_assertion(found, index) and found[index].text in _EQUAL:
            for operand in _operands(found, index + 2)[:_OPERANDS]:
                if not own & {part.text for part in operand}:
                    yield from (part for part in operand if not _is_of_a_type(found, part))


def _is_of_a_type(found: Sequence[Token], token: Token) -> bool:
    """Whether a number is a field's, an array's length or the like: other types have others."""
    if token.kind != "number":
        return False
    index = next(at for at, one in enumerate(found) if one is token)
    two, one = ("", "", *(part.text for part in found[max(0, index - 2) : index]))[-2:]
    after = found[index + 1].text if index + 1 < len(found) else ""
    return (one == "." and two != ".") or (one == ";" and after == "]") or one == "<"


def _with_neighbours(operand: Sequence[Token]) -> Iterator[tuple[Token, Token, Token]]:
    nothing = Token("sign", " ", 0)
    # `>=` is two signs.
    parts = [part for part in operand if part.text != "="]
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else nothing
        yield before, part, parts[index + 1] if index + 1 < len(parts) else nothing


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
    for index in range(opening + 1, min(end + 1, len(found))):
        text = found[index].text if index < end else ","
        if index == end or (depth == 0 and text == "," and found[index].kind == "sign"):
            if index > start:
                operands.append(found[start:index])
            start = index + 1
        elif found[index].kind == "sign":
            depth += (text in "([{") - (text in ")]}")
    return operands


def by_function(found: Iterable[ChangedToken]) -> dict[str, list[ChangedToken]]:
    """Changes by the test function that they are in, in their order."""
    sorted_out: dict[str, list[ChangedToken]] = {}
    for change in found:
        sorted_out.setdefault(change.function, []).append(change)
    return sorted_out
