"""What expressions give, and the uses of packages in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from libdrift.languages.python.usage import guards
from libdrift.languages.python.usage.annotations import Annotations
from libdrift.languages.python.usage.bindings import (
    Binding,
    Items,
    Kind,
    Known,
    Other,
    Own,
    OwnClass,
    OwnFunction,
    Parent,
    element_of,
    given,
    item_of,
    merged,
    part_of,
    weaker,
)
from libdrift.languages.python.usage.noting import Notes
from libdrift.languages.python.usage.scopes import Scope, parameters
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import (
    Certainty,
    Guard,
    Reason,
    arguments_of,
)

_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})
_TEXTS = frozenset({"__version__", "__name__", "__doc__", "__file__"})  # plain values
_SAME = frozenset({"list", "tuple", "sorted", "reversed", "set", "iter"})


@dataclass(slots=True)
class Told:
    """What one reading of the code has found of its own classes and functions, for the next."""

    attributes: dict[ast.ClassDef, dict[str, Binding]] = field(default_factory=dict)
    returns: dict[ast.AST, Binding] = field(default_factory=dict)
    bases: dict[ast.ClassDef, list[Binding]] = field(default_factory=dict)

    def known(self) -> Told:
        """Without functions that return nothing of interest."""
        returns = {key: item for key, item in self.returns.items() if _is_worth(item)}
        return Told(self.attributes, returns, self.bases)


class Expressions(Annotations):
    """Reads expressions, and keeps the uses that it meets."""

    def __init__(self, packages: Packages, release: Lookup, told: Told) -> None:
        self.packages = packages
        self.release = release
        self.told = told  # by an earlier reading
        self.found = Told()
        self.notes = Notes(packages, release)

    def value(self, node: ast.AST, scope: Scope) -> Binding:
        """What an expression gives; the uses in it are noted."""
        notes = self.notes
        before = notes.chain
        notes.chains += 1
        notes.chain = notes.chains
        binding = self._noted(node, scope)
        notes.chain = before
        return binding

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
            scope.bind(target.id, _assigned(binding))
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
        else:
            self.value(target, scope)

    def class_path(self, binding: Known) -> str:
        release = self.release(binding.package)
        if release is None or not release.has(binding.path):
            return binding.path
        what = release.call(binding.path) if release.is_class(binding.path) else None
        return what.path if what else ""

    def bind_attribute(self, definition: ast.ClassDef, name: str, binding: Binding) -> None:
        known = self.found.attributes.setdefault(definition, {})
        known[name] = merged(known.get(name, Other.NOTHING), binding)

    # --- chains of attributes, calls and subscripts

    def _chain(self, node: ast.AST, scope: Scope) -> Binding:
        """An expression that others may build on."""
        if isinstance(node, ast.Name):
            return scope.find(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope)
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.Subscript):
            holder = self.held(self._noted(node.value, scope))
            self.value(node.slice, scope)
            if isinstance(node.slice, ast.Constant):
                return item_of(holder, node.slice.value)
            return holder if _is_slice(node, holder) else part_of(holder, 0, 0)
        if isinstance(node, ast.Await):
            return self._noted(node.value, scope)
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, node, scope)
        self.values(*ast.iter_child_nodes(node), scope=scope)
        is_none = isinstance(node, ast.Constant) and node.value is None
        return Other.NOTHING if is_none else Other.UNKNOWN

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Binding:
        inner = self._chain(node.value, scope)
        found = self.member(inner, node.attr)
        if isinstance(inner, Known) and not (_is_thing(inner) and _is_thing(found)):
            self.notes.read(node.value, inner, scope)  # the path goes no further
        return found

    def _call(self, node: ast.Call, scope: Scope) -> Binding:
        function = node.func
        if isinstance(function, ast.Name) and function.id in _BUILTINS:
            special = _BUILTINS[function.id](self, node, scope)
            if special is not None:
                return special
        binding = self._chain(function, scope)
        if isinstance(binding, Known):
            return self._known_call(node, binding, scope)
        self.values(*node.args, *node.keywords, scope=scope)
        if isinstance(binding, OwnClass):
            return Own(binding.definition)
        if isinstance(binding, OwnFunction):
            return self.told.returns.get(binding.definition, Other.UNKNOWN)
        return Other.UNKNOWN

    def _known_call(self, node: ast.Call, binding: Known, scope: Scope) -> Binding:
        noted = self.notes.called(node, binding, arguments_of(node), scope)
        self.values(*node.args, *node.keywords, scope=scope)
        if not noted:
            return Other.UNKNOWN
        known = Known(noted, binding.kind, binding.path, certainty=binding.certainty)
        release = self.release(noted)
        unknown = Known(noted, Kind.VALUE, why=Reason.UNKNOWN, certainty=Certainty.GUESSED)
        if binding.kind is Kind.VALUE or not binding.path:
            return unknown
        if release is None:
            if not binding.path.rpartition(".")[2][:1].isupper():
                return unknown
            return Known(
                noted,
                Kind.VALUE,
                binding.path,
                why=Reason.CLASS_NAME,
                certainty=Certainty.GUESSED,
            )
        what = release.call(binding.path)
        if release.is_class(binding.path):
            return given(known, what, Reason.CONSTRUCTED, Certainty.CERTAIN)
        return given(known, what, Reason.RETURNED, Certainty.LIKELY)

    def member(self, binding: Binding, name: str) -> Binding:
        if isinstance(binding, Own):
            return self._own_member(binding.definition, name)
        if isinstance(binding, OwnClass):
            return self.told.attributes.get(binding.definition, {}).get(name, Other.UNKNOWN)
        if isinstance(binding, Parent):
            return self._inherited(binding.definition, name, hidden=True)
        if isinstance(binding, Known) and binding.kind is Kind.THING:
            return self._thing_member(binding, name)
        value = self.held(binding)
        if not isinstance(value, Known) or value.parts:
            return Other.UNKNOWN
        package, path = self._holder(value.package, value.path, name) if value.path else ("", "")
        why, sure = value.why, value.certainty
        return Known(package or value.package, Kind.MEMBER, path, why=why, certainty=sure)

    def _holder(self, package: str, owner: str, name: str, depth: int = 5) -> tuple[str, str]:
        """Where a class has a member from: itself, or a base of another package."""
        path = f"{owner}.{name}"
        release = self.release(package)
        if release is None or not depth or release.has(path):
            return package, path
        for base in release.foreign_bases(owner):
            other = self.packages.of(base)
            if other is not None and other != package:
                found = self._holder(other, base, name, depth - 1)
                known = self.release(found[0])
                if known is not None and known.has(found[1]):
                    return found
        return package, path

    def _thing_member(self, binding: Known, name: str) -> Binding:
        path = f"{binding.path}.{name}"
        release = self.release(binding.package)
        if release is not None and release.is_of_value(path):
            what = release.attribute(binding.path)
            if what is not None and what.path:
                value = given(binding, what, Reason.ANNOTATED, Certainty.LIKELY)
                return self.member(value, name)
        if binding.path.rpartition(".")[2] in _TEXTS:
            return Other.UNKNOWN
        package, why, sure = binding.package, binding.why, binding.certainty
        if release is not None and release.is_class(binding.path):
            package, held = self._holder(package, binding.path, name)
            if package != binding.package:
                return Known(package, Kind.THING, held, why=why, certainty=sure)
        return Known(package, Kind.THING, path, why=why, certainty=sure)

    def _own_member(self, definition: ast.ClassDef, name: str) -> Binding:
        found = self.told.attributes.get(definition, {}).get(name)
        if found is None:
            return self._inherited(definition, name)
        if isinstance(found, OwnFunction) and _decorated(found.definition) & _PROPERTIES:
            found = self.told.returns.get(found.definition, Other.UNKNOWN)
        return weaker(found, Reason.HELD) if _is_thing(found) else weaker(found)

    def _inherited(
        self,
        definition: ast.ClassDef,
        name: str,
        seen: tuple[ast.ClassDef, ...] = (),
        *,
        hidden: bool = False,
    ) -> Binding:
        """What a class has from its bases: the code's own, or of a package.

        No surface has private names, nor those of Python (``hidden``): who asks for one that the
        code's own class has not means the only base's.
        """
        if definition in seen:
            return Other.UNKNOWN
        bases = self.told.bases.get(definition, [])
        for base in bases:
            if isinstance(base, OwnClass):
                found = self.told.attributes.get(base.definition, {}).get(name)
                if found is None:
                    found = self._inherited(base.definition, name, (*seen, definition))
                if found is not Other.UNKNOWN:
                    return weaker(found)
            elif isinstance(base, Known) and base.kind is Kind.THING:
                package, path = self._holder(base.package, base.path, name)
                release = self.release(package)
                private = name[:1] == "_" and (hidden or name[:2] != "__") and len(bases) == 1
                if release is not None and (private or release.has(path)):
                    sure = min(Certainty.LIKELY, base.certainty)
                    return Known(package, Kind.MEMBER, path, why=Reason.INHERITED, certainty=sure)
        return Other.UNKNOWN

    def held(self, binding: Binding) -> Binding:
        """A member as the value that it holds."""
        if not isinstance(binding, Known) or binding.kind is Kind.VALUE:
            return binding
        release = self.release(binding.package) if binding.path else None
        if binding.kind is Kind.THING:
            what = release.attribute(binding.path) if release else None
            if what is None or not (what.path or what.parts):
                return binding
            return given(binding, what, Reason.ANNOTATED, Certainty.LIKELY)
        if release is None:
            sure = Certainty.GUESSED
            return Known(binding.package, Kind.VALUE, why=Reason.UNKNOWN, certainty=sure)
        return given(binding, release.attribute(binding.path), Reason.ANNOTATED, Certainty.LIKELY)

    # --- other expressions

    def walrus(self, node: ast.NamedExpr, scope: Scope) -> Binding:
        binding = self.value(node.value, scope)
        self.bind(node.target, binding, scope)
        return binding

    def choice(self, node: ast.IfExp, scope: Scope) -> Binding:
        guard = self.guard_of(node.test, scope)
        self.value(node.test, scope)
        with self.notes.under(guard):
            return merged(self.value(node.body, scope), self.value(node.orelse, scope))

    def either(self, node: ast.BoolOp, scope: Scope) -> Binding:
        """``a or b`` is one of them; what follows a test of versions is for some alone."""
        found: Binding = Other.NOTHING
        guard = Guard.NONE
        for item in node.values:
            with self.notes.under(guard):
                binding = self.value(item, scope)
            if isinstance(node.op, ast.Or):
                found = merged(found, binding)
            guard = guard or self.guard_of(item, scope)
        return found if isinstance(node.op, ast.Or) else Other.UNKNOWN

    def function(self, node: ast.Lambda, scope: Scope) -> Binding:
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
        return Items((found,), ()) if _is_worth(found) else Other.UNKNOWN

    def sequence(self, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Binding:
        found = tuple(self.value(item, scope) for item in node.elts)
        starred = any(isinstance(item, ast.Starred) for item in node.elts)
        return Items(found) if not starred and any(map(_is_worth, found)) else Other.UNKNOWN

    def mapping(self, node: ast.Dict, scope: Scope) -> Binding:
        self.values(*node.keys, scope=scope)
        found = tuple(self.value(item, scope) for item in node.values)
        keys = tuple(item.value for item in node.keys if isinstance(item, ast.Constant))
        whole = len(keys) == len(found) and any(map(_is_worth, found))
        return Items(found, keys) if whole else Other.UNKNOWN

    def formatted(self, node: ast.JoinedStr, scope: Scope) -> Binding:
        with self.notes.quoting():
            self.values(*node.values, scope=scope)
        return Other.UNKNOWN

    # --- built-in functions that have a say

    def guard_of(self, test: ast.expr, scope: Scope) -> Guard:
        return guards.of_test(test, lambda node: self._is_package(node, scope))

    def _is_package(self, node: ast.expr, scope: Scope) -> bool:
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        binding = scope.find(node.id) if isinstance(node, ast.Name) else Other.UNKNOWN
        for name in reversed(names):
            binding = self.member(binding, name)
        return isinstance(binding, Known)

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
        if len(node.args) != 1 or scope.find(node.func.id) is not Other.UNKNOWN:  # type: ignore[attr-defined]
            return None
        self.values(*node.keywords, scope=scope)
        binding = self.held(self.value(node.args[0], scope))
        has_parts = isinstance(binding, Items) or (isinstance(binding, Known) and binding.parts)
        return binding if has_parts else Other.UNKNOWN


_HANDLERS: dict[type[ast.AST], Callable[[Expressions, Any, Scope], Binding]] = {
    ast.NamedExpr: Expressions.walrus,
    ast.IfExp: Expressions.choice,
    ast.BoolOp: Expressions.either,
    ast.Lambda: Expressions.function,
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


def _assigned(binding: Binding) -> Binding:
    imported = isinstance(binding, Known) and binding.why is Reason.IMPORTED
    return weaker(binding, Reason.ASSIGNED, Certainty.CERTAIN) if imported else binding


def _decorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {item.id if isinstance(item, ast.Name) else "…" for item in node.decorator_list}


def _is_thing(binding: Binding) -> bool:
    return isinstance(binding, Known) and binding.kind is Kind.THING


def _is_worth(binding: Binding) -> bool:
    return not isinstance(binding, Other)


def _is_slice(node: ast.Subscript, holder: Binding) -> bool:
    has_parts = isinstance(holder, Items) or (isinstance(holder, Known) and bool(holder.parts))
    return isinstance(node.slice, ast.Slice) and has_parts
