"""What expressions give, and the uses of packages in them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from libdrift.languages.python.usage import guards
from libdrift.languages.python.usage.bindings import (
    Binding,
    BindingKind,
    Items,
    Known,
    Other,
    Own,
    OwnClass,
    OwnFunction,
    OwnModule,
    Parent,
    Plain,
    assigned,
    element_of,
    given,
    is_slice,
    item_of,
    likened,
    merged,
    part_of,
)
from libdrift.languages.python.usage.members import (
    MemberReader,
    Neighbours,
    OwnDefinitions,
    is_thing,
    is_worth,
)
from libdrift.languages.python.usage.noting import UseNotes
from libdrift.languages.python.usage.scopes import Scope, names_in, parameters
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import (
    Arguments,
    Certainty,
    Guard,
    Reason,
    arguments_of,
    is_handed_on,
)

_SAME = frozenset({"list", "tuple", "sorted", "reversed", "set", "iter"})
# Functions of Python's own that give values of its own; the others give what they are given.
_PLAIN = frozenset(dir(builtins)) - frozenset("next getattr eval vars max min sum super".split())


class Expressions(MemberReader):
    """Reads expressions, and keeps the uses that it meets."""

    def __init__(
        self,
        packages: Packages,
        release: Lookup,
        told: OwnDefinitions,
        neighbours: Neighbours | None = None,
    ) -> None:
        super().__init__(packages, release, told, neighbours)
        self.found = OwnDefinitions()
        self.notes = UseNotes(packages, release)
        self.has_lazy_annotations = False
        # Whose body is being read.
        self.function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
        self._taken: set[int] = set()  # calls whose value is asked for, by their identity

    def take(self, *nodes: ast.AST | None) -> None:
        """Notes that what a call gives is asked for: it is not called for what it does alone."""
        self._taken.update(id(node) for node in nodes if isinstance(node, ast.Call))

    def value(self, node: ast.AST, scope: Scope) -> Binding:
        """What an expression gives; the uses in it are noted."""
        notes = self.notes
        before = notes.chain
        notes.chains += 1
        notes.chain = notes.chains
        binding = self._noted(node, scope)
        notes.chain = before
        return binding

    def annotated(self, node: ast.expr | None, scope: Scope) -> Binding:
        with self.notes.inert(when=self.has_lazy_annotations or isinstance(node, ast.Constant)):
            return super().annotated(node, scope)

    def values(self, *nodes: ast.AST | None, scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.value(node, scope)

    def _noted(self, node: ast.AST, scope: Scope) -> Binding:
        """An expression that is not called, and of which no attribute is taken."""
        binding = self._chain(node, scope)
        if isinstance(binding, Known) and isinstance(node, ast.Attribute | ast.Name):
            self.notes.read(node, binding, scope)
        return binding

    def bind(self, target: ast.expr, binding: Binding, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.bind(target.id, assigned(binding))
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Other.UNKNOWN, scope)
        elif isinstance(target, ast.Tuple | ast.List):
            value = self.held(binding)
            for at, item in enumerate(target.elts):
                self.bind(item, part_of(value, at, len(target.elts)), scope)
        elif isinstance(target, ast.Attribute):
            holder = self.value(target.value, scope)
            if isinstance(holder, Own):
                self.bind_attribute(holder.definition, target.attr, binding)
            elif isinstance(holder, OwnModule) and self.neighbours is not None:
                self.neighbours.put(holder.place, target.attr, binding)
            elif isinstance(holder, Known):
                self.notes.assigns(target, self.member(holder, target.attr), scope)
        else:
            self.value(target, scope)

    def bind_attribute(self, definition: ast.ClassDef, name: str, binding: Binding) -> None:
        known = self.found.attributes.setdefault(definition, {})
        known[name] = merged(known.get(name, Other.NOTHING), binding)

    # --- chains of attributes, calls and subscripts

    def _chain(self, node: ast.AST, scope: Scope) -> Binding:
        """An expression that others may build on."""
        if isinstance(node, ast.Name | ast.Attribute):
            found = (
                scope.find(node.id) if isinstance(node, ast.Name) else self._attribute(node, scope)
            )
            if isinstance(found, OwnFunction):
                self.found.named.setdefault(found.definition, set()).add(self.notes.guard)
            return found
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.Subscript):
            self.take(node.value)
            holder = self.held(self._noted(node.value, scope))
            self.value(node.slice, scope)
            if isinstance(node.slice, ast.Constant):
                return item_of(holder, node.slice.value)
            return holder if is_slice(node, holder) else part_of(holder, 0, 0)
        if isinstance(node, ast.Await):
            return self._noted(node.value, scope)
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, node, scope)
        self.values(*ast.iter_child_nodes(node), scope=scope)
        is_none = isinstance(node, ast.Constant) and node.value is None
        return Other.NOTHING if is_none else Other.UNKNOWN

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Binding:
        self.take(node.value)
        inner = self._chain(node.value, scope)
        found = self.member(inner, node.attr)
        if inner is Other.UNKNOWN or isinstance(inner, Plain):
            self.notes.loosely(node, inner, scope)
        if isinstance(inner, Known) and not (is_thing(inner) and is_thing(found)):
            self.notes.read(node.value, inner, scope)  # the path goes no further
        return found

    def _call(self, node: ast.Call, scope: Scope) -> Binding:
        function = node.func
        self.take(*node.args, *(item.value for item in node.keywords))
        if isinstance(function, ast.Name) and function.id in _BUILTINS:
            special = _BUILTINS[function.id](self, node, scope)
            if special is not None:
                return special
        binding = self._chain(function, scope)
        if isinstance(function, ast.Subscript) and self._any_called(node, function, scope):
            binding = Other.UNKNOWN
        if isinstance(binding, Known):
            return self._known_call(node, binding, scope)
        if isinstance(function, ast.Attribute):
            self.notes.loosely_called(node, self._how(node))
        arguments = [self.value(item, scope) for item in node.args]
        keywords = {item.arg: self.value(item.value, scope) for item in node.keywords}
        if isinstance(binding, OwnClass):
            return Own(binding.definition)
        if isinstance(binding, OwnFunction):
            self._give(node, binding.definition, arguments, keywords)
            return self.returned(binding.definition)
        plain = isinstance(function, ast.Name) and function.id in _PLAIN
        elsewhere = binding in (Other.FOREIGN, Other.ELSEWHERE) or plain
        return Other.ELSEWHERE if elsewhere else Other.UNKNOWN

    def _any_called(self, node: ast.Call, function: ast.Subscript, scope: Scope) -> bool:
        """``LOADERS[kind](file)``: each of those that are there may be called."""
        with self.notes.silent():
            held = self.value(function.value, scope)
        if not isinstance(held, Items) or isinstance(function.slice, ast.Constant):
            return False
        for part in dict.fromkeys(held.parts):
            if isinstance(part, Known) and part.kind is BindingKind.THING:
                chosen = replace(part, certainty=min(part.certainty, Certainty.LIKELY))
                self.notes.called(node, chosen, arguments_of(node), scope)
        return True

    def _give(
        self,
        node: ast.Call,
        definition: ast.FunctionDef | ast.AsyncFunctionDef,
        arguments: list[Binding],
        keywords: dict[str | None, Binding],
    ) -> None:
        """Notes what a call gives to the parameters of a function of the code's own."""
        names = [item.arg for item in (*definition.args.posonlyargs, *definition.args.args)]
        if isinstance(node.func, ast.Attribute) and self.is_method(definition):
            names = names[1:]
        known = self.found.given.setdefault(definition, {})
        if None in keywords or any(isinstance(item, ast.Starred) for item in node.args):
            known.update(dict.fromkeys(names, Other.UNKNOWN))
            return
        passed = dict(zip(names, arguments, strict=False))
        passed.update((name, item) for name, item in keywords.items() if name)
        for name, item in passed.items():
            known[name] = merged(known.get(name, Other.NOTHING), item)

    def _how(self, node: ast.Call) -> Arguments:
        handed = is_handed_on(node, self.function)
        return replace(arguments_of(node), is_handed_on=handed, is_taken=id(node) in self._taken)

    def _known_call(self, node: ast.Call, binding: Known, scope: Scope) -> Binding:
        noted = self.notes.called(node, binding, self._how(node), scope)
        self.values(*node.args, *node.keywords, scope=scope)
        if not noted:
            return Other.UNKNOWN
        sure, guard = binding.certainty, binding.guard
        known = Known(noted, binding.kind, binding.path, certainty=sure, guard=guard)
        release = self.release(noted)
        unknown = Known(noted, BindingKind.VALUE, why=Reason.UNKNOWN, certainty=Certainty.GUESSED)
        if binding.kind is BindingKind.VALUE or not binding.path:
            return unknown
        if release is None:
            if not binding.path.rpartition(".")[2][:1].isupper():
                return unknown
            return Known(
                noted,
                BindingKind.VALUE,
                binding.path,
                why=Reason.CLASS_NAME,
                certainty=Certainty.GUESSED,
            )
        what = release.call(binding.path)
        if release.is_class(binding.path):
            return given(known, what, Reason.CONSTRUCTED, Certainty.CERTAIN)
        if what is None:
            return Plain(noted, binding.path)
        found = given(known, what, Reason.RETURNED, Certainty.LIKELY)
        is_unknown = isinstance(found, Known) and not found.path
        return replace(found, origin=binding.path) if is_unknown else found  # type: ignore[type-var]

    def decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Binding:
        """What a function becomes under its decorators: ``@click.group()`` makes a group of it."""
        outermost = node.decorator_list[0]
        if not isinstance(outermost, ast.Call):
            return Other.UNKNOWN
        with self.notes.silent():
            function = self.value(outermost.func, scope)
        release = self.release(function.package) if isinstance(function, Known) else None
        if not isinstance(function, Known) or release is None or not function.path:
            return Other.UNKNOWN
        what = release.decorated(function.path)
        made = given(function, what, Reason.RETURNED, Certainty.LIKELY)
        return made if what.path else Other.UNKNOWN

    # --- other expressions

    def walrus(self, node: ast.NamedExpr, scope: Scope) -> Binding:
        binding = self.value(node.value, scope)
        self.bind(node.target, binding, scope)
        return binding

    def choice(self, node: ast.IfExp, scope: Scope) -> Binding:
        guard = self.guard_of(node.test, scope)
        self.value(node.test, scope)
        with self.notes.under(guard):
            ways = [self.value(node.body, scope), self.value(node.orelse, scope)]
        # `x if x is not None else X()`: what is tested is like what takes its place.
        tested = names_in(node.test)
        for at, way in enumerate((node.body, node.orelse)):
            if ways[at] is Other.UNKNOWN and isinstance(way, ast.Name) and way.id in tested:
                return likened(ways[1 - at])
        return merged(*ways)

    def either(self, node: ast.BoolOp, scope: Scope) -> Binding:
        """``a or b`` is one of them; what follows a test of versions is for some alone."""
        found: Binding = Other.NOTHING
        guard = Guard.NONE
        for item in node.values:
            with self.notes.under(guard):
                binding = self.value(item, scope)
            if isinstance(node.op, ast.Or):
                is_unknown = found is Other.UNKNOWN
                found = likened(binding) if is_unknown else merged(found, binding)
            guard = guard or self.guard_of(item, scope)
        return found if isinstance(node.op, ast.Or) else Other.UNKNOWN

    def nameless(self, node: ast.Lambda, scope: Scope) -> Binding:
        self.values(*node.args.defaults, *node.args.kw_defaults, scope=scope)
        inner = Scope(scope, now=dict.fromkeys(parameters(node.args), Other.UNKNOWN))
        self.value(node.body, inner)
        return Other.UNKNOWN

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> Binding:
        inner = Scope(scope)
        for generator in node.generators:
            binding = element_of(self.held(self.value(generator.iter, inner)))
            self.bind(generator.target, binding, inner)
            self.values(*generator.ifs, scope=inner)
        if isinstance(node, ast.DictComp):
            self.values(node.key, node.value, scope=inner)
            return Other.UNKNOWN
        found = self.value(node.elt, inner)
        return Items((found,), ()) if is_worth(found) else Other.UNKNOWN

    def sequence(self, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Binding:
        found = tuple(self.value(item, scope) for item in node.elts)
        starred = any(isinstance(item, ast.Starred) for item in node.elts)
        return Items(found) if not starred and any(map(is_worth, found)) else Other.UNKNOWN

    def mapping(self, node: ast.Dict, scope: Scope) -> Binding:
        self.values(*node.keys, scope=scope)
        found = tuple(self.value(item, scope) for item in node.values)
        keys = tuple(item.value for item in node.keys if isinstance(item, ast.Constant))
        whole = len(keys) == len(found) and any(map(is_worth, found))
        return Items(found, keys) if whole else Other.UNKNOWN

    def formatted(self, node: ast.JoinedStr, scope: Scope) -> Binding:
        with self.notes.quoting():
            self.values(*node.values, scope=scope)
        return Other.UNKNOWN

    # --- built-in functions that have a say

    def guard_of(self, test: ast.expr, scope: Scope) -> Guard:
        return guards.of_test(
            test,
            lambda node: isinstance(self.named(node, scope), Known),
            lambda node: self.named(node, scope) is Other.FLAG,
        )

    def asked(self, node: ast.Call, scope: Scope) -> Binding | None:
        """``getattr(np, "name", None)``"""
        match node.args:
            case [holder, ast.Constant(value=str(name)), *rest] if name.isidentifier():
                inner = self._noted(holder, scope)
                self.values(*rest, scope=scope)
                binding = self.member(inner, name)
                if isinstance(binding, Known):
                    with self.notes.under(Guard.GETATTR if rest else Guard.NONE):
                        self.notes.asked(node, binding, name)
                return binding
        return None

    def parent(self, node: ast.Call, scope: Scope) -> Binding | None:
        definition = scope.around
        return None if node.args or definition is None else Parent(definition)

    def same(self, node: ast.Call, scope: Scope) -> Binding | None:
        """``list(x)`` and the like, of one value: with the same things in it."""
        own = isinstance(node.func, ast.Name) and scope.find(node.func.id) is not Other.UNKNOWN
        if own or len(node.args) != 1:
            return None
        self.values(*node.keywords, scope=scope)
        binding = self.held(self.value(node.args[0], scope))
        has_parts = isinstance(binding, Items) or (isinstance(binding, Known) and binding.parts)
        return binding if has_parts else Other.UNKNOWN


_HANDLERS: dict[type[ast.AST], Callable[[Expressions, Any, Scope], Binding]] = {
    ast.NamedExpr: Expressions.walrus,
    ast.IfExp: Expressions.choice,
    ast.BoolOp: Expressions.either,
    ast.Lambda: Expressions.nameless,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.List: Expressions.sequence,
    ast.Tuple: Expressions.sequence,
    ast.Set: Expressions.sequence,
    ast.Dict: Expressions.mapping,
    ast.JoinedStr: Expressions.formatted,
}
_BUILTINS: Mapping[str, Callable[[Expressions, ast.Call, Scope], Binding | None]] = {
    "getattr": Expressions.asked,
    "super": Expressions.parent,
    **dict.fromkeys(_SAME, Expressions.same),
}
