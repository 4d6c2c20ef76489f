"""Code for Python 2 from code for Python 3: its syntax, its builtins, and what it prints."""

from __future__ import annotations

import ast
import builtins
from functools import cache
from importlib import resources

from libdrift.advisor.solving.reading import parsed, unbound

_FUTURE = "from __future__ import division, print_function\n"
# Exceptions that came with Python 3, each with what Python 2 has for it. All of the system's are
# kinds of two there, which have one base.
_OLDER_ERRORS = {
    "ModuleNotFoundError": "ImportError",
    "RecursionError": "RuntimeError",
    "StopAsyncIteration": "Exception",
    "TimeoutError": "EnvironmentError",
}


@cache
def _prelude() -> str:
    return resources.files(__package__).joinpath("old_python.txt").read_text(encoding="utf-8")


def for_python_2(code: str) -> str:
    """The same program in both Pythons' syntax, as far as that can be; else the code as it is."""
    tree = parsed(code)
    if tree is None:
        return code
    made = _Plain(_older_errors(tree)).visit(tree)
    for node in made.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            node.decorator_list.insert(0, ast.Name("_shows", ast.Load()))
    body = ast.unparse(ast.fix_missing_locations(made))
    return f"{_FUTURE}{_prelude()}{body}\n"


def _older_errors(tree: ast.Module) -> dict[str, str]:
    """Exceptions that came with Python 3, each with the nearest that it is a kind of."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    bound = names - {*unbound(tree), *dir(builtins)}
    found = {name: older for name, older in _OLDER_ERRORS.items() if name in names - bound}
    for name in sorted(names - bound):
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, OSError):
            found[name] = "EnvironmentError"
    return found


class _Plain(ast.NodeTransformer):
    def __init__(self, errors: dict[str, str]) -> None:
        self._errors = errors

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._errors.get(node.id, node.id)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """Python 2's own dictionaries do not keep their order."""
        self.generic_visit(node)
        keys = [key for key in node.keys if key is not None]
        if len(keys) != len(node.keys):
            return node
        items: list[ast.expr] = [
            ast.Tuple([key, value], ast.Load())
            for key, value in zip(keys, node.values, strict=True)
        ]
        return _ordered(ast.List(items, ast.Load()) if items else None)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        return _ordered(
            ast.ListComp(ast.Tuple([node.key, node.value], ast.Load()), node.generators)
        )

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        template, values = "", list[ast.expr]()
        for part in node.values:
            if isinstance(part, ast.Constant):
                template += str(part.value).replace("{", "{{").replace("}", "}}")
            elif isinstance(part, ast.FormattedValue):
                template += _field(part)
                value = self.visit(part.value)
                values.append(ast.Call(ast.Name("_shown", ast.Load()), [value], []))
        made = ast.Attribute(ast.Constant(template), "format", ast.Load())
        return ast.Call(made, values, [])


def _ordered(items: ast.expr | None) -> ast.Call:
    return ast.Call(ast.Name("_Dict", ast.Load()), [items] if items is not None else [], [])


def _field(part: ast.FormattedValue) -> str:
    convert = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
    spec = ""
    if isinstance(part.format_spec, ast.JoinedStr):
        spec = "".join(
            str(one.value) for one in part.format_spec.values if isinstance(one, ast.Constant)
        )
    return "{" + convert + (f":{spec}" if spec else "") + "}"
