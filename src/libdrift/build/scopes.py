"""What names stand for while code is read: things of a library, values from it, or neither."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from libdrift.build.releases import Given


class Kind(Enum):
    THING = "thing"  # a module, class or function itself, by its path
    VALUE = "value"  # what came out of a call; its class is the path, if that is known
    MEMBER = "member"  # an attribute or method of such a value


@dataclass(frozen=True, slots=True)
class Known:
    """Something of a library."""

    library: str
    kind: Kind
    path: str = ""
    parts: tuple[Given | None, ...] = ()  # of a tuple or sequence, as of ``Given``
    open: bool = False


@dataclass(frozen=True, slots=True)
class Own:
    """An instance of a class that the code itself defines: ``self``."""

    definition: ast.ClassDef


class Other(Enum):
    UNKNOWN = "unknown"
    NOTHING = "nothing"  # None, until something is there


Binding = Known | Own | Other


def merged(one: Binding, other: Binding) -> Binding:
    """What a name stands for where two ways meet: ``None`` waits for something to come."""
    if one is Other.NOTHING or one == other:
        return other
    return one if other is Other.NOTHING else Other.UNKNOWN


def all_merged(ends: list[dict[str, Binding]]) -> dict[str, Binding]:
    """The names at the end of several ways. One that some do not bind is bound by the others."""
    names = dict.fromkeys(name for end in ends for name in end)
    found: dict[str, Binding] = {}
    for name in names:
        binding: Binding = Other.NOTHING
        for end in ends:
            binding = merged(binding, end.get(name, Other.NOTHING))
        found[name] = binding
    return found


@dataclass(slots=True)
class Scope:
    """The names of a module, class or function, or of a comprehension or lambda.

    ``now`` is what they stand for at the statement that is being read; ``ever`` is for functions
    inside, which run at some later time: only what a name stands for always.
    """

    outer: Scope | None = None
    own: frozenset[str] | None = None  # of a function: all names that it binds
    definition: ast.ClassDef | None = None  # of a class
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
