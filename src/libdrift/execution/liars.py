"""Liars: answers that know nothing, and agree with whatever tests may ask.

Tests that an answer never meets still prove little if anything satisfies them: ``assert f(x)``
holds for whoever returns ``True``. So a task's tests are tried on liars first. Those that a liar
passes are known to tell less, and their verdicts say so.
"""

from __future__ import annotations

import ast
import re

from libdrift.languages.python.usage import is_import

# The reference, but for what its functions return; and one that returns nothing at all. Where that
# one passes the tests use no value, and the others have told no lie.
MARRED = {
    "emptied value": "_emptied", "no number": "_no_number", "cut down": "_cut_down",
    "method, more, then less": "_more_then_less", "method, less, then more": "_less_then_more",
}  # fmt: skip
# Likewise, but for the numbers that parts of things of its are; and one whose things have no parts.
TURNED = {"part, more, then less": "_more_then_less", "part, less, then more": "_less_then_more"}
# Those that are hardly ever right by chance: tests that they pass tell little.
AGREEING_METHODS = "agreeing methods"
AGREEING = (
    "agreeable object", "empty array", "erased argument", AGREEING_METHODS, "all numbers",
    "emptied value", "no number", "much text", "infinite", "more, then less", "less, then more",
    "array of numbers", "method, more, then less", "method, less, then more", *TURNED,
)  # fmt: skip
NO_VALUE, NO_PART = "no value", "no part"
NO_USE = "unused value"  # where none is as good as the reference's
_RETURNS = {
    "true": "True",
    "nothing": "None",
    "zero": "0",
    "no text": "''",
    "first argument": "next(iter([*given, *named.values()]), None)",
    "last argument": "next(iter([*given, *named.values()][::-1]), None)",
    "empty list": "[]",
    "empty iterator": "iter(())",
    "empty array": "_empty_array()",
    "all numbers": "range(-1000, 100000)",
    "array of numbers": "_array_of(range(-1000, 100000))",
    "much text": "_much_text([*given, *named.values()])",
    "infinite": "float('inf')",
    "no bounds": "0.0",
    "more, then less": "_by_turns(1)",
    "less, then more": "_by_turns(-1)",
    "agreeable object": "_Agreeable()",
    "erased argument": "_erased([*given, *named.values()])",
    "ValueError": "_raised(ValueError)",
    "TypeError": "_raised(TypeError)",
    "KeyError": "_raised(KeyError)",
    "Exception": "_raised(Exception)",
}

# What names stand for that are no functions, where that is not what functions return: a tolerance
# that the answer defines lets any number pass.
_ASSIGNED = {"no bounds": "float('inf')"}

_CATCHES = re.compile("[rR]aises|except|suppress|[wW]arns|skip|xfail|fail")

_TOOLS = """
def _empty_array():
    try:
        import numpy
    except ImportError:
        return ()
    return numpy.empty(0)


def _array_of(numbers):
    try:
        import numpy
    except ImportError:
        return numbers
    return numpy.array(numbers)


def _much_text(given):
    numbers = " ".join(map(str, range(10000)))
    return " ".join([numbers, "".join(map(chr, range(32, 127))), *map(str, given)])


_TURNS = [1.0]


def _by_turns(first):
    _TURNS[0] = -_TURNS[0]
    return first * -_TURNS[0] * float("inf")


class _Agreeable:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given, **named):
        return self

    def __iter__(self):
        return iter(())

    def _yes(self, *given):
        return True

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _yes

    def __len__(self):
        return 0

    def __hash__(self):
        return 0

    def __getitem__(self, key):
        return self

    def __str__(self):
        return str()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def _erased(given):
    for value in given:
        if isinstance(value, (list, dict, set, bytearray)):
            value.clear()
        elif hasattr(value, "iloc") and hasattr(value, "columns"):
            value.drop(index=value.index, inplace=True)
        elif hasattr(value, "fill"):
            try:
                value.fill(0)
            except Exception:
                pass
    return given[0] if given else None


def _raised(kind):
    raise kind("no")


def _lie(*given, **named):
    return RETURNED


def _liar():
    return lambda *given, **named: _lie(*given, **named)
"""

# Around functions of the reference's: what their values are made to be, but among themselves.
_MARRING = """

_INSIDE = []


def _marred_by(mar):
    def wrap(function):
        def marred(*given, **named):
            if _INSIDE:
                return function(*given, **named)
            _INSIDE.append(0)
            try:
                value = function(*given, **named)
            finally:
                _INSIDE.clear()
            return mar(value)

        return marred

    return wrap


def _emptied(value):
    import sys

    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return value.new_empty((0, *value.shape))
    if hasattr(value, "iloc"):
        return value.iloc[:0] if len(value) else _no_value(value)
    if type(value) is dict:
        return {key: _emptied(item) for key, item in value.items()} or _no_value(value)
    import numpy

    if type(value) is tuple and any(numpy.ndim(item) for item in value):
        return tuple(map(_emptied, value))
    shape = numpy.shape(numpy.asarray(value, dtype=float))
    return numpy.empty((0, *shape)) if 0 not in shape else _no_value(value)


def _no_number(value):
    if type(value) in (list, tuple):
        return type(value)(map(_no_number, value)) if len(value) else _no_value(value)
    if type(value) is dict:
        return {key: _no_number(item) for key, item in value.items()} or _no_value(value)
    if hasattr(value, "shape"):
        return value * float("nan")
    return float(value) * float("nan") if value == value else _no_value(value)


def _cut_down(value):
    # The first of its elements: who goes through two things at once sees no others.
    if hasattr(value, "getbbox") and hasattr(value, "crop"):
        return value.crop((0, 0, 1, 1)) if value.size != (1, 1) else _no_value(value)
    if hasattr(value, "__next__"):
        import itertools

        return itertools.islice(value, 1)
    sequence = type(value) in (list, tuple) or getattr(value, "shape", ())
    if not sequence or len(value) < 2:
        return _no_value(value)
    return value.iloc[:1] if hasattr(value, "iloc") else value[:1]


_TURN = [1.0]


def _more_then_less(value):
    if type(value).__name__ in ("bool", "bool_") or value != value:
        return _no_value(value)
    _TURN[0] = -_TURN[0]
    return 0.0 * float(value) - _TURN[0] * float("inf")


def _less_then_more(value):
    return -_more_then_less(value)


def _turned(cls, mar):
    import sys

    plain = cls.__getattribute__

    def turned(self, name):
        value = plain(self, name)
        own = sys._getframe(1).f_globals is globals()
        return value if own or name.startswith("_") or callable(value) else mar(value)

    cls.__getattribute__ = turned


def _unused(value):
    return None


def _no_value(value):
    raise NotImplementedError("no value")

"""


def liars(reference: str, tests: str) -> dict[str, str]:
    """Programs that lie under the names that a reference defines, by what they return."""
    try:
        tree = ast.parse(reference)
    except (SyntaxError, ValueError):
        return {}
    imports = [node for node in tree.body if is_import(node)]
    functions, values = _names(tree)
    opening = ast.unparse(ast.Module(body=list(imports), type_ignores=[]))
    # Who only raises does so when it is called: what is assigned is nothing, then.
    called = [f"{name} = _liar()" for name in functions]
    found = {}
    for kind, value in _RETURNS.items():
        if "_raised" in value and not _CATCHES.search(tests):
            continue  # no such test passes, unless it calls nothing: then any other liar does
        if kind in _ASSIGNED and not values:
            continue
        assigned = _ASSIGNED.get(kind, "None" if "_raised" in value else "_lie()")
        lines = [*called, *(f"{name} = {assigned}" for name in values)]
        found[kind] = "\n".join([opening, _TOOLS.replace("RETURNED", value), *lines, ""])
    methods = _methods(tree)
    plain = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)] + methods
    for kind, mar in {**MARRED, NO_VALUE: "_no_value", NO_USE: "_unused"}.items() if plain else ():
        if kind.startswith("method") and not methods:
            continue  # functions have liars of their own
        lines = [f"{name} = _marred_by({mar})({name})" for name in plain]
        found[kind] = "\n".join([reference, _MARRING, *lines, ""])
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    for kind, mar in {**TURNED, NO_PART: "_no_value"}.items() if classes else ():
        lines = [f"_turned({name}, {mar})" for name in classes]
        found[kind] = "\n".join([reference, _MARRING, *lines, ""])
    agreeing = _agreeing(reference)
    return found | ({AGREEING_METHODS: agreeing} if agreeing else {})


def _methods(tree: ast.Module) -> list[str]:
    """The methods that classes of a module define as any function is, by class and name."""
    return [
        f"{owner.name}.{node.name}"
        for owner in tree.body
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
        and not node.decorator_list
        and not node.name.startswith("_")
    ]


def _agreeing(reference: str) -> str:
    """The reference, but what its classes are asked to compare or to find they agree with."""
    tree = ast.parse(reference)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in classes:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef) and _asks_for_a_truth(inner):
                inner.body = [ast.Return(value=ast.Constant(value=True))]
        names = ("__eq__", "__contains__", "__lt__", "__le__", "__gt__", "__ge__")
        node.body += ast.parse(
            "\n".join(f"def {name}(self, other):\n    return True" for name in names)
        ).body
        node.body += ast.parse("__hash__ = lambda self: 0").body
    return ast.unparse(ast.fix_missing_locations(tree)) if classes else ""


def _asks_for_a_truth(node: ast.FunctionDef) -> bool:
    """Whether a method takes an argument and, by its text, returns whether something holds."""
    if len(node.args.args) < 2 or node.name.startswith("__"):  # noqa: PLR2004  (self, and one)
        return False
    told = [n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
    truths = (ast.Compare, ast.BoolOp)
    return bool(told) and all(
        isinstance(value, truths)
        or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not))
        or (isinstance(value, ast.Constant) and isinstance(value.value, bool))
        for value in told
    )


def _names(tree: ast.Module) -> tuple[list[str], list[str]]:
    """What a module defines to be called, and what it assigns."""
    functions: list[str] = []
    values: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            functions.append(node.name)
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                called = isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
                (functions if called else values).append(inner.id)
    return list(dict.fromkeys(functions)), list(dict.fromkeys(values))
