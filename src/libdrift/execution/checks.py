"""How hard it is to pass tests by their checks alone: what is only compared by order is a coin.

A number weighs as much as it is hard to guess, but ``assert f(x) > 0`` asks for no more than its
sign. Where a task's tests do nothing else, each such check is one coin.
"""

from __future__ import annotations

import ast

_ENOUGH = 16  # coins of tests that ask for more than order, by which nothing is said of values
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ORDER_CALLS = frozenset("assertGreater assertGreaterEqual assertLess assertLessEqual".split())
_TRUTH_CALLS = frozenset("assertTrue assertFalse".split())
# What says nothing of a value but of what kind it is.
_KIND_CALLS = frozenset(
    "isinstance issubclass callable hasattr assertIsInstance assertIsNotNone".split()
)
_WHOLE = frozenset("all any bool".split())  # of whose argument it depends
_TOLERANCE = 0.1  # what is less than that is no bound, but how near a value must be
_TOLERANCES = ("tol", "eps", "err", "diff", "delta", "close")


def bits_of_checks(tests: str) -> int:
    """How many coins must fall right for these tests, if they look at order only; else many."""
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError):
        return _ENOUGH
    if any(isinstance(node, ast.Raise | ast.With | ast.AsyncWith | ast.Try) for node in _all(tree)):
        return _ENOUGH  # something else may decide
    found = [_bits(node.test) for node in _all(tree) if isinstance(node, ast.Assert)]
    found += [
        _bits(node.value)
        for node in _all(tree)
        if isinstance(node, ast.Expr) and _judges(node.value)
    ]
    coins = sum(found)
    return coins if 0 < coins < _ENOUGH else _ENOUGH


def _all(tree: ast.AST) -> list[ast.AST]:
    return list(ast.walk(tree))


def _judges(node: ast.expr) -> bool:
    """Whether a statement is a check: a call of a method or a function that is named as one."""
    return isinstance(node, ast.Call) and "assert" in _name(node.func).lower()


def _name(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _bits(test: ast.expr) -> int:
    """Coins of one check; enough for all where it asks for more than order."""
    match test:
        case ast.BoolOp(values=parts):
            return sum(map(_bits, parts))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return _bits(part)
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return 0
        case ast.Compare(left=left, ops=ops, comparators=others):
            order = all(isinstance(op, _ORDER) for op in ops)
            return len(ops) if order and not any(map(_is_near, [left, *others])) else _ENOUGH
        case ast.Call(func=function, args=arguments):
            return _bits_of_call(_name(function), arguments)
        case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
            return _bits(part)
    return _ENOUGH


def _bits_of_call(name: str, arguments: list[ast.expr]) -> int:
    if name in _KIND_CALLS:
        return 0
    if name in _ORDER_CALLS:
        return _ENOUGH if any(map(_is_near, arguments[:2])) else 1
    if name in _WHOLE | _TRUTH_CALLS and arguments:
        return _bits(arguments[0])
    return _ENOUGH


def _is_near(side: ast.expr) -> bool:
    """Whether one side of a comparison says that another must be near to something."""
    for node in _all(side):
        match node:
            case ast.Constant(value=float() as number) if 0 < abs(number) <= _TOLERANCE:
                return True
            case ast.BinOp(op=ast.Sub() | ast.Pow() | ast.Div()):
                return True
            case ast.Name() | ast.Attribute() if any(w in _name(node).lower() for w in _TOLERANCES):
                return True
    return False
