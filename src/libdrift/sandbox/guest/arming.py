"""Test code, armed before the candidate exists: probes on compared values, signatures at ends."""

import ast
import builtins

# A private copy, for every function below: patching the real builtins does not reach the driver.
__builtins__ = dict(builtins.__dict__)

PROBE = "__libdrift_probe__"
LOOK = "__libdrift_look__"
DONE = "__libdrift_done__"
# Comparisons with these are meant to be generous: the test says so in its own text.
GENEROUS = {"ANY", "approx", "mock", "Mock", "MagicMock", "sentinel"}
MAIN = ast.dump(ast.parse("unittest.main", mode="eval").body)
JUDGING = ("assert", "close", "equal", "Equal")


class Arm(ast.NodeTransformer):
    """Arm test code: values that it gets or compares are looked at, tests sign when they end."""

    def __init__(self, pytest_style):
        self.pytest_style = pytest_style
        self.functions = []
        self.depth = 0
        self.collected = True  # whether pytest collects tests from the class at hand
        self.conditional = False
        self.unit = False  # whether the class at hand is one of unittest's

    def _call(self, name, argument, at):
        call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[argument], keywords=[])
        return ast.fix_missing_locations(ast.copy_location(call, at))

    def _probe(self, node):
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        names |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
        return node if names & GENEROUS else self._call(PROBE, node, node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if not all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            node.left = self._probe(node.left)
            node.comparators = [self._probe(right) for right in node.comparators]
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if any(word in name for word in JUDGING):
            node.args = [
                a if isinstance(a, (ast.Starred, ast.Lambda)) else self._probe(a) for a in node.args
            ]
        return node if name in GENEROUS else self._call(LOOK, node, node)

    def _inside(self, node):
        """Visit all of a definition but its decorators: those are nobody's values."""
        decorators, node.decorator_list = node.decorator_list, []
        self.generic_visit(node)
        node.decorator_list = decorators

    def visit_ClassDef(self, node):
        before = self.collected
        unit = any("TestCase" in ast.dump(base) for base in node.bases)
        before_unit, self.unit = self.unit, unit
        self.collected = before and (node.name.startswith("Test") or unit)
        self._inside(node)
        self.collected, self.unit = before, before_unit
        return node

    def _condition(self, node):
        before, self.conditional = self.conditional, True
        self.generic_visit(node)
        self.conditional = before
        return node

    visit_If = visit_Try = visit_For = visit_While = _condition

    def _function(self, node):
        outermost = self.depth == 0
        self.depth += 1
        self._inside(node)
        self.depth -= 1
        fixture = any("fixture" in ast.dump(decorator) for decorator in node.decorator_list)
        if outermost and self.collected and not fixture and node.name.startswith("test"):
            index = len(self.functions)
            # What stands under a condition need not be there when the tests are run.
            certain = not self.conditional and (self.pytest_style or self.unit)
            self.functions.append(("" if certain else "?") + node.name)
            node.body = Sign(index).body(node.body)
        return node

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Expr(self, node):
        """``unittest.main()`` of a script ends the process: have it say how it went instead."""
        whole = node.value
        self.generic_visit(node)
        if self.depth or not isinstance(whole, ast.Call):
            return node
        if ast.dump(whole.func) != MAIN or any(word.arg == "exit" for word in whole.keywords):
            return node
        whole.keywords.append(ast.keyword(arg="exit", value=ast.Constant(value=False, kind=None)))
        check = ast.parse("assert (lambda r: r.testsRun and r.wasSuccessful())(0)").body[0]
        check.test.args = [ast.Attribute(value=whole, attr="result", ctx=ast.Load())]
        for inner in ast.walk(check):
            ast.copy_location(inner, node)
        return ast.fix_missing_locations(check)


class Sign(ast.NodeTransformer):
    """Add the signature at the end of a test's body and before each of its returns."""

    def __init__(self, index):
        self.index = index

    def _statement(self, at):
        value = ast.copy_location(ast.parse("%s(%d)" % (DONE, self.index)).body[0], at)
        for child in ast.walk(value):
            ast.copy_location(child, at)
        return ast.fix_missing_locations(value)

    def body(self, statements):
        signed = [self.visit(statement) for statement in statements]
        flat = [s for part in signed for s in (part if isinstance(part, list) else [part])]
        return flat + [self._statement(flat[-1])]

    def visit_Return(self, node):
        return [self._statement(node), node]

    def _leave(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _leave


def arm(source, path, pytest_style, canary):
    """The tests as armed code, the names of their functions, and the tree as it was."""
    plain = ast.parse(source, path)
    tree = ast.parse(source, path)
    armer = Arm(pytest_style)
    tree = armer.visit(tree)
    if pytest_style:
        # Must fail. Whatever makes every test pass makes this one pass too, and is found out.
        name, left, right = canary
        text = "def %s():\n    assert %s(%d) == %s(%d)\n" % (name, PROBE, left, PROBE, right)
        tree.body.extend(ast.parse(text).body)
    else:
        tree.body.extend(ast.parse("%s(-1)" % DONE).body)
    return tree, armer.functions, plain


def imported(nodes, module):
    """Which names these statements import, and what they stand for; the answer's own left out."""
    aliases = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name if alias.asname else alias.name.split(".")[0]
                aliases[alias.asname or root] = root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                aliases[alias.asname or alias.name] = node.module + "." + alias.name
    return {
        name: dotted
        for name, dotted in aliases.items()
        if dotted.split(".")[0] != module and name != "*"
    }


def used(plain):
    """The names that a program reads."""
    return {
        node.id
        for node in ast.walk(plain)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def wanted(plain, module):
    """The names that a script reads and does not make itself: its answer's, if anybody's."""
    own = set(imported(plain.body, module))
    for node in plain.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            own.add(node.name)
    return sorted(used(plain) - own - {"__name__"})


def is_generous(source):
    """Whether tests speak of what compares as it pleases: mocks, tolerances, and what pytest gives."""
    return any(word in source for word in ("mock", "Mock", "approx", "raises", "warns"))


def instruments(plain, aliases):
    """The dotted names that the tests judge with: imported modules' parts, and builtins."""
    found = set()
    for node in ast.walk(plain):
        chain, inner = [], node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            continue
        if inner.id in aliases:
            found.add(".".join([aliases[inner.id]] + chain[::-1]))
        elif hasattr(builtins, inner.id):
            found.add("builtins." + inner.id)
    return sorted(found)
