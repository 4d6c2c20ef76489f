"""What imports bind while code is read: things of packages, and of the project's other modules."""

from __future__ import annotations

import ast
import sys

from libdrift.languages.python.usage.bindings import (
    Binding,
    BindingKind,
    Known,
    Other,
    OwnModule,
)
from libdrift.languages.python.usage.expressions import Expressions
from libdrift.languages.python.usage.imports import Imported, imported
from libdrift.languages.python.usage.members import Neighbours, OwnDefinitions
from libdrift.languages.python.usage.scopes import Scope, statements
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import Guard, Reason


class ImportReader(Expressions):
    """The part of the reader of a module that reads its imports."""

    def __init__(
        self,
        packages: Packages,
        release: Lookup,
        told: OwnDefinitions,
        home: str,
        neighbours: Neighbours | None,
    ) -> None:
        super().__init__(packages, release, told, neighbours)
        self.aliases: dict[str, dict[str, None]] = {}
        self._home = home

    def imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias, item in zip(node.names, imported(node, self._home), strict=True):
            package = None if item.is_relative else self.packages.of(item.full)
            if package is not None:
                self.notes.imports(alias, item, package)
            if item.is_star:
                self._star(item, package, scope)
            elif package is None:
                scope.bind(item.name, self._of_project(item))
            else:
                self.aliases.setdefault(package, {})[item.name] = None
                # What is imported for some versions alone is used for those alone.
                guard = self.notes.import_guard if item.item else Guard.NONE
                scope.bind(item.name, Known(package, BindingKind.THING, item.path, guard=guard))

    def tries_strangers(self, body: list[ast.stmt]) -> bool:
        """Whether statements import only what is not known to be there: of no package at hand.

        What is imported where that fails is then meant for the versions at hand.
        """
        found = [item for node in body for item in imported(node, self._home)]
        return bool(found) and all(self._is_strange(item) for item in found)

    def _is_strange(self, item: Imported) -> bool:
        if item.is_relative or self.packages.of(item.full) is not None:
            return False
        if item.module.partition(".")[0] in sys.stdlib_module_names:
            return False
        return self.neighbours is None or self.neighbours.place_of(item.module) is None

    def _star(self, item: Imported, package: str | None, scope: Scope) -> None:
        release = self.release(package) if package else None
        for name in release.names(item.module) if package and release else ():
            path = f"{item.module}.{name}"
            scope.bind(name, Known(package or "", BindingKind.THING, path, why=Reason.STAR))
        place = self.neighbours.place_of(item.module) if self.neighbours and not package else None
        if self.neighbours is None or place is None:
            return
        for name in list(self.neighbours.names(place)):
            if name[:1] != "_":
                scope.bind(name, self.member(OwnModule(place), name))

    def _of_project(self, item: Imported) -> Binding:
        """What the project's other modules have; else, it is of no package of interest."""
        if self.neighbours is None:
            return Other.FOREIGN
        whole = item.module if item.item or item.renamed else item.path
        place = self.neighbours.place_of(whole)
        if place is None:
            return Other.FOREIGN
        module = OwnModule(place)
        found = self.member(module, item.item) if item.item else module
        return Other.FOREIGN if found is Other.UNKNOWN else found


def imports_any(tree: ast.Module, packages: Packages) -> bool:
    """Whether code imports one of some packages, wherever in it."""
    return any(
        packages.of(item.full)
        for node in statements(tree)
        for item in imported(node)
        if not item.is_relative
    )
