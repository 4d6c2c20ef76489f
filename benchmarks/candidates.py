"""Answers to a task like those that models give, made from its reference.

Each is a right answer written otherwise, or one that is wrong in a way that models are: an API of
another version, a name that does not exist, a value that is a little off, nothing at all. The same
seed gives the same answers. How often a task is solved differs from task to task, as with real
models, whose answers to one task tend to be all right or all wrong: the shares follow a beta
distribution whose mean is ``RIGHT``.

What is called right here is meant to be right; what counts is how the tests judge it.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from additions import ADDITIONS, print_much
from rewriting import REWRITINGS, Rewriting, first, functions, new_name, parsed

RIGHT = 0.42  # some of the others pass as well: about 45 % do in all
# Of beta distributions with that mean, one with much at both ends.
_SPREAD = 1.4
_TRIES = 50  # to find an answer that is not there yet
_GONE = "legacy compat deprecated experimental v2 core_utils".split()


class Kind(StrEnum):
    RIGHT = "right"
    CHATTY = "right, prints a lot"
    VERSION = "for another version"
    ATTRIBUTE = "calls what does not exist"
    KEYWORD = "passes an unknown keyword"
    IMPORT = "imports what does not exist"
    ONE_CASE = "a little off in some cases"
    NOTHING = "returns None"
    UNWRITTEN = "raises NotImplementedError"
    SYNTAX = "has a syntax error"
    ENDLESS = "loops for ever"


@dataclass(frozen=True, slots=True)
class Answer:
    kind: Kind
    code: str


# How often each way to be wrong is taken, where the task has it.
_WRONG: dict[Kind, int] = {
    Kind.VERSION: 30,
    Kind.ATTRIBUTE: 22,
    Kind.KEYWORD: 14,
    Kind.IMPORT: 10,
    Kind.ONE_CASE: 24,
    Kind.NOTHING: 10,
    Kind.UNWRITTEN: 4,
    Kind.SYNTAX: 6,
}


def answers(
    name: str, reference: str, count: int, *, seed: int = 0, other: str | None = None
) -> list[Answer]:
    """That many different answers to the task of that name.

    ``other`` is an answer that is right in another version, where the task has one.
    """
    share = _dice(seed, name, "share").betavariate(_SPREAD * RIGHT, _SPREAD * (1 - RIGHT))
    found: dict[str, Answer] = {}
    for number in range(count):
        dice = _dice(seed, name, str(number))
        right = dice.random() < share  # once: not every way to be wrong is open to every task
        for _ in range(_TRIES):
            kind = _kind(dice, other, right=right)
            code = write(kind, reference, dice, other)
            if code is not None and code not in found:
                found[code] = Answer(kind, code)
                break
        else:  # a reference with too little in it to be written in so many ways
            code = f"{reference}\n# {number}\n"
            found[code] = Answer(Kind.RIGHT, code)
    return list(found.values())


def endless(name: str, reference: str, *, seed: int = 0) -> Answer | None:
    """An answer that never ends, where there is a function to call."""
    code = write(Kind.ENDLESS, reference, _dice(seed, name, "endless"), None)
    return None if code is None else Answer(Kind.ENDLESS, code)


def write(kind: Kind, reference: str, dice: random.Random, other: str | None) -> str | None:
    """An answer of a kind, or ``None`` where the reference offers no place for it."""
    if kind is Kind.VERSION:
        tree = ast.parse(other or "")
    else:
        tree = ast.parse(reference)
        spoil = _SPOILS.get(kind)
        if spoil is not None and not spoil(tree, dice):
            return None
    rewrite(tree, dice)
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return _cut(text, dice) if kind is Kind.SYNTAX else text


def rewrite(tree: ast.Module, dice: random.Random) -> None:
    """Write a program otherwise: a few of the ways that apply to it, in random order."""
    wanted = dice.choice((0, 1, 2, 2, 3, 3, 4, 5))
    ways: list[Rewriting] = [*REWRITINGS, *ADDITIONS]
    dice.shuffle(ways)
    for way in ways:
        if wanted and way(tree, dice):
            wanted -= 1


def _dice(seed: int, *names: str) -> random.Random:
    return random.Random("/".join([str(seed), *names]))  # noqa: S311  (must be the same each time)


def _kind(dice: random.Random, other: str | None, *, right: bool) -> Kind:
    if right:
        return Kind.CHATTY if dice.random() < 0.05 else Kind.RIGHT  # noqa: PLR2004
    ways = {kind: weight for kind, weight in _WRONG.items() if other or kind is not Kind.VERSION}
    return dice.choices(list(ways), list(ways.values()))[0]


def _library_calls(tree: ast.Module) -> list[ast.Call]:
    """Calls of what belongs to something imported: `np.linalg.norm(x)`."""
    roots = {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    def root(node: ast.expr) -> str:
        while isinstance(node, ast.Attribute):
            node = node.value
        return node.id if isinstance(node, ast.Name) else ""

    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if root(call.func) in roots]


def _call_unknown(tree: ast.Module, dice: random.Random) -> bool:
    found = [call.func for call in _library_calls(tree) if isinstance(call.func, ast.Attribute)]
    if found:
        func = dice.choice(found)
        func.attr = f"{func.attr}_{dice.choice(_GONE)}"
    return bool(found)


def _pass_unknown(tree: ast.Module, dice: random.Random) -> bool:
    found = _library_calls(tree)
    if found:
        name = dice.choice(["use_legacy", "strict_mode", "return_all", "keep_order_of"])
        dice.choice(found).keywords.append(ast.keyword(name, ast.Constant(value=True)))
    return bool(found)


def _import_unknown(tree: ast.Module, dice: random.Random) -> bool:
    modules = [
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    found = [name for name in modules if name and name != "__future__"]
    if not found:
        return False
    name = f"{dice.choice(['make', 'get', 'to', 'as'])}_{dice.choice(_GONE)}"
    line = parsed(f"from {dice.choice(found)} import {name}")
    owners = functions(tree)
    if owners and dice.random() < 0.3:  # noqa: PLR2004
        owner = dice.choice(owners)
        owner.body[first(owner) : first(owner)] = line
    else:
        last = max(i for i, n in enumerate(tree.body) if isinstance(n, ast.Import | ast.ImportFrom))
        tree.body[last + 1 : last + 1] = line
    return True


# Told apart by the value alone: the same in every run.
_OFF = """
def {name}(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1 if value > 1 else value
    for change in (lambda: value[:-1] if len(value) > 1 else value, lambda: value + value):
        try:
            return change()
        except Exception:
            continue
    return value
"""


def _be_off(tree: ast.Module, dice: random.Random) -> bool:
    """Returned values changed where they are large or long, by a function of the answer's."""
    name = new_name(tree, ["_postprocess", "_clean", "_finish"], dice)
    returns = [
        node
        for function in functions(tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    for node in dice.sample(returns, min(1, len(returns))):
        assert node.value is not None  # noqa: S101  (chosen so above)
        node.value = ast.Call(ast.Name(name, ast.Load()), [node.value], [])
    if returns:
        place = next(
            index
            for index, node in enumerate(tree.body)
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        )
        tree.body[place:place] = parsed(_OFF.format(name=name))
    return bool(returns)


def _replace_bodies(text: str) -> Callable[[ast.Module, random.Random], bool]:
    def spoil(tree: ast.Module, dice: random.Random) -> bool:
        del dice
        found = functions(tree)
        for function in found:
            function.body[first(function) :] = parsed(text)
        return bool(found)

    return spoil


def _forget_return(tree: ast.Module, dice: random.Random) -> bool:
    del dice
    found = [
        node
        for function in functions(tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    for node in found:
        node.value = ast.Constant(value=None)
    return bool(found)


def _cut(text: str, dice: random.Random) -> str | None:
    """What remains of an answer that was cut short, or lost a bracket: no program."""
    closing = [index for index, sign in enumerate(text) if sign in ")]:"]
    for _ in range(_TRIES):
        place = dice.choice(closing) if closing else 0
        broken = dice.choice([text[:place], text[:place] + text[place + 1 :]])
        try:
            ast.parse(broken)
        except SyntaxError:
            return broken
    return None


def _has_functions(tree: ast.Module, dice: random.Random) -> bool:
    del dice
    return bool(functions(tree))


_SPOILS: dict[Kind, Rewriting] = {
    Kind.CHATTY: print_much,
    Kind.ATTRIBUTE: _call_unknown,
    Kind.KEYWORD: _pass_unknown,
    Kind.IMPORT: _import_unknown,
    Kind.ONE_CASE: _be_off,
    Kind.NOTHING: _forget_return,
    Kind.UNWRITTEN: _replace_bodies("raise NotImplementedError"),
    Kind.SYNTAX: _has_functions,
    Kind.ENDLESS: _replace_bodies("while True:\n    pass"),
}
