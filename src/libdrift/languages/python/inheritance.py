"""What needs all classes of a release: constructors, and accessors under second names."""

from __future__ import annotations

from collections.abc import Mapping

from libdrift.languages.python import outside
from libdrift.languages.python.parsed import Definition
from libdrift.records import Name, Parameter, ParameterKind, Signature

_DEEP = 30  # bases above bases; more is a circle


class Inheritance:
    def __init__(
        self,
        definitions: Mapping[str, Definition],
        bases: Mapping[str, tuple[str, ...]],
        scopes: Mapping[str, dict[str, Name]],
    ) -> None:
        self._definitions = definitions
        self._bases = bases
        self._scopes = scopes

    def add_accessors(self, class_id: str) -> None:
        """``set_lw`` for ``set_linewidth``, where a decorator makes them."""
        for name, alias in self._definitions[class_id].aliases:
            for prefix in ("get_", "set_"):
                target = self._inherited(class_id, prefix + name)
                if target is not None:
                    self._scopes[class_id].setdefault(prefix + alias, target)

    def _inherited(self, class_id: str, name: str, depth: int = 0) -> Name | None:
        found = self._scopes.get(class_id, {}).get(name)
        if found is not None or depth > _DEEP:
            return found
        for base in self._bases.get(class_id, ()):
            found = self._inherited(base, name, depth + 1)
            if found is not None:
                return found
        return None

    def is_mapping(self, class_id: str, depth: int = 0) -> bool:
        """Whether a class is a ``TypedDict``, by whatever bases."""
        bases = self._bases.get(class_id, ())
        if any(base.rpartition(".")[2] == "TypedDict" for base in bases):
            return True
        return depth <= _DEEP and any(self.is_mapping(base, depth + 1) for base in bases)

    def take_keys(self, class_id: str) -> None:
        """Keys of a ``TypedDict`` below another one: what it is called with, and no attributes."""
        item, scope = self._definitions[class_id], self._scopes[class_id]
        keys = [name for name, member in item.members.items() if "instance" in member.traits]
        if item.fields is None:
            only = ParameterKind.KEYWORD_ONLY
            taken = (Parameter(name, only, "...", item.members[name].annotation) for name in keys)
            item.fields = Signature(tuple(taken))
        for name in keys:
            scope.pop(name, None)

    def is_inherited(self, class_id: str, name: str) -> bool:
        """Whether a base within the package has a member of that name."""
        bases = self._bases.get(class_id, ())
        return any(self._inherited(base, name) is not None for base in bases)

    def constructor(self, class_id: str, below: tuple[str, ...] = ()) -> Signature | None:
        """What a class is called with; None where that is decided outside of the package."""
        if class_id not in self._definitions or class_id in below:
            return None
        item = self._definitions[class_id]
        if item.constructor is not None:
            return item.constructor
        if item.fields is not None:
            return Signature(tuple(self._fields(class_id, below)))
        bases = [base for base in self._bases[class_id] if base not in outside.PLAIN]
        for base in bases:
            if base not in self._definitions:
                return None
            found = self.constructor(base, (*below, class_id))
            if found is None or found.parameters or base == bases[-1]:
                return found
        return Signature()

    def _fields(self, class_id: str, below: tuple[str, ...]) -> list[Parameter]:
        """Of a dataclass: those of its bases first, each as it was last declared."""
        if class_id not in self._definitions or class_id in below:
            return []
        found: dict[str, Parameter] = {}
        for base in reversed(self._bases[class_id]):
            for parameter in self._fields(base, (*below, class_id)):
                found[parameter.name] = parameter
        fields = self._definitions[class_id].fields
        for parameter in fields.parameters if fields is not None else ():
            found[parameter.name] = parameter
        return list(found.values())
