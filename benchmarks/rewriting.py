"""Ways to write a right answer otherwise: each changes a program's text, and not what it does.

``REWRITINGS`` holds them. Each takes a parsed module, changes it in place, and says whether
it found anything to change. What they write runs on Python 3.7 and later.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Rewriting = Callable[[ast.Module, random.Random], bool]
Function = ast.FunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# Where these are called, the names of local variables are part of what a function does.
_REFLECTION = {"locals", "vars", "eval", "exec", "globals", "dir"}
_NAMES = "output result values data current computed final item total answer".split()


def functions(tree: ast.Module) -> list[Function]:
    """The functions of a module and the methods of its classes, but for what looks at itself."""
    found = []
    for node in tree.body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        found += [member for member in members if isinstance(member, Function)]
    return [function for function in found if not _reflects(function)]


def _reflects(function: Function) -> bool:
    return any(isinstance(n, ast.Name) and n.id in _REFLECTION for n in ast.walk(function))


def names_in(node: ast.AST) -> set[str]:
    """Every name that a part of a program could mean, whatever it uses it for."""
    found: set[str] = set()
    for child in ast.walk(node):
        match child:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.alias():
                found.add(child.asname or child.name.split(".")[0])
    return found


def new_name(tree: ast.AST, wanted: Sequence[str], dice: random.Random) -> str:
    taken = names_in(tree)
    name = base = dice.choice(list(wanted))
    number = 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def parsed(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def first(function: Function) -> int:
    """Where a function's statements begin, behind its docstring."""
    return 1 if ast.get_docstring(function, clean=False) is not None else 0


def add_import(tree: ast.Module, line: str) -> None:
    """One more import, behind those that open the module."""
    if any(ast.unparse(node) == line for node in tree.body):
        return
    place = 0
    for index, node in enumerate(tree.body):
        prose = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (prose or isinstance(node, ast.Import | ast.ImportFrom)):
            break
        place = index + 1
    tree.body[place:place] = parsed(line)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function that are not in a scope of another."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


class _Rename(ast.NodeTransformer):
    def __init__(self, new: Mapping[str, str]) -> None:
        self._new = new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._new.get(node.id, node.id)
        return node


def rename_locals(tree: ast.Module, dice: random.Random) -> bool:
    """Local variables by other names; parameters keep theirs, for callers may use them."""
    changed = False
    for function in functions(tree):
        own = {
            node.id
            for node in _own_nodes(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(function):
            match node:
                case ast.arg(arg=name) | ast.FunctionDef(name=name):
                    own.discard(name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    own.difference_update(names)
                case ast.ExceptHandler(name=str(name)):
                    own.discard(name)
                case ast.alias():
                    own.discard(node.asname or node.name.split(".")[0])
                case ast.ClassDef():
                    own -= names_in(node)
        for name in sorted(own):
            new = new_name(tree, [*_NAMES, f"{name}_value", f"the_{name.strip('_')}"], dice)
            _Rename({name: new}).visit(function)
            changed = True
    return changed


@dataclass(slots=True)
class _Blocks:
    """Rewrites lists of statements, wherever they stand in a tree."""

    rewrite: Callable[[list[ast.stmt]], list[ast.stmt] | None]
    changed: bool = False

    def visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                new = self.rewrite(block)
                if new is not None:
                    setattr(node, field, new)
                    self.changed = True


def _each(function: Function, rewrite: Callable[[ast.stmt], list[ast.stmt] | None]) -> bool:
    """Rewrite statements one by one; ``None`` leaves one as it is."""

    def block(statements: list[ast.stmt]) -> list[ast.stmt] | None:
        found = [rewrite(statement) for statement in statements]
        if all(new is None for new in found):
            return None
        pairs = zip(statements, found, strict=True)
        return [node for old, new in pairs for node in ([old] if new is None else new)]

    blocks = _Blocks(block)
    blocks.visit(function)
    return blocks.changed


def name_results(tree: ast.Module, dice: random.Random) -> bool:
    """``return f(x)`` in two statements."""
    changed = False
    for function in functions(tree):
        name = new_name(tree, _NAMES, dice)

        def rewrite(node: ast.stmt, name: str = name) -> list[ast.stmt] | None:
            if isinstance(node, ast.Return) and not isinstance(
                node.value, ast.Name | ast.Constant | None
            ):
                return parsed(f"{name} = {ast.unparse(node.value)}\nreturn {name}")
            return None

        if not any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(function)):
            changed |= _each(function, rewrite)
    return changed


def return_early(tree: ast.Module, dice: random.Random) -> bool:
    """No ``else`` behind a ``return``; a choice between two values as two returns."""
    del dice

    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and node.orelse and isinstance(node.body[-1], ast.Return):
            rest, node.orelse = node.orelse, []
            return [node, *rest]
        if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
            test, body, other = map(
                ast.unparse, (node.value.test, node.value.body, node.value.orelse)
            )
            return parsed(f"if {test}:\n    return {body}\nreturn {other}")
        return None

    changed = [_each(function, rewrite) for function in functions(tree)]
    return any(changed)


def loops_for_comprehensions(tree: ast.Module, dice: random.Random) -> bool:
    """A list comprehension that is assigned or returned, as a loop."""
    changed = False
    for function in functions(tree):

        def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
            if not isinstance(node, ast.Assign | ast.Return):
                return None
            made = node.value
            if not isinstance(made, ast.ListComp) or len(made.generators) != 1:
                return None
            loop = made.generators[0]
            if loop.is_async or any(isinstance(child, _SCOPES) for child in ast.walk(made)):
                return None
            bound = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
            # The first iterable is outside the comprehension's scope, all the rest is inside.
            inner = {name: new_name(tree, [f"one_{name}"], dice) for name in bound}
            for part in (loop.target, made.elt, *loop.ifs):
                _Rename(inner).visit(part)
            items = new_name(tree, ["items", "found", "collected"], dice)
            tests = "".join(f" if {ast.unparse(test)}:" for test in loop.ifs[:1])
            if len(loop.ifs) > 1:
                tests = f" if {' and '.join(f'({ast.unparse(test)})' for test in loop.ifs)}:"
            target, iterable = ast.unparse(loop.target), ast.unparse(loop.iter)
            space = "        " if tests else "    "
            lines = [f"{items} = []", f"for {target} in {iterable}:"]
            lines += [f"   {tests}"] if tests else []
            lines.append(f"{space}{items}.append({ast.unparse(made.elt)})")
            node.value = ast.Name(items, ast.Load())
            return [*parsed("\n".join(lines)), node]

        changed |= _each(function, rewrite)
    return changed


def comprehensions_for_loops(tree: ast.Module, dice: random.Random) -> bool:
    """A loop that only appends to a new list, as a comprehension."""
    del dice
    changed = False
    for function in functions(tree):

        def rewrite(block: list[ast.stmt], function: Function = function) -> list[ast.stmt] | None:
            for index, (start, loop) in enumerate(itertools.pairwise(block)):
                made = _collected(start, loop)
                if made is None or not isinstance(loop, ast.For):
                    continue
                bound = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
                inside = sum(n.id in bound for n in ast.walk(loop) if isinstance(n, ast.Name))
                every = sum(n.id in bound for n in ast.walk(function) if isinstance(n, ast.Name))
                if inside == every:  # nobody looks at the loop's variable afterwards
                    return [*block[:index], *parsed(made), *block[index + 2 :]]
            return None

        blocks = _Blocks(rewrite)
        blocks.visit(function)
        changed |= blocks.changed
    return changed


def _collected(start: ast.stmt, loop: ast.stmt) -> str | None:
    match start, loop:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
            ast.For(
                target=target,
                iter=iterable,
                body=[
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=again), attr="append"),
                            args=[element],
                            keywords=[],
                        )
                    )
                ],
                orelse=[],
            ),
        ) if name == again and name not in names_in(iterable) | names_in(element):
            parts = map(ast.unparse, (element, target, iterable))
            return "{} = [{} for {} in {}]".format(name, *parts)
    return None


def count_in_loops(tree: ast.Module, dice: random.Random) -> bool:
    """Loops over ``enumerate``, or over what ``itertools`` makes of the same."""
    chain, changed = dice.random() < 0.5, False  # noqa: PLR2004
    for function in functions(tree):
        for loop in [node for node in ast.walk(function) if isinstance(node, ast.For)]:
            changed = True
            if chain:
                loop.iter = ast.Call(
                    ast.parse("itertools.chain", mode="eval").body, [loop.iter], []
                )
                continue
            counter = ast.Name(new_name(tree, ["index", "position", "i"], dice), ast.Store())
            loop.target = ast.Tuple([counter, loop.target], ast.Store())
            loop.iter = ast.Call(ast.Name("enumerate", ast.Load()), [loop.iter], [])
    if changed and chain:
        add_import(tree, "import itertools")
    return changed


def import_inside(tree: ast.Module, dice: random.Random) -> bool:
    """Modules imported in the function that uses them, in another way than at the top.

    The imports at the top stay: tests may use what they bind.
    """
    changed = False
    for function in functions(tree):
        bound = {
            n.id
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        }
        bound |= {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
        bound |= {n for node in function.body for n in _imported(node)}
        for name, line, expression in list(_ways(tree, dice)):
            body = ast.Module(function.body, [])
            uses = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(body))
            if name in bound or not uses or any(isinstance(n, _SCOPES) for n in ast.walk(body)):
                continue
            _Replace(name, expression).visit(body)
            function.body.insert(first(function), *parsed(line))
            changed = True
    return changed


def _imported(node: ast.AST) -> list[str]:
    return [
        alias.asname or alias.name.split(".")[0]
        for child in ast.walk(node)
        if isinstance(child, ast.Import | ast.ImportFrom)
        for alias in child.names
    ]


def _ways(tree: ast.Module, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """What the top imports, another import of the same, and how that one is written."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                parent, _, last = alias.name.rpartition(".")
                if parent and alias.asname is None:
                    continue  # it binds the first part of the name, and the rest follows
                own = new_name(tree, [last, f"{last}_module"], dice)
                line = (
                    f"from {parent} import {last} as {own}" if parent else f"import {last} as {own}"
                )
                yield alias.asname or alias.name, line, own
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name == "*" or node.module == "__future__":
                    continue
                last = node.module.rpartition(".")[2]
                own = new_name(tree, [f"{last}_module", f"_{last}"], dice)
                line = f"import {node.module} as {own}"
                yield alias.asname or alias.name, line, f"{own}.{alias.name}"


class _Replace(ast.NodeTransformer):
    """A name by an expression, where it is read."""

    def __init__(self, name: str, expression: str) -> None:
        self._name = name
        self._expression = expression

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self._name:
            return node
        return ast.parse(self._expression, mode="eval").body


def _calls(function: Function) -> Iterator[ast.Call]:
    """Library calls with keywords whose values have no effects, and so no order."""
    inner = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    own = list(_own_nodes(function))
    hidden = {id(n) for node in own if isinstance(node, inner) for n in ast.walk(node)}
    for node in own:
        if id(node) in hidden:
            continue  # its values may be those of the comprehension
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            continue
        values = [keyword.value for keyword in node.keywords]
        named = all(keyword.arg for keyword in node.keywords)
        if values and named and all(isinstance(v, ast.Name | ast.Constant) for v in values):
            yield node


def spread_keywords(tree: ast.Module, dice: random.Random) -> bool:
    """Keywords by way of a dictionary."""
    changed = False
    for function in functions(tree):
        for index, statement in enumerate(function.body):
            call = next((c for c in _calls(function) if c in set(ast.walk(statement))), None)
            if call is None or not isinstance(statement, ast.Assign | ast.Return | ast.Expr):
                continue
            name = new_name(tree, ["options", "kwargs", "params", "settings"], dice)
            pairs = ", ".join(f"{k.arg!r}: {ast.unparse(k.value)}" for k in call.keywords)
            call.keywords = [ast.keyword(None, ast.Name(name, ast.Load()))]
            function.body[index:index] = parsed(f"{name} = {{{pairs}}}")
            changed = True
            break
    return changed


def call_partially(tree: ast.Module, dice: random.Random) -> bool:
    """A call with keywords through ``functools.partial``."""
    del dice
    changed = False
    for function in functions(tree):
        for call in list(_calls(function)):
            func = ast.parse("functools.partial", mode="eval").body
            call.func, call.keywords = ast.Call(func, [call.func], call.keywords), []
            changed = True
    if changed:
        add_import(tree, "import functools")
    return changed


REWRITINGS: tuple[Rewriting, ...] = (
    rename_locals, name_results, return_early, loops_for_comprehensions, comprehensions_for_loops,
    count_in_loops, import_inside, spread_keywords, call_partially,
)  # fmt: skip
