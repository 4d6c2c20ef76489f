"""Where code uses packages, by following imports and assignments through its scopes.

*Direct* uses go by the import (``plt.figure()``); those of *members* are on a value that came from
the package: ``ax = plt.subplot(); ax.plot()``. A name is followed until it is bound to something
else. What the code's own functions return and its own classes hold is found by reading again.
Nothing is run.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any

from libdrift.languages.python.usage import guards
from libdrift.languages.python.usage.annotations import are_lazy
from libdrift.languages.python.usage.bindings import (
    Binding,
    Items,
    Known,
    Other,
    Own,
    OwnClass,
    OwnFunction,
    all_merged,
    any_of,
    element_of,
    likened,
    merged,
)
from libdrift.languages.python.usage.importing import ImportReader
from libdrift.languages.python.usage.members import Neighbours, OwnDefinitions, is_worth
from libdrift.languages.python.usage.scopes import (
    PLAIN_DECORATORS,
    Scope,
    assigned_pairs,
    bound,
    default_nodes,
    is_static,
    leaves,
    name_of,
    names_in,
    parameters,
    rebound,
)
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import Certainty, Guard, Reading, Reason

_PASSES = 3  # attributes of self may depend on others of them
_ROUNDS, _DEEP = 2, 2  # readings of a loop, and how deep in others it is worth that
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def read(
    tree: ast.Module,
    packages: Packages,
    release: Lookup = lambda _: None,
    *,
    home: str = "",
    neighbours: Neighbours | None = None,
) -> Reading:
    """All uses of some packages. Raises ``RecursionError`` where code is nested too deep.

    ``home`` is the package that the code is in, where relative imports are to be followed;
    ``neighbours`` are the other modules of its project.
    """
    told = OwnDefinitions()
    for _ in range(_PASSES):
        reader = _Reader(packages, release, told, home, neighbours)
        reader.read(tree)
        found = reader.found.known()
        if found == told:
            break
        told = found
    if neighbours is not None:
        neighbours.keep(reader.top, reader.found)
    aliases = {package: tuple(names) for package, names in reader.aliases.items()}
    uses = sorted(reader.notes.uses, key=lambda use: (use.span.line, use.span.column))
    return Reading(tuple(uses), aliases, tuple(reader.notes.loose), tuple(reader.notes.assigned))


class _Reader(ImportReader):
    """One reading of a module."""

    def __init__(
        self,
        packages: Packages,
        release: Lookup,
        told: OwnDefinitions,
        home: str,
        neighbours: Neighbours | None,
    ) -> None:
        super().__init__(packages, release, told, home, neighbours)
        self.top: dict[str, Binding] = {}  # what the names of the module stand for at its end
        self._unstable: frozenset[str] = frozenset()
        # Bodies of functions, which run when the code around them has run.
        self._later: deque[tuple[_Function, Scope, Guard]] = deque()
        self._returned: list[Binding] | None = None  # by the function that is being read
        self._inside = 0  # loops around what is being read

    def read(self, tree: ast.Module) -> None:
        self._unstable = rebound(tree)
        self.has_lazy_annotations = are_lazy(tree)
        scope = Scope(unstable=self._unstable)
        self._block(tree.body, scope)
        self.top = {name: item for name, item in scope.now.items() if name not in self._unstable}
        while self._later:
            self._function_body(*self._later.popleft())

    def _block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        left = iter(body)
        for statement in left:
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement, scope)
            else:
                self.values(*ast.iter_child_nodes(statement), scope=scope)
            if isinstance(statement, ast.Assert) or (
                isinstance(statement, ast.If) and leaves(statement.body)
            ):
                guard = self.guard_of(statement.test, scope)
                if guard:  # the rest is for the other versions
                    with self.notes.under(guard):
                        self._block(left, scope)

    # --- names

    def assigns(self, node: ast.Assign, scope: Scope) -> None:
        target, value = node.targets[0], node.value
        split = assigned_pairs(target, value) if len(node.targets) == 1 else []
        self.take(value, *(item for _, item in split))
        if split:
            given = [(inner, self.value(item, scope)) for inner, item in split]
        else:
            binding = self.value(value, scope)
            unknown = binding in (Other.UNKNOWN, Other.ELSEWHERE)
            if unknown and self._tells_versions(value, scope):
                binding = Other.FLAG
            given = [(item, binding) for item in node.targets]
        for item, binding in given:
            self.bind(item, binding, scope)

    def _tells_versions(self, value: ast.expr, scope: Scope) -> bool:
        """``HAS_X = hasattr(pkg, "x")``; ``HAS_X = True`` where an import is tried, or failed."""
        if isinstance(value, ast.Constant):
            return isinstance(value.value, bool) and bool(self.notes.import_guard)
        return guards.is_truth(value) and bool(self.guard_of(value, scope))

    def asserts(self, node: ast.Assert, scope: Scope) -> None:
        self.values(node.test, node.msg, scope=scope)
        narrowed = self._narrowed(node.test, scope)
        if narrowed:
            scope.now[narrowed[0]] = narrowed[1]

    def assigns_annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        with self.notes.inert(when=scope.own is not None):  # in functions, they are not run
            promised = self.annotated(node.annotation, scope)
        given = Other.UNKNOWN if node.value is None else self.value(node.value, scope)
        if node.value is not None or not isinstance(promised, Other):
            known = isinstance(given, Known) and given.certainty > Certainty.GUESSED
            self.bind(
                node.target, given if known or isinstance(promised, Other) else promised, scope
            )

    def augments(self, node: ast.AugAssign, scope: Scope) -> None:
        self.value(node.value, scope)
        self.bind(node.target, Other.UNKNOWN, scope)

    def deletes(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            self.bind(target, Other.UNKNOWN, scope)

    # --- ways through the code

    def branches(self, node: ast.If, scope: Scope) -> None:
        guard = self.guard_of(node.test, scope)
        self.value(node.test, scope)
        checkers = name_of(node.test) == "TYPE_CHECKING"
        with self.notes.under(guard), self.notes.inert(when=checkers and not node.orelse):
            before = dict(scope.now)
            self._ways([node.body, node.orelse], scope, self._narrowed(node.test, scope))
        if not node.orelse:
            self._defaults(node, before, scope)

    def _defaults(self, node: ast.If, before: dict[str, Binding], scope: Scope) -> None:
        """``if x is None: x = X()``: what was given is like what takes its place."""
        tested = names_in(node.test)
        for statement in node.body:
            match statement:
                case ast.Assign([ast.Name(name)], value) if name in tested:
                    if before.get(name) is Other.UNKNOWN and scope.now[name] is Other.UNKNOWN:
                        with self.notes.silent():
                            scope.bind(name, likened(self.value(value, scope)))

    def _narrowed(self, test: ast.expr, scope: Scope) -> tuple[str, Binding] | None:
        """The variable that ``isinstance`` tells the class of."""
        match test:
            case ast.Call(ast.Name("isinstance"), [ast.Name(name), kind]):
                with self.notes.silent():
                    binding = self.instance(self.value(kind, scope), Reason.NARROWED)
                return None if isinstance(binding, Other) else (name, binding)
        return None

    def iterates(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self.take(node.iter)
        item = element_of(self.held(self.value(node.iter, scope)))

        def once() -> None:
            self.bind(node.target, item, scope)
            self._ways([node.body, []], scope)

        self._rounds(once, bound([node.target, *node.body]), scope)
        self._block(node.orelse, scope)

    def repeats(self, node: ast.While, scope: Scope) -> None:
        def once() -> None:
            self.value(node.test, scope)
            self._ways([node.body, []], scope)

        self._rounds(once, bound([node.test, *node.body]), scope)
        self._block(node.orelse, scope)

    def _rounds(self, once: Callable[[], None], names: Collection[str], scope: Scope) -> None:
        """A loop: at its start, what it binds may be of its last round.

        It is read as if that were what it was before, and read again if it is not.
        """
        before = dict(scope.now)
        names = [name for name in names if name in before]
        mark, later = self.notes.mark(), len(self._later)
        for _ in range(_ROUNDS if self._inside < _DEEP else 0):
            start = {name: scope.now[name] for name in names}
            self._inside += 1
            once()
            self._inside -= 1
            if all(scope.now.get(name) == start[name] for name in names):
                return
            end = {name: merged(start[name], scope.now[name]) for name in names}
            scope.now = before | end
            self.notes.undo(mark)
            while len(self._later) > later:
                self._later.pop()
        scope.now = before | dict.fromkeys(names, Other.UNKNOWN)
        once()

    def enters(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            binding = self.value(item.context_expr, scope)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, binding, scope)
        with self.notes.trying(guards.suppressed(node)):
            self._block(node.body, scope)

    def tries(self, node: ast.Try | ast.TryStar, scope: Scope) -> None:
        before = dict(scope.now)
        mark = self.notes.mark()
        with self.notes.trying(guards.caught(node)):
            self._block(node.body, scope)
        # Something of a package, or a member of what may be of one.
        tried = self.notes.mark() != mark
        is_last = self.tries_strangers(node.body)
        after = dict(scope.now)
        self._block(node.orelse, scope)
        ends = [] if leaves(node.orelse or node.body) else [scope.now]
        for handler in node.handlers:
            scope.now = all_merged([before, after])
            kind = Other.UNKNOWN if handler.type is None else self.value(handler.type, scope)
            if handler.name:
                several = kind.parts if isinstance(kind, Items) else (kind,)
                scope.bind(handler.name, any_of(tuple(self.instance(one) for one in several)))
            is_fallback = guards.is_fallback(handler, tried=tried) and not is_last
            with self.notes.under(Guard.TRY if is_fallback else Guard.NONE):
                self._block(handler.body, scope)
            if not leaves(handler.body):
                ends.append(scope.now)
        scope.now = all_merged(ends or [after])
        self._block(node.finalbody, scope)

    def matches(self, node: ast.Match, scope: Scope) -> None:
        self.value(node.subject, scope)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchValue | ast.MatchClass):
                    self.value(part.cls if isinstance(part, ast.MatchClass) else part.value, scope)
            for name in bound([case.pattern]):
                scope.bind(name, Other.UNKNOWN)
            self.values(case.guard, scope=scope)
        self._ways([*(case.body for case in node.cases), []], scope)

    def _ways(
        self,
        bodies: list[list[ast.stmt]],
        scope: Scope,
        narrowed: tuple[str, Binding] | None = None,
    ) -> None:
        """Bodies of which one runs. One that leaves has no say in what follows."""
        before = scope.now
        ends = []
        for body in bodies:
            scope.now = dict(before)
            if narrowed and body is bodies[0]:
                scope.now[narrowed[0]] = narrowed[1]
            self._block(body, scope)
            if not leaves(body):
                ends.append(scope.now)
        scope.now = all_merged(ends or [before])

    # --- scopes

    def returns(self, node: ast.Return, scope: Scope) -> None:
        given = Other.NOTHING if node.value is None else self.value(node.value, scope)
        if self._returned is not None:
            self._returned.append(given)

    def defines(self, node: _Function, scope: Scope) -> None:
        heads = (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        self.values(*heads, scope=scope)
        plain = all(name_of(item) in PLAIN_DECORATORS for item in node.decorator_list)
        scope.bind(node.name, OwnFunction(node) if plain else self.decorated(node, scope))
        if scope.definition is not None and not is_static(node):
            self.found.methods.add(node)
        guard = guards.of_decorators(node, lambda test: self.guard_of(test, scope))
        self._later.append((node, scope, self.notes.guard or guard))

    def _function_body(self, node: _Function, around: Scope, guard: Guard) -> None:
        names = parameters(node.args)
        scope = Scope(
            around.visible,
            bound(node.body) | names.keys(),
            method_of=around.definition,
            unstable=self._unstable,
        )
        defaults = default_nodes(node.args)
        for name, binding in (names | self._promised(node.args, around)).items():
            taken = binding if is_worth(binding) else self.passed(node, name, binding)
            if not is_worth(taken) and around.definition is not None:
                taken = self.overridden(around.definition, node.name, name, taken)
            if taken is Other.UNKNOWN and isinstance(defaults.get(name), ast.Call):
                with self.notes.silent():
                    taken = likened(self.value(defaults[name], around))
            scope.bind(name, taken)
        first = [*node.args.posonlyargs, *node.args.args][:1]
        if around.definition is not None and first and not is_static(node):
            scope.now[first[0].arg] = scope.ever[first[0].arg] = Own(around.definition)
        promised = self.annotated(node.returns, around)
        before, self._returned = self._returned, []
        self.function = node
        with self.notes.later(guard or self.guard_of_calls(node)):
            self._block(node.body, scope)
        found: Binding = Other.NOTHING
        for binding in self._returned:
            found = merged(found, binding)
        self._returned = before
        self.found.returns[node] = found if isinstance(promised, Other) else promised

    def _promised(self, arguments: ast.arguments, scope: Scope) -> dict[str, Binding]:
        """What the annotations of parameters tell."""
        found: dict[str, Binding] = {}
        for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            binding = self.annotated(item.annotation, scope)
            if not isinstance(binding, Other):
                found[item.arg] = binding
        for extra in (arguments.vararg, arguments.kwarg):
            self.annotated(extra.annotation if extra else None, scope)
        return found

    def defines_class(self, node: ast.ClassDef, scope: Scope) -> None:
        self.values(*node.decorator_list, *node.keywords, scope=scope)
        self.found.bases[node] = [self.value(base, scope) for base in node.bases]
        scope.bind(node.name, OwnClass(node))
        inner = Scope(scope.visible, definition=node, unstable=self._unstable)
        self._block(node.body, inner)
        for name, binding in inner.ever.items():
            self.bind_attribute(node, name, binding)


_HANDLERS: dict[type[ast.stmt], Callable[[_Reader, Any, Scope], None]] = {
    ast.Import: _Reader.imports,
    ast.ImportFrom: _Reader.imports,
    ast.Assign: _Reader.assigns,
    ast.AnnAssign: _Reader.assigns_annotated,
    ast.AugAssign: _Reader.augments,
    ast.Delete: _Reader.deletes,
    ast.Assert: _Reader.asserts,
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
    ast.Return: _Reader.returns,
}
