"""The names of modules, classes and functions while code is read, and what they are bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from libdrift.languages.python.usage.bindings import Binding, Other, merged

# What they make of a function is called as it is.
PLAIN_DECORATORS = frozenset(
    "staticmethod classmethod property cached_property override abstractmethod cache lru_cache"
    " wraps".split()
)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(slots=True)
class Scope:
    """The names of a module, class or function, or of a comprehension or lambda.

    ``now`` is what they stand for at the statement that is being read; ``ever`` is for functions
    inside, which run at some later time: only what a name stands for always.
    """

    outer: Scope | None = None
    own: frozenset[str] | None = None  # of a function: all names that it binds
    definition: ast.ClassDef | None = None  # of a class
    method_of: ast.ClassDef | None = None  # of a function
    unstable: frozenset[str] = frozenset()  # names that functions rebind from inside
    now: dict[str, Binding] = field(default_factory=dict)
    ever: dict[str, Binding] = field(default_factory=dict)

    def bind(self, name: str, binding: Binding) -> None:
        self.now[name] = binding
        self.ever[name] = merged(self.ever.get(name, Other.NOTHING), binding)

    def find(self, name: str) -> Binding:
        if name in self.now:
            return self.now[name]
        if self.outer is None or (self.own is not None and name in self.own):
            return Other.UNKNOWN
        return self.outer.find(name) if self.own is None else self.outer.later(name)

    def later(self, name: str) -> Binding:
        if name in self.unstable:
            return Other.UNKNOWN
        if name in self.ever or self.outer is None:
            return self.ever.get(name, Other.UNKNOWN)
        return self.outer.later(name)

    @property
    def around(self) -> ast.ClassDef | None:
        """The class whose method is being read."""
        scope: Scope | None = self
        while scope is not None and scope.method_of is None:
            scope = scope.outer
        return scope.method_of if scope else None

    @property
    def visible(self) -> Scope:
        """The nearest scope whose names a function inside of this one sees."""
        scope = self
        while scope.definition is not None and scope.outer is not None:
            scope = scope.outer
        return scope


_SEALED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BINDLESS = (ast.Expr, ast.Return, ast.Raise, ast.Assert, *_SEALED)


def bound(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that statements bind in their own scope.

    Walruses are seen in conditions only: elsewhere they are rare, and a search takes long.
    """
    found: set[str] = set()
    elsewhere: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
        elif isinstance(node, ast.Assign):
            waiting += node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            waiting.append(node.target)
        elif not isinstance(node, _BINDLESS):
            found.update(_named(node))
            waiting += ast.iter_child_nodes(node)
    return frozenset(found - elsewhere)


def _named(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0],)
    if isinstance(node, ast.MatchMapping):
        return (node.rest,) if node.rest else ()
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return (node.name,) if node.name else ()
    return ()


def rebound(tree: ast.Module) -> frozenset[str]:
    """Names that some function declares to be an outer one's."""
    return frozenset(
        name
        for node in statements(tree)
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    )


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements at whatever depth, without a look into expressions."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field_name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field_name, ())
            waiting += inner if isinstance(inner, list) else ()


def parameters(arguments: ast.arguments) -> dict[str, Binding]:
    """Names of parameters. One that is None by default is, until something is put there."""
    plain = [*arguments.posonlyargs, *arguments.args]
    free = len(plain) - len(arguments.defaults)
    defaults = [*[None] * free, *arguments.defaults, *arguments.kw_defaults]
    found: dict[str, Binding] = {}
    for item, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        waits = isinstance(default, ast.Constant) and default.value is None
        found[item.arg] = Other.NOTHING if waits else Other.UNKNOWN
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            found[extra.arg] = Other.UNKNOWN
    return found


def names_in(node: ast.AST) -> frozenset[str]:
    """The variables that an expression asks."""
    return frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))


def default_nodes(arguments: ast.arguments) -> dict[str, ast.expr]:
    """What parameters are where a call gives nothing for them."""
    plain = [*arguments.posonlyargs, *arguments.args]
    late = plain[len(plain) - len(arguments.defaults) :]
    found = {item.arg: node for item, node in zip(late, arguments.defaults, strict=True)}
    only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {item.arg: node for item, node in only if node is not None}


def assigned_pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """``a, b = f(), g()``: each with its own."""
    sequence = ast.Tuple | ast.List
    if not isinstance(target, sequence) or not isinstance(value, sequence):
        return []
    items = [*target.elts, *value.elts]
    if len(target.elts) != len(value.elts) or any(isinstance(i, ast.Starred) for i in items):
        return []
    return list(zip(target.elts, value.elts, strict=True))


def leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVING)


def name_of(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def is_static(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
