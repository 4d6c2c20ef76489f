"""What an attribute of something is: of a package, of its values, of the code's own classes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from libdrift.languages.python.usage.annotations import Annotations
from libdrift.languages.python.usage.bindings import (
    Binding,
    BindingKind,
    Known,
    Other,
    Own,
    OwnClass,
    OwnFunction,
    OwnModule,
    Parent,
    Plain,
    given,
    merged,
    weaker,
)
from libdrift.languages.python.usage.scopes import Scope
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import Certainty, Guard, Reason

_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})
_TEXTS = frozenset({"__version__", "__name__", "__doc__", "__file__"})  # plain values


@dataclass(slots=True)
class OwnDefinitions:
    """What one reading of the code has found of its own classes and functions, for the next."""

    attributes: dict[ast.ClassDef, dict[str, Binding]] = field(default_factory=dict)
    returns: dict[ast.AST, Binding] = field(default_factory=dict)
    bases: dict[ast.ClassDef, list[Binding]] = field(default_factory=dict)
    given: dict[ast.AST, dict[str, Binding]] = field(default_factory=dict)  # to parameters
    methods: set[ast.AST] = field(default_factory=set)
    # What the code stands under that names a function.
    named: dict[ast.AST, set[Guard]] = field(default_factory=dict)

    def known(self) -> OwnDefinitions:
        """Without functions that return nothing of interest."""
        returns = {
            key: item
            for key, item in self.returns.items()
            if is_worth(item) or isinstance(item, Plain)
        }
        return replace(self, returns=returns)


class Neighbours(Protocol):
    """The other modules of a project, as one of them sees them; each has a place."""

    definitions: OwnDefinitions  # of all of them

    def place_of(self, module: str) -> Path | None:
        """The place of a module or folder, by the name that an import gives it."""

    def names(self, place: Path) -> Mapping[str, Binding]:
        """What a module has."""

    def below(self, place: Path, name: str) -> Path | None:
        """The place of a module in a folder."""

    def given(self, node: ast.AST) -> Mapping[str, Binding]:
        """What others give to the parameters of a function."""

    def put(self, place: Path, name: str, binding: Binding) -> None:
        """Notes what is made an attribute of a module."""

    def keep(self, names: Mapping[str, Binding], found: OwnDefinitions) -> None:
        """Notes what the module that was read has."""


class MemberReader(Annotations):
    """A part of the reader of expressions."""

    def __init__(
        self,
        packages: Packages,
        release: Lookup,
        told: OwnDefinitions,
        neighbours: Neighbours | None = None,
    ) -> None:
        self.packages = packages
        self.release = release
        self.told = told  # by an earlier reading
        self.neighbours = neighbours
        self._others = neighbours.definitions if neighbours else OwnDefinitions()

    def returned(self, definition: ast.AST) -> Binding:
        found = self.told.returns.get(definition)
        return found or self._others.returns.get(definition, Other.UNKNOWN)

    def guard_of_calls(self, definition: ast.FunctionDef | ast.AsyncFunctionDef) -> Guard:
        """What all code stands under that names a function which no other module does."""
        found = self.told.named.get(definition, set()) if definition.name[:1] == "_" else set()
        return min(found) if found and Guard.NONE not in found else Guard.NONE

    def is_method(self, definition: ast.AST) -> bool:
        return definition in self.told.methods or definition in self._others.methods

    def _attributes(self, definition: ast.ClassDef) -> Mapping[str, Binding]:
        found = self.told.attributes.get(definition)
        return self._others.attributes.get(definition, {}) if found is None else found

    def _bases(self, definition: ast.ClassDef) -> list[Binding]:
        return self.told.bases.get(definition) or self._others.bases.get(definition, [])

    def member(self, binding: Binding, name: str) -> Binding:
        if isinstance(binding, Own):
            return self._own_member(binding.definition, name)
        if isinstance(binding, OwnClass):
            return self._class_member(binding.definition, name)
        if isinstance(binding, OwnModule):
            return self._module_member(binding.place, name)
        if isinstance(binding, Parent):
            return self._inherited(binding.definition, name, hidden=True)
        if isinstance(binding, Known) and binding.kind is BindingKind.THING:
            return self._thing_member(binding, name)
        value = self.held(binding)
        if binding in (Other.FOREIGN, Other.ELSEWHERE):
            return Other.ELSEWHERE
        if not isinstance(value, Known) or value.parts:
            return Other.UNKNOWN
        package, path = self._holder(value.package, value.path, name) if value.path else ("", "")
        why, sure = value.why, value.certainty
        return Known(
            package or value.package,
            BindingKind.MEMBER,
            path,
            why=why,
            certainty=sure,
            origin=value.origin,
            guard=value.guard,
        )

    def named(self, node: ast.expr, scope: Scope) -> Binding:
        """What a name stands for, or an attribute of one; it is not noted as a use."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        binding = scope.find(node.id) if isinstance(node, ast.Name) else Other.UNKNOWN
        for name in reversed(names):
            binding = self.member(binding, name)
        return binding

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
                return Known(package, BindingKind.THING, held, why=why, certainty=sure)
        return Known(package, BindingKind.THING, path, why=why, certainty=sure)

    def _module_member(self, place: Path, name: str) -> Binding:
        """Of another module of the project: what is not known to be there may still be."""
        if self.neighbours is None:
            return Other.UNKNOWN
        found = self.neighbours.names(place).get(name)
        inner = self.neighbours.below(place, name) if found is None else None
        if found is None:
            return OwnModule(inner) if inner else Other.UNKNOWN
        if isinstance(found, Known) and found.kind is BindingKind.THING:
            found = replace(found, borrowed=found.path)
        return weaker(found)

    def _class_member(self, definition: ast.ClassDef, name: str) -> Binding:
        """Of the class itself: what it inherits is reached as through the base."""
        found = self._attributes(definition).get(name)
        if found is None:
            found = self._inherited(definition, name)
            if isinstance(found, Known) and found.kind is BindingKind.MEMBER:
                return replace(found, kind=BindingKind.THING)
        return found

    def _own_member(self, definition: ast.ClassDef, name: str) -> Binding:
        found = self._attributes(definition).get(name)
        if found is None:
            return self._inherited(definition, name)
        if isinstance(found, OwnFunction) and _decorated(found.definition) & _PROPERTIES:
            found = self.returned(found.definition)
        return weaker(found, Reason.HELD) if is_thing(found) else weaker(found)

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
        bases = self._bases(definition)
        for base in bases:
            if isinstance(base, OwnClass):
                found = self._attributes(base.definition).get(name)
                if found is None:
                    found = self._inherited(base.definition, name, (*seen, definition))
                if found is not Other.UNKNOWN:
                    return weaker(found)
            elif isinstance(base, Known) and base.kind is BindingKind.THING:
                package, path = self._holder(base.package, base.path, name)
                release = self.release(package)
                private = name[:1] == "_" and (hidden or name[:2] != "__") and len(bases) == 1
                if release is not None and (private or release.has(path)):
                    sure = min(Certainty.LIKELY, base.certainty)
                    return Known(
                        package, BindingKind.MEMBER, path, why=Reason.INHERITED, certainty=sure
                    )
        return Other.UNKNOWN

    def passed(self, node: ast.AST, name: str, otherwise: Binding) -> Binding:
        """What all calls in the code give to a parameter, where they give the same."""
        found = self.told.given.get(node, {}).get(name, Other.NOTHING)
        if self.neighbours is not None:
            found = merged(found, self.neighbours.given(node).get(name, Other.NOTHING))
        return weaker(found, None, Certainty.GUESSED) if isinstance(found, Known) else otherwise

    def overridden(
        self, definition: ast.ClassDef, method: str, name: str, otherwise: Binding
    ) -> Binding:
        """What a package gives to the parameter of a method of its own that a class overrides."""
        base = self._inherited(definition, method)
        release = self.release(base.package) if isinstance(base, Known) else None
        if release is None or not isinstance(base, Known) or base.kind is not BindingKind.MEMBER:
            return otherwise
        what = release.parameter(base.path, name)
        return given(base, what, Reason.INHERITED, Certainty.LIKELY) if what.path else otherwise

    def held(self, binding: Binding) -> Binding:
        """A member as the value that it holds."""
        if not isinstance(binding, Known) or binding.kind is BindingKind.VALUE:
            return binding
        release = self.release(binding.package) if binding.path else None
        if binding.kind is BindingKind.THING:
            what = release.attribute(binding.path) if release else None
            if what is None or not (what.path or what.parts):
                return binding
            return given(binding, what, Reason.ANNOTATED, Certainty.LIKELY)
        if release is None:
            sure = Certainty.GUESSED
            return Known(binding.package, BindingKind.VALUE, why=Reason.UNKNOWN, certainty=sure)
        return given(binding, release.attribute(binding.path), Reason.ANNOTATED, Certainty.LIKELY)

    def class_path(self, binding: Known) -> str:
        release = self.release(binding.package)
        if release is None or not release.has(binding.path):
            return binding.path
        what = release.call(binding.path) if release.is_class(binding.path) else None
        return what.path if what else ""


def _decorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {item.id if isinstance(item, ast.Name) else "…" for item in node.decorator_list}


def is_thing(binding: Binding) -> bool:
    return isinstance(binding, Known) and binding.kind is BindingKind.THING


def is_worth(binding: Binding) -> bool:
    return not isinstance(binding, Other | Plain)
