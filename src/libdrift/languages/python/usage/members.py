"""What an attribute of something is: of a package, of its values, of the code's own classes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from libdrift.languages.python.usage.annotations import Annotations
from libdrift.languages.python.usage.bindings import (
    Binding,
    BindingKind,
    Known,
    Other,
    Own,
    OwnClass,
    OwnFunction,
    Parent,
    Plain,
    given,
    weaker,
)
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import Certainty, Reason

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

    def known(self) -> OwnDefinitions:
        """Without functions that return nothing of interest."""
        returns = {
            key: item
            for key, item in self.returns.items()
            if is_worth(item) or isinstance(item, Plain)
        }
        return OwnDefinitions(self.attributes, returns, self.bases, self.given, self.methods)


class MemberReader(Annotations):
    """A part of the reader of expressions."""

    def __init__(self, packages: Packages, release: Lookup, told: OwnDefinitions) -> None:
        self.packages = packages
        self.release = release
        self.told = told  # by an earlier reading

    def member(self, binding: Binding, name: str) -> Binding:
        if isinstance(binding, Own):
            return self._own_member(binding.definition, name)
        if isinstance(binding, OwnClass):
            return self._class_member(binding.definition, name)
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
        )

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

    def _class_member(self, definition: ast.ClassDef, name: str) -> Binding:
        """Of the class itself: what it inherits is reached as through the base."""
        found = self.told.attributes.get(definition, {}).get(name)
        if found is None:
            found = self._inherited(definition, name)
            if isinstance(found, Known) and found.kind is BindingKind.MEMBER:
                return replace(found, kind=BindingKind.THING)
        return found

    def _own_member(self, definition: ast.ClassDef, name: str) -> Binding:
        found = self.told.attributes.get(definition, {}).get(name)
        if found is None:
            return self._inherited(definition, name)
        if isinstance(found, OwnFunction) and _decorated(found.definition) & _PROPERTIES:
            found = self.told.returns.get(found.definition, Other.UNKNOWN)
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
        bases = self.told.bases.get(definition, [])
        for base in bases:
            if isinstance(base, OwnClass):
                found = self.told.attributes.get(base.definition, {}).get(name)
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
