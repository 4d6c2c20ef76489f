"""Where code calls a library, by following imports and assignments through its scopes.

*Direct* uses go by the import (``plt.figure()``), *indirect* ones are on a value that came from
the library: ``ax = plt.subplot(); ax.plot()``. A chain of calls is one use, of its last call.
A name is followed until it is bound to something else. Nothing is run.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from libdrift.build.calls import Attributes, Expressions, Lookup, Use, parameters
from libdrift.build.pins import Libraries
from libdrift.build.scopes import (
    Kind,
    Known,
    Other,
    Own,
    Scope,
    all_merged,
    bound,
    rebound,
    statements,
)

_PASSES = 3  # attributes of self may depend on others of them
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Uses:
    uses: tuple[Use, ...]  # in the order of the file
    aliases: Mapping[str, tuple[str, ...]]  # of each library: the names that imports give it
    left_out: Mapping[str, int]


def find(tree: ast.Module, libraries: Libraries, release: Lookup) -> Uses:
    """All uses of pinned libraries. Raises ``RecursionError`` where code is nested too deep."""
    attributes: Attributes = {}
    for _ in range(_PASSES):
        reader = _Reader(libraries, release, attributes)
        reader.read(tree)
        found = reader.known_attributes()
        if found == attributes:
            break
        attributes = found
    aliases = {library: tuple(names) for library, names in reader.aliases.items()}
    return Uses(tuple(sorted(reader.uses)), aliases, reader.left_out)


def imports_any(tree: ast.Module, libraries: Libraries) -> bool:
    """Whether code imports one of the pinned libraries, wherever in it."""
    for node in statements(tree):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [f"{node.module}.{item.name}" for item in node.names]
        if any(libraries.of(module) for module in modules):
            return True
    return False


class _Reader(Expressions):
    """One reading of a module."""

    def __init__(self, libraries: Libraries, release: Lookup, attributes: Attributes) -> None:
        super().__init__(libraries, release, attributes)
        self.aliases: dict[str, dict[str, None]] = {}
        self._unstable: frozenset[str] = frozenset()
        # Bodies of functions, which run when the code around them has run.
        self._later: deque[tuple[_Function, Scope]] = deque()

    def read(self, tree: ast.Module) -> None:
        self._unstable = rebound(tree)
        self._block(tree.body, Scope(unstable=self._unstable))
        while self._later:
            self._function_body(*self._later.popleft())

    def _block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        for statement in body:
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement, scope)
            else:
                self.values(*ast.iter_child_nodes(statement), scope=scope)

    # --- names

    def imports(self, node: ast.Import, scope: Scope) -> None:
        for item in node.names:
            path = item.name if item.asname else item.name.partition(".")[0]
            self._imported(item.asname or path, path, item.name, scope)

    def imports_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        for item in node.names:
            if item.name != "*":
                path = "" if node.level else f"{node.module}.{item.name}"
                self._imported(item.asname or item.name, path, path, scope)

    def _imported(self, name: str, path: str, module: str, scope: Scope) -> None:
        library = self.libraries.of(module) if module else None
        if library is None:
            scope.bind(name, Other.UNKNOWN)
        else:
            self.aliases.setdefault(library, {})[name] = None
            scope.bind(name, Known(library, Kind.THING, path))

    def assigns(self, node: ast.Assign, scope: Scope) -> None:
        target, value = node.targets[0], node.value
        pairs = _pairs(target, value) if len(node.targets) == 1 else []
        if pairs:
            given = [(inner, self.value(item, scope)) for inner, item in pairs]
        else:
            binding = self.value(value, scope)
            given = [(item, binding) for item in node.targets]
        for item, binding in given:
            self.bind(item, binding, scope)

    def assigns_annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value, scope), scope)

    def augments(self, node: ast.AugAssign, scope: Scope) -> None:
        self.value(node.value, scope)
        self.bind(node.target, Other.UNKNOWN, scope)

    def deletes(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            self.bind(target, Other.UNKNOWN, scope)

    # --- ways through the code

    def branches(self, node: ast.If, scope: Scope) -> None:
        self.value(node.test, scope)
        self._ways([node.body, node.orelse], scope)

    def iterates(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self.value(node.iter, scope)
        _forget([node.target, *node.body], scope)
        self.bind(node.target, Other.UNKNOWN, scope)
        self._ways([node.body, []], scope)
        self._block(node.orelse, scope)

    def repeats(self, node: ast.While, scope: Scope) -> None:
        _forget([node.test, *node.body], scope)
        self.value(node.test, scope)
        self._ways([node.body, []], scope)
        self._block(node.orelse, scope)

    def enters(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            binding = self.value(item.context_expr, scope)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, binding, scope)
        self._block(node.body, scope)

    def tries(self, node: ast.Try | ast.TryStar, scope: Scope) -> None:
        before = dict(scope.now)
        self._block(node.body, scope)
        after = dict(scope.now)
        self._block(node.orelse, scope)
        ends = [] if _leaves(node.orelse or node.body) else [scope.now]
        for handler in node.handlers:
            scope.now = all_merged([before, after])
            self.values(handler.type, scope=scope)
            if handler.name:
                scope.bind(handler.name, Other.UNKNOWN)
            self._block(handler.body, scope)
            if not _leaves(handler.body):
                ends.append(scope.now)
        scope.now = all_merged(ends or [after])
        self._block(node.finalbody, scope)

    def matches(self, node: ast.Match, scope: Scope) -> None:
        self.value(node.subject, scope)
        for case in node.cases:
            for name in bound([case.pattern]):
                scope.bind(name, Other.UNKNOWN)
            self.values(case.guard, scope=scope)
        self._ways([*(case.body for case in node.cases), []], scope)

    def _ways(self, bodies: list[list[ast.stmt]], scope: Scope) -> None:
        """Bodies of which one runs. One that leaves has no say in what follows."""
        before = scope.now
        ends = []
        for body in bodies:
            scope.now = dict(before)
            self._block(body, scope)
            if not _leaves(body):
                ends.append(scope.now)
        scope.now = all_merged(ends or [before])

    # --- scopes

    def defines(self, node: _Function, scope: Scope) -> None:
        heads = (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        self.values(*heads, scope=scope)
        scope.bind(node.name, Other.UNKNOWN)
        self._later.append((node, scope))

    def _function_body(self, node: _Function, around: Scope) -> None:
        names = parameters(node.args)
        scope = Scope(around.visible, bound(node.body) | names.keys(), unstable=self._unstable)
        for name, binding in names.items():
            scope.bind(name, binding)
        first = [*node.args.posonlyargs, *node.args.args][:1]
        if around.definition is not None and first and not _is_static(node):
            scope.now[first[0].arg] = scope.ever[first[0].arg] = Own(around.definition)
        self._block(node.body, scope)

    def defines_class(self, node: ast.ClassDef, scope: Scope) -> None:
        self.values(*node.decorator_list, *node.bases, *node.keywords, scope=scope)
        scope.bind(node.name, Other.UNKNOWN)
        inner = Scope(scope.visible, definition=node, unstable=self._unstable)
        self._block(node.body, inner)
        for name, binding in inner.ever.items():
            self.bind_attribute(node, name, binding)


_HANDLERS: dict[type[ast.stmt], Callable[[_Reader, Any, Scope], None]] = {
    ast.Import: _Reader.imports,
    ast.ImportFrom: _Reader.imports_from,
    ast.Assign: _Reader.assigns,
    ast.AnnAssign: _Reader.assigns_annotated,
    ast.AugAssign: _Reader.augments,
    ast.Delete: _Reader.deletes,
    ast.If: _Reader.branches,
    ast.For: _Reader.iterates,
    ast.AsyncFor: _Reader.iterates,
    ast.While: _Reader.repeats,
    ast.With: _Reader.enters,
    ast.AsyncWith: _Reader.enters,
    ast.Try: _Reader.tries,
    ast.TryStar: _Reader.tries,
    ast.Match: _Reader.matches,
    ast.FunctionDef: _Reader.defines,
    ast.AsyncFunctionDef: _Reader.defines,
    ast.ClassDef: _Reader.defines_class,
}


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """``a, b = f(), g()``: each with its own."""
    sequence = ast.Tuple | ast.List
    if not isinstance(target, sequence) or not isinstance(value, sequence):
        return []
    items = [*target.elts, *value.elts]
    if len(target.elts) != len(value.elts) or any(isinstance(i, ast.Starred) for i in items):
        return []
    return list(zip(target.elts, value.elts, strict=True))


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVING)


def _forget(nodes: list[ast.AST], scope: Scope) -> None:
    """At the start of a loop, what it binds may be of its last round."""
    for name in bound(nodes):
        if name in scope.now:
            scope.now[name] = Other.UNKNOWN


def _is_static(node: _Function) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
