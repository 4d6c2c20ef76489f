"""How hard it is to pass tests by their checks alone: they may look at little of a value.

A value weighs as much as it is hard to guess, but ``assert f(x) > 0`` asks for no more than its
sign, and ``len(f(x)) == 3`` for no more than its length. Where a task's tests do nothing else, each
such check weighs what it asks for.
"""

from __future__ import annotations

import ast

_ENOUGH = 16  # coins of checks by whose text nothing is known of what they ask for
_FEW, _NUMBER, _WORD = 3, 8, 5  # coins of a small number, of another, and of a short word
_SMALL = range(-1, 17)
_LONG_WORD, _LONG = 12, 7  # characters: of a word that may be one of a few; of a text that weighs
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ORDER_CALLS = frozenset("assertGreater assertGreaterEqual assertLess assertLessEqual".split())
_TRUTH_CALLS = frozenset("assertTrue assertFalse bool".split())
# What says nothing of a value but of what kind it is.
_KIND_CALLS = frozenset(
    "isinstance issubclass callable hasattr assertIsInstance assertIsNotNone assertIsNone".split()
)
_WHOLE = frozenset("all any".split())  # of whose argument it depends, or of what they are asked of
_SAME = ("close", "equal", "Equal", "assertIs", "same", "eq")
_ERRORS = ("raises", "warns", "assertRaises", "assertWarns", "deprecated_call")
_SEEKING = frozenset("assertIn assertRegex search findall finditer find index count".split())
_TOLERANCE = 0.1  # what is less than that is no bound, but how near a value must be
_TOLERANCES = ("tol", "eps", "err", "diff", "delta", "close")


def bits_of_checks(tests: str) -> int:
    """How many coins must fall right for these tests, by what they ask for; many if unknown."""
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError):
        return _ENOUGH
    coins = _Checks(tree).bits()
    return coins if 0 < coins < _ENOUGH else _ENOUGH


def rests_on_numbers(tests: str) -> bool:
    """Whether tests ask for little but that numbers are found in texts or among others.

    Who gives all numbers gives those too.
    """
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError):
        return False
    return bool(numbers_sought(tree)) and _Checks(tree, anything_is_said=True).bits() < _ENOUGH


def numbers_sought(tree: ast.AST) -> list[ast.expr]:
    """The numbers, and texts with numbers in them, that tests look for in what an answer gives."""
    return [text for node in ast.walk(tree) for text in _sought(node) if _has_digit(text)]


def _sought(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[other]):
            return [] if isinstance(other, ast.List | ast.Tuple | ast.Set | ast.Dict) else [left]
        case ast.Call(func=function, args=arguments) if _name(function) == "any":
            match arguments[0] if arguments else getattr(function, "value", None):
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[other]):
                    return [left, other]
            return []
        case ast.Call(func=function, args=[text, *_]) if _name(function) in _SEEKING:
            return [text]
        case ast.Call(func=function, args=[_, text, *_]) if _name(function).endswith("Regex"):
            return [text]
        case ast.Call(func=function, keywords=words) if _name(function).startswith(_ERRORS):
            return [word.value for word in words if word.arg == "match"]
    return []


class _Checks:
    """The checks of tests, which may be about what was given a name before."""

    def __init__(self, tree: ast.AST, *, anything_is_said: bool = False) -> None:
        self._tree = tree
        sought = numbers_sought(tree) if anything_is_said else []
        self._said = {id(text) for text in sought}  # what weighs nothing
        self._busy: set[str] = set()  # names that are looked at
        self._named: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._named.setdefault(target.id, []).append(node.value)

    def bits(self) -> int:
        if any(isinstance(node, ast.Raise) for node in ast.walk(self._tree)):
            return _ENOUGH  # something else may decide
        return sum(map(self._bits_of_statement, ast.walk(self._tree)))

    def _bits_of_statement(self, node: ast.AST) -> int:
        match node:
            case ast.Assert(test=test):
                return self._bits(test)
            case ast.Expr(value=ast.Call(func=function, args=arguments)):
                name = _name(function)
                checks = "assert" in name.lower()
                return self._bits_of_call(name, function, arguments) if checks else 0
            case ast.With(items=items) | ast.AsyncWith(items=items):
                return sum(self._bits_of_error(item.context_expr) for item in items)
        return 0

    def _bits(self, test: ast.expr, *, wanted: bool = True) -> int:
        """Coins of one check: enough for all where nothing is known of what it asks for."""
        if any(id(text) in self._said for text in _sought(test)):
            return 0
        match test:
            case ast.BoolOp(op=ast.And(), values=parts):
                return sum(self._bits(part, wanted=wanted) for part in parts)
            case ast.BoolOp(values=parts):
                return min(self._bits(part, wanted=wanted) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return min(self._bits(part, wanted=not wanted), 1 if wanted else _ENOUGH)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._bits_of_comparison(left, ops, others)
            case ast.Call(func=function, args=arguments):
                return self._bits_of_call(_name(function), function, arguments)
            case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
                return self._bits(part)
            case ast.Name(id=name) if name in self._named and name not in self._busy:
                self._busy.add(name)
                known = self._named[name]
                most = max(self._bits(value) if _is_check(value) else 1 for value in known)
                self._busy.discard(name)
                return most
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return 1  # it is true, or there is something in it
        return _ENOUGH

    def _bits_of_comparison(
        self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]
    ) -> int:
        sides = [left, *others]
        if all(isinstance(op, _ORDER) for op in ops):
            return _ENOUGH if any(map(_is_near, sides)) else len(ops)
        match ops:
            case [ast.IsNot()] if _is_nothing(others[0]):
                return 0
            case [ast.NotEq() | ast.IsNot() | ast.NotIn()]:
                return 1
            case [ast.In()]:
                sought = self._literal(left)
                return sought if sought is not None and _is_text(left) else 1
            case [ast.Eq() | ast.Is()]:
                return self._least(sides)
        return _ENOUGH

    def _bits_of_call(self, name: str, function: ast.expr, arguments: list[ast.expr]) -> int:
        if name in _KIND_CALLS:
            return 0
        if name in _ORDER_CALLS:
            return _ENOUGH if any(map(_is_near, arguments[:2])) else 1
        if name in _TRUTH_CALLS and arguments:
            return self._bits(arguments[0], wanted=name != "assertFalse")
        if name in _WHOLE:
            # `all(x > 0 for x in f())`, and `(f() == [1, 2]).all()`.
            whole = arguments[0] if arguments else getattr(function, "value", None)
            return self._bits(whole) if whole is not None and _is_check(whole) else 1
        if any(word in name for word in _SAME):
            return self._least([*arguments[:2], getattr(function, "value", function)])
        if name.startswith(_ERRORS):
            return 0
        return _ENOUGH if "assert" in name.lower() else 1

    def _bits_of_error(self, expression: ast.expr) -> int:
        """Of what an error must say; which kind it must be of a problem tells."""
        if not isinstance(expression, ast.Call) or not _name(expression.func).startswith(_ERRORS):
            return 0
        said = [text for text in _sought(expression) if id(text) not in self._said]
        found = [self._literal(text) for text in said]
        return sum(_ENOUGH if bits is None else bits for bits in found)

    def _least(self, sides: list[ast.expr]) -> int:
        """What the side weighs that is written out: they are to be the same."""
        found = [bits for bits in map(self._literal, sides) if bits is not None]
        return min(found, default=_ENOUGH)

    def _literal(self, side: ast.expr) -> int | None:
        """How many coins choose what is written here; none if it is not written out."""
        if isinstance(side, ast.Name) and len(known := self._named.get(side.id, [])) == 1:
            side = known[0]
        if isinstance(side, ast.Call) and _name(side.func) in {"approx", "array"} and side.args:
            side = side.args[0]
        try:
            return _bits_of_value(ast.literal_eval(side))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return None


def _bits_of_value(value: object) -> int:
    """As a guest weighs values that come from an answer."""
    match value:
        case None:
            return 0
        case bool():
            return 1
        case int() | float():
            return _FEW if value in _SMALL else _NUMBER
        case str() if value.isidentifier() and len(value) <= _LONG_WORD:
            return min(2 + 2 * len(value), _WORD)
        case str() | bytes():
            return 2 + 2 * min(len(value), _LONG)
        case list() | tuple() | set():
            return 2 + sum(map(_bits_of_value, value))
        case dict():
            return 2 + sum(map(_bits_of_value, value.values()))
    return _NUMBER


def _is_check(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        name = _name(node.func)
        return name in _KIND_CALLS | _WHOLE or any(word in name for word in _SAME)
    return isinstance(
        node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.GeneratorExp | ast.ListComp
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _has_digit(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str | int | float)
        and any(map(str.isdigit, str(node.value)))
    )


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _is_near(side: ast.expr) -> bool:
    """Whether one side of a comparison says that another must be near to something."""
    for node in ast.walk(side):
        match node:
            case ast.Constant(value=float() as number) if 0 < abs(number) <= _TOLERANCE:
                return True
            case ast.BinOp(op=ast.Sub() | ast.Pow() | ast.Div()):
                return True
            case ast.Name() | ast.Attribute() if any(w in _name(node).lower() for w in _TOLERANCES):
                return True
    return False
