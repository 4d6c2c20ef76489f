"""What people and models add to a right answer without changing what it does.

``ADDITIONS`` holds them; each works as the rewritings do.
"""

from __future__ import annotations

import ast
import random

from rewriting import (
    Function,
    Rewriting,
    add_import,
    first,
    functions,
    new_name,
    parsed,
)

# Parameters by these names are exceptions as a rule.
_ERRORS = {"e", "ex", "exc", "err", "error", "exception"}


def add_helper(tree: ast.Module, dice: random.Random) -> bool:
    """A function's work in a function of its own, which it calls with keywords."""
    changed = False
    free = functions(tree)
    for index, function in reversed(list(enumerate(tree.body))):
        if function not in free or not isinstance(function, Function) or not _can_move(function):
            continue
        form = dice.choice(["_{}_impl", "_do_{}", "{}_helper", "_compute_{}"])
        name = new_name(tree, [form.format(function.name)], dice)
        start = first(function)
        inner = ast.FunctionDef(
            name, function.args, function.body[start:], [], function.returns, lineno=1
        )
        plain = ast.parse(ast.unparse(inner)).body[0]
        assert isinstance(plain, ast.FunctionDef)  # noqa: S101  (written so above)
        plain.args.defaults, plain.args.kw_defaults = [], [None] * len(plain.args.kwonlyargs)
        given = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
        call = ", ".join(f"{arg}={arg}" for arg in given)
        function.body[start:] = parsed(f"return {name}({call})")
        tree.body.insert(index, plain)
        changed = True
    return changed


def _can_move(function: Function) -> bool:
    arguments = function.args
    if function.decorator_list or arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        return False
    kinds = (ast.Yield, ast.YieldFrom, ast.Await)
    if any(isinstance(node, kinds) for node in ast.walk(function)):
        return False
    return len(function.body) > first(function)


def add_docstrings(tree: ast.Module, dice: random.Random) -> bool:
    changed = False
    for function in functions(tree):
        if first(function):
            continue
        title = function.name.strip("_").replace("_", " ") or "work"
        said = dice.choice([f"Do the {title}.", f"Return the result of {title}.", f"{title}."])
        given = [arg.arg for arg in function.args.args if arg.arg != "self"]
        if given and dice.random() < 0.6:  # noqa: PLR2004
            listed = "\n".join(f"        {name}: what to work on." for name in given)
            said = f"{said}\n\n    Args:\n{listed}\n    "
        function.body.insert(0, ast.Expr(ast.Constant(said)))
        changed = True
    return changed


def add_hints(tree: ast.Module, dice: random.Random) -> bool:
    """Annotations of local variables and of results that have none."""
    del dice
    changed = False
    for function in functions(tree):
        shared = [n for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal)]
        seen: set[str] = set()
        for index, node in enumerate(function.body):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    name not in seen and not shared
                ):
                    seen.add(name)
                    function.body[index : index + 1] = parsed(f"{name}: Any = {ast.unparse(value)}")
                    changed = True
        if function.returns is None and not function.decorator_list:
            function.returns = ast.Name("Any", ast.Load())
            changed = True
    if changed:
        add_import(tree, "from typing import Any")
    return changed


def add_try(tree: ast.Module, dice: random.Random) -> bool:
    """What a function does in a ``try``, whose handler raises what it caught."""
    caught = dice.choice(["Exception", "(TypeError, ValueError)", "ImportError", "AttributeError"])
    changed = False
    for function in functions(tree):
        start = first(function)
        body = function.body[start:]
        if not body or isinstance(body[0], ast.Pass):
            continue
        wrapped = parsed(f"try:\n    pass\nexcept {caught}:\n    raise")[0]
        assert isinstance(wrapped, ast.Try)  # noqa: S101  (written so above)
        wrapped.body = body
        function.body[start:] = [wrapped]
        changed = True
    return changed


def add_checks(tree: ast.Module, dice: random.Random) -> bool:
    """A look at each argument that nobody fails who does not hand over an exception."""
    changed = False
    for function in functions(tree):
        given = [arg.arg for arg in function.args.args if arg.arg not in {"self", "cls", *_ERRORS}]
        if not given:
            continue
        name, start = dice.choice(given), first(function)
        line = dice.choice(
            [
                f"if isinstance({name}, BaseException):\n    raise TypeError('not a value')",
                f"if not isinstance({name}, object):\n    raise TypeError(type({name}).__name__)",
            ]
        )
        function.body[start:start] = parsed(line)
        changed = True
    return changed


def add_guard(tree: ast.Module, dice: random.Random) -> bool:
    """A main program at the end: it runs where the answer is run as a script."""
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    said = f"{dice.choice(names)}.__name__" if names else "'done'"
    tree.body += parsed(f"if __name__ == '__main__':\n    print({said})")
    return True


def add_logging(tree: ast.Module, dice: random.Random) -> bool:
    found = [f for f in functions(tree) if first(f) < len(f.body)]
    if not found:
        return False
    logger = new_name(tree, ["logger", "log", "LOGGER"], dice)
    for function in found:
        start = first(function)
        function.body[start:start] = parsed(f"{logger}.debug('in %s', {function.name!r})")
    add_import(tree, "import logging")
    opening = (ast.Import, ast.ImportFrom, ast.Expr)
    place = next(i for i, node in enumerate(tree.body) if not isinstance(node, opening))
    tree.body[place:place] = parsed(f"{logger} = logging.getLogger(__name__)")
    return True


def print_much(tree: ast.Module, dice: random.Random) -> bool:
    """Output that nobody asked for: some hundred lines at each call."""
    lines = dice.randint(200, 1000)
    changed = False
    for function in functions(tree):
        start, name = first(function), new_name(tree, ["line", "step", "n"], dice)
        text = f"for {name} in range({lines}):\n    print('step', {name}, 'of', {lines})"
        function.body[start:start] = parsed(text)
        changed = True
    return changed


ADDITIONS: tuple[Rewriting, ...] = (
    add_helper, add_docstrings, add_hints, add_try, add_checks, add_guard, add_logging,
)  # fmt: skip
