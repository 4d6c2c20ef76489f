"""Decoys: tests that a right answer must fail, and that a forger cannot tell from the real ones.

Answer and tests share a process, so an answer written against libdrift could, in principle, report
whatever it likes. It cannot know *what* to report: whoever passes the real tests is also given a
decoy, the same text with some expected values changed. The reference fails it; so does every right
answer. A forged report, an object that equals anything, or values read from the caller's stack pass
the decoy as well, and are found out.
"""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Iterator

_SAMENESS = ("close", "equal", "Equal", "assertIs")
_DICE = random.SystemRandom()


def decoys(source: str) -> list[str]:
    """Candidates, the telling ones first, else in random order; each has one expectation changed.

    Only one: an answer that is right meets the real expectation, so it cannot meet the changed one,
    whatever else it does differently from the reference. And a cheat need not fool every other
    assertion to be found out.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []  # written for a grammar that this Python does not read
    sites = list(_sites(tree))
    _DICE.shuffle(sites)
    sites.sort(key=lambda site: site[0])
    texts = (_rewrite(source, constants) for _, constants in sites)
    return [text for text in texts if text != source]


def _sites(tree: ast.Module) -> Iterator[tuple[bool, list[ast.Constant]]]:
    """The places where tests write what they expect, as the constants in each.

    Each with whether it stands against something made *of* the answer's value: `len([f()]) == 1`
    holds whatever `f` gives, so a cheat fails the changed one as honestly as a right answer does.
    """
    names: set[str] = set()
    made: set[ast.AST] = set()
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        for operand in _operands(node):
            found.append(operand)
            if any(map(_makes_of, ast.iter_child_nodes(node))):
                made.add(operand)
            names |= {n.id for n in ast.walk(operand) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "parametrize":
            found += _parameters(node)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and not _has_call(node.value):
            targets = {t.id for t in node.targets if isinstance(t, ast.Name)}
            if targets & names:
                found.append(node.value)
    for place in found:
        constants = list(_constants(place))
        if constants:
            yield place in made, constants


def _operands(node: ast.AST) -> list[ast.expr]:
    """What a node compares for sameness; other comparisons have many right answers."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if not isinstance(node.ops[0], (ast.Eq, ast.Is)):
            return []
        both = [node.left, *node.comparators]
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if not any(word in name for word in _SAMENESS) or "Not" in name or "not_" in name:
            return []
        both = node.args[:2]
    else:
        return []
    # `f(3) == approx(9)`: the side with the answer's own call is not an expectation.
    return [operand for operand in both if not _has_call(operand) or _is_approx(operand)]


def _parameters(call: ast.Call) -> Iterator[ast.expr]:
    """The last column of a parametrized table: by custom, what is expected."""
    for rows in call.args[1:2]:
        for row in getattr(rows, "elts", []):
            if isinstance(row, (ast.Tuple, ast.List)) and row.elts:
                yield row.elts[-1]


def _is_approx(node: ast.AST) -> bool:
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    return all(getattr(c.func, "attr", getattr(c.func, "id", "")) == "approx" for c in calls)


def _constants(node: ast.AST) -> Iterator[ast.Constant]:
    """The constants below a node that can be changed in the text: no parts of f-strings."""
    if isinstance(node, ast.Constant):
        if type(node.value) in (bool, int, float, str, bytes):
            yield node
    elif not isinstance(node, (ast.JoinedStr, ast.Slice)):
        for child in ast.iter_child_nodes(node):
            yield from _constants(child)


def _makes_of(node: ast.AST) -> bool:
    """Whether an operand is what a builtin (`len`, `type`, `sorted`) makes of something."""
    return isinstance(node, ast.Call) and hasattr(builtins, getattr(node.func, "id", " "))


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node))


def _rewrite(source: str, constants: list[ast.Constant]) -> str:
    """The source with these constants changed in place, and nothing else."""
    encoded = source.encode()
    starts = [0]
    for line in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    places = {
        (
            starts[node.lineno - 1] + node.col_offset,
            starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0),
        ): node
        for node in constants
    }
    for start, end in sorted(places, reverse=True):
        node = places[start, end]
        encoded = encoded[:start] + repr(_changed(node.value)).encode() + encoded[end:]
    return encoded.decode()


def _changed(value: object) -> object:
    """Another value of the same kind, that looks as likely as the first."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + _DICE.randint(1, 9)
    if isinstance(value, float):
        return round(value + _DICE.randint(1, 9) / 2, 6)
    if isinstance(value, bytes):
        return value + b"abcdefgh"[_DICE.randrange(8) :][:1]
    text = str(value)
    position = _DICE.randrange(len(text) + 1)
    return text[:position] + _DICE.choice("abdeginorst") + text[position:]
