"""Code for Python 2 from code for Python 3: without annotations and f-strings."""

from __future__ import annotations

import ast

from libdrift.advisor.solving.reading import parsed

_FUTURE = "from __future__ import division, print_function\n"


def for_python_2(code: str) -> str:
    """The same program in both Pythons' syntax, as far as that can be; else the code as it is."""
    tree = parsed(code)
    if tree is None:
        return code
    plain = _Plain()
    made = plain.visit(tree)
    if not plain.changed:
        return _FUTURE + code
    return _FUTURE + ast.unparse(ast.fix_missing_locations(made)) + "\n"


class _Plain(ast.NodeTransformer):
    def __init__(self) -> None:
        self.changed = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.changed = self.changed or node.returns is not None
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.changed = self.changed or node.annotation is not None
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.changed = True
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.changed = True
        template, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                template += str(part.value).replace("{", "{{").replace("}", "}}")
            elif isinstance(part, ast.FormattedValue):
                template += _field(part)
                values.append(self.visit(part.value))
        made = ast.Attribute(ast.Constant(template), "format", ast.Load())
        return ast.Call(made, values, [])


def _field(part: ast.FormattedValue) -> str:
    convert = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
    spec = ""
    if isinstance(part.format_spec, ast.JoinedStr):
        spec = "".join(
            str(one.value) for one in part.format_spec.values if isinstance(one, ast.Constant)
        )
    return "{" + convert + (f":{spec}" if spec else "") + "}"
