"""Mutants of a reference: the same program with one thing wrong, which tests should tell apart.

Tests that no mutant fails would let a candidate pass with code that is nearly, or not at all, what
was asked for. The share of mutants that tests tell apart is the mutation score.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

MOST = 12  # mutants of one program

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    code: str
    what: str  # is wrong with it, in words


@dataclass(frozen=True, slots=True)
class MutationScore:
    mutants: int
    told_apart: int
    survivors: tuple[str, ...] = ()  # what is wrong with those that pass

    @property
    def share(self) -> float | None:
        """``None`` of a program in which nothing can be made wrong."""
        return self.told_apart / self.mutants if self.mutants else None


@dataclass(frozen=True, slots=True)
class _Mutation:
    kind: str
    what: str
    at: int  # the node, in the order of ``ast.walk``
    apply: Callable[[ast.AST], ast.AST]  # to a copy of it; what stands there then


def mutants_of(code: str, most: int = MOST) -> tuple[Mutant, ...]:
    """Up to so many mutants, of every kind in turn; the same ones each time."""
    tree = ast.parse(code)
    known = {ast.unparse(tree)}
    found: list[Mutant] = []
    for mutation in _in_turn(list(_mutations(tree))):
        text = _mutated(tree, mutation)
        if text in known:
            continue
        known.add(text)
        found.append(Mutant(text, mutation.what))
        if len(found) == most:
            break
    return tuple(found)


def scored(mutants: Sequence[Mutant], passes: Sequence[bool]) -> MutationScore:
    """The score of tests, from which mutants pass them."""
    alive = tuple(one.what for one, lives in zip(mutants, passes, strict=True) if lives)
    return MutationScore(len(mutants), len(mutants) - len(alive), alive)


def _in_turn(found: Sequence[_Mutation]) -> Iterator[_Mutation]:
    """The first of each kind, then the second of each …: a limit leaves all kinds in."""
    kinds: dict[str, list[_Mutation]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(one)
    return (one for one in chain.from_iterable(zip_longest(*kinds.values())) if one is not None)


def _mutated(tree: ast.Module, mutation: _Mutation) -> str:
    fresh: ast.AST = copy.deepcopy(tree)
    target = next(node for at, node in enumerate(ast.walk(fresh)) if at == mutation.at)
    made = mutation.apply(target)
    if made is not target:
        fresh = _Replacement(target, made).visit(fresh)
    return ast.unparse(ast.fix_missing_locations(fresh))


class _Replacement(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST) -> None:
        self._target, self._made = target, made

    def visit(self, node: ast.AST) -> ast.AST:
        return self._made if node is self._target else super().generic_visit(node)


def _mutations(tree: ast.Module) -> Iterator[_Mutation]:
    left_alone = _untouched(tree)
    for at, node in enumerate(ast.walk(tree)):
        if id(node) in left_alone:
            continue
        match node:
            case ast.Constant():
                yield from _of_constant(at, node)
            case ast.Call():
                yield from _of_call(at, node)
            case ast.BinOp() | ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                yield from _of_operator(at, node)
            case ast.Expr(value=ast.Call()) as statement:
                what = f"`{_shown(statement)}` is left out"
                yield _Mutation("statement", what, at, lambda _: ast.Pass())
            case _:
                pass


def _untouched(tree: ast.Module) -> set[int]:
    """Docstrings, annotations, and parts of f-strings' formats: nothing depends on them."""
    found: set[int] = set()
    for node in ast.walk(tree):
        inner: list[ast.AST | None] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Module():
                first = node.body[0] if node.body else None
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    inner = [first]
                inner.append(getattr(node, "returns", None))
            case ast.arg():
                inner = [node.annotation]
            case ast.AnnAssign():
                inner = [node.annotation]
            case ast.FormattedValue():
                inner = [node.format_spec]
            case _:
                pass
        found.update(id(part) for one in inner if one is not None for part in ast.walk(one))
    return found


def _of_constant(at: int, node: ast.Constant) -> Iterator[_Mutation]:
    other: object
    match node.value:
        case bool(value):
            other = not value
        case int(value):
            other = value + 1
        case float(value):
            other = value * 2 + 1
        case str(value):
            other = f"{value}x"
        case bytes(value):
            other = value + b"x"
        case _:
            return
    what = f"{node.value!r} is {other!r}"
    yield _Mutation("constant", what[:200], at, lambda _: ast.Constant(other))


def _of_call(at: int, node: ast.Call) -> Iterator[_Mutation]:
    shown = _shown(node.func)
    for number, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            what = f"`{keyword.arg}` is not passed to `{shown}`"
            yield _Mutation("keyword", what, at, _without_keyword(number))
    plain = [one for one in node.args if not isinstance(one, ast.Starred)]
    if len(plain) == len(node.args) > 1:
        yield _Mutation("order", f"the first two arguments of `{shown}` are swapped", at, _swapped)
    if len(plain) == len(node.args) >= 1:
        what = f"`{shown}` is not called: its first argument stands there"
        yield _Mutation("call", what, at, _first_argument)
    elif isinstance(node.func, ast.Attribute) and not node.args:
        what = f"`.{node.func.attr}()` is not called"
        yield _Mutation("call", what, at, _receiver)


def _without_keyword(number: int) -> Callable[[ast.AST], ast.AST]:
    def apply(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Call)  # noqa: S101  (made of one)
        del node.keywords[number]
        return node

    return apply


def _swapped(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Call)  # noqa: S101  (made of one)
    node.args[:2] = node.args[1], node.args[0]
    return node


def _first_argument(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Call)  # noqa: S101  (made of one)
    return node.args[0]


def _receiver(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Call)  # noqa: S101  (made of one)
    assert isinstance(node.func, ast.Attribute)  # noqa: S101
    return node.func.value


def _of_operator(at: int, node: ast.AST) -> Iterator[_Mutation]:
    shown = _shown(node)
    match node:
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
            what = f"another operator in `{shown}`"
            yield _Mutation("operator", what, at, _with_operator)
        case ast.Compare(ops=[first, *_]) if type(first) in _COMPARISONS:
            yield _Mutation("operator", f"another comparison in `{shown}`", at, _with_comparison)
        case ast.BoolOp():
            what = f"`and` and `or` are exchanged in `{shown}`"
            yield _Mutation("operator", what, at, _with_junction)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _Mutation("operator", f"`not` is left out in `{shown}`", at, lambda _: operand)
        case _:
            pass


def _with_operator(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BinOp)  # noqa: S101  (made of one)
    node.op = _OPERATORS[type(node.op)]()
    return node


def _with_comparison(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Compare)  # noqa: S101  (made of one)
    node.ops[0] = _COMPARISONS[type(node.ops[0])]()
    return node


def _with_junction(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)  # noqa: S101  (made of one)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004
