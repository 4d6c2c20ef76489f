"""What a release tells of values: what a call gives, what an attribute holds, what is there.

Types come from annotations and classes alone: nothing is run, and nothing is guessed from names.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from libdrift.languages.python.usage.documented import returned_class
from libdrift.records import Binding, Name, Surface, Symbol, SymbolKind


@dataclass(frozen=True, slots=True)
class Given:
    """A value of a class of the library (``path``), or of an unknown one.

    ``parts`` are those of a tuple or, where it is ``open``, the one that a sequence has any number
    of. ``None`` among them is no value of the library's.
    """

    path: str = ""
    parts: tuple[Given | None, ...] = ()
    open: bool = False
    is_guess: bool = False  # the first of several that it may be


UNKNOWN = Given()
_OPEN = frozenset("Any object".split())
WRAPPERS = frozenset(
    "Annotated ClassVar Final Optional Iterator Generator ContextManager AbstractContextManager"
    " AsyncIterator AsyncGenerator".split()
)
SEQUENCES = frozenset("tuple Tuple list List Sequence".split())
_OLD = re.compile(r"\.(?:v\d+|compat|deprecated|legacy)\.")  # kept beside what is current
_PYTHONS = {"", "builtins", "abc", "typing", "collections", "collections.abc"}  # with its classes
_SCOPES = {SymbolKind.MODULE, SymbolKind.CLASS}


class SurfacePaths(Protocol):
    """A surface by its paths: ``history.views.View`` is one."""

    surface: Surface
    symbols: Mapping[str, Symbol]

    def find(self, path: str) -> Name | None: ...
    def symbol(self, path: str) -> Symbol | None: ...
    def best(self, target: str) -> str: ...
    def is_dark(self, module: str) -> bool: ...
    def is_hazy(self, module: str) -> bool: ...
    def foreign_bases(self, class_id: str) -> set[str]: ...
    def lineage(self, class_id: str) -> tuple[str, ...]: ...


def _may_give(base: str, label: str) -> bool:
    """Whether a base of another package may have a member; what Python's own have is known."""
    place, _, name = base.rpartition(".")
    if place not in _PYTHONS:
        return True
    kind = getattr(importlib.import_module(place or "builtins"), name, None)
    return not isinstance(kind, type) or hasattr(kind, label)


class ReleaseTypes:
    """Over the surface of one release; what was asked before is remembered.

    What a function returns is guessed from another release, where this one does not say it.
    """

    def __init__(self, paths: SurfacePaths, other: ReleaseTypes | None = None) -> None:
        self._view, self._other = paths, other
        self._calls: dict[str, Given | None] = {}
        self._attributes: dict[str, Given | None] = {}
        self._lacking: dict[str, bool] = {}
        self._public_paths: dict[str, str] = {}

    def has(self, path: str) -> bool:
        if self._view.find(path) is not None:
            return True
        owner, _, name = path.rpartition(".")
        known = self._defined(owner)
        return known != owner and self._view.find(f"{known}.{name}") is not None

    def _defined(self, path: str) -> str:
        """For a name that is there by an unseen way: the only class that is called so."""
        name = self._view.find(path) if path else None
        symbol = self._view.symbols.get(name.target) if name else None
        if name is None or (symbol is not None and symbol.kind is not SymbolKind.UNKNOWN):
            return path
        classes = self._classes.get(path.rpartition(".")[2], [])
        current = [item for item in classes if not _OLD.search(item)]
        return current[0] if len(current) == 1 else path

    def is_of_value(self, path: str) -> bool:
        """Whether a path is of neither module nor class: what it has is its own class's."""
        holder = self._view.symbol(path.rpartition(".")[0])
        return holder is not None and holder.kind not in _SCOPES

    def lacks(self, path: str) -> bool:
        """Whether it is known to have no such path.

        What is in neither module nor class may have whatever its own class has.
        """
        if path not in self._lacking:
            self._lacking[path] = not self.has(path) and self._lacks(path)
        return self._lacking[path]

    def _lacks(self, path: str) -> bool:
        if "._" in path:  # what is private is not in a surface
            return False
        above = path.rpartition(".")[0]
        while above and not self.has(above):
            above = above.rpartition(".")[0]
        holder = self._view.symbol(above) if above else None
        if holder is None or holder.kind not in _SCOPES:
            return False
        beside = self._view.surface.outside.get(holder.id, ()) if ":" not in holder.id else ()
        label = path[len(above) + 1 :].partition(".")[0]
        if label in beside or any(name[-2:] == ".*" for name in beside):
            return False
        module = holder.id.partition(":")[0]
        if self._view.is_dark(module) or self._view.is_hazy(module):
            return False
        if ":" not in holder.id:
            return True
        scopes = [self._view.symbols[scope] for scope in self._view.lineage(holder.id)]
        if any("answers" in scope.traits for scope in scopes):
            return False
        return not any(_may_give(base, label) for base in self._view.foreign_bases(holder.id))

    def has_member(self, name: str) -> bool:
        """Whether some class of it has an attribute or method of that name."""
        return name in self._owners

    def sole_member(self, name: str) -> str:
        """The path of the only member of that name; empty if several classes have one, or none."""
        owners = self._owners.get(name, [])
        owner = self._view.best(owners[0]) if len(owners) == 1 else ""
        return f"{owner}.{name}" if owner else ""

    @cached_property
    def _owners(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for scope, names in self._view.surface.scopes.items():
            for name in names if ":" in scope else ():
                found.setdefault(name, []).append(scope)
        return found

    def names(self, module: str) -> Collection[str]:
        """What ``from module import *`` binds."""
        found = self._view.find(module)
        inside = self._view.surface.scopes.get(found.target, {}) if found else {}
        hidden = {Binding.UNLISTED, Binding.SUBMODULE, Binding.LAZY}
        listed = [name for name, item in inside.items() if item.binding is Binding.LISTED]
        return listed or [
            name for name, item in inside.items() if name[:1] != "_" and item.binding not in hidden
        ]

    def canonical(self, path: str) -> str:
        """The most public path of what a path reaches; empty if the release has no such path."""
        known = self._public_paths.get(path)
        if known is None:
            known = self._public_paths[path] = self._canonical(path)
        return known

    def _canonical(self, path: str) -> str:
        name = self._view.find(path)
        if name is None:
            return ""
        best = self._view.best(name.target)
        if best or ":" not in name.target:
            return best or path
        module, _, inner = name.target.partition(":")
        owner, _, last = inner.rpartition(".")
        above = self._view.best(f"{module}:{owner}") if owner else ""
        return f"{above}.{last}" if above else path

    # --- types

    def call(self, path: str) -> Given | None:
        """What calling a path gives; ``None`` if that is no value of the library's."""
        if path not in self._calls:
            self._calls[path] = self._call(path)
        return self._calls[path]

    def _call(self, path: str) -> Given | None:
        symbol = self._view.symbol(self._defined(path))
        if symbol is None:
            return UNKNOWN
        if symbol.kind is SymbolKind.CLASS:
            return Given(self._public(symbol, path))
        returns = symbol.signature.returns if symbol.signature else ""
        told = "" if returns else self._told_elsewhere(path)
        if told:
            return Given(told, is_guess=True)
        found = self._annotated(returns or returned_class(symbol.doc), path, symbol)
        if not returns:  # documentation is not held to what it says
            return replace(found, is_guess=True) if found and found.path else UNKNOWN
        if "overloaded" in symbol.traits:
            return replace(found, is_guess=True) if found and found.path else UNKNOWN
        return found

    def decorated(self, path: str) -> Given:
        """What ``@path(…)`` makes of a function: what the callable that it returns gives."""
        symbol = self._view.symbol(self._defined(path))
        returns = symbol.signature.returns if symbol and symbol.signature else ""
        try:
            nodes = list(ast.walk(ast.parse(returns.strip("'\""), mode="eval")))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return UNKNOWN
        for node in nodes:
            if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
                continue
            if _dotted(node.value).rpartition(".")[2] == "Callable" and symbol is not None:
                module, owner = symbol.id.partition(":")[0], path.rpartition(".")[0]
                return self._type(node.slice.elts[-1], module, owner) or UNKNOWN
        return UNKNOWN

    def _told_elsewhere(self, path: str) -> str:
        """The class that the other release says is returned, by its path in this one."""
        other = self._other
        given = other.call(path) if other is not None else None
        if other is None or not given or other.is_class(path):
            return ""
        return self._class_here(other, given.path)

    def _class_here(self, other: ReleaseTypes, path: str) -> str:
        """A class of the other release, by its path in this one."""
        there = other._view.symbol(path) if path else None
        here = self._view.symbols.get(there.id) if there else None
        here = here or (self._view.symbol(path) if path else None)
        return self._public(here, "") if here and here.kind is SymbolKind.CLASS else ""

    def parameter(self, path: str, name: str) -> Given:
        """What a function is given for a parameter, as this release or the other one says."""
        symbol = self._view.symbol(path)
        known = symbol.signature.parameters if symbol and symbol.signature else ()
        text = next((item.annotation for item in known if item.name == name), "")
        if symbol is not None and text:
            return self._annotated(text, path, symbol) or UNKNOWN
        other = self._other
        told = self._class_here(other, other.parameter(path, name).path) if other else ""
        return Given(told, is_guess=True) if told else UNKNOWN

    def foreign_bases(self, path: str) -> list[str]:
        """The classes of other packages that a class has something from, by their paths."""
        symbol = self._view.symbol(self._defined(path))
        if symbol is None or symbol.kind is not SymbolKind.CLASS:
            return []
        bases = self._view.foreign_bases(symbol.id)
        return sorted(base.replace(":", ".") for base in bases)

    def is_class(self, path: str) -> bool:
        symbol = self._view.symbol(self._defined(path))
        return symbol is not None and symbol.kind is SymbolKind.CLASS

    def attribute(self, path: str) -> Given | None:
        """What reading a member of a value gives."""
        if path not in self._attributes:
            self._attributes[path] = self._attribute(path)
        return self._attributes[path]

    def _attribute(self, path: str) -> Given | None:
        symbol = self._view.symbol(path)
        if symbol is None:
            return UNKNOWN
        returns = symbol.signature.returns if symbol.signature else ""
        text = returns if symbol.kind is SymbolKind.PROPERTY else symbol.annotation
        return self._annotated(text, path, symbol)

    def _annotated(self, text: str, path: str, symbol: Symbol) -> Given | None:
        """The class that an annotation names, seen from where the symbol is defined."""
        module, owner = symbol.id.partition(":")[0], path.rpartition(".")[0]
        return self._quoted(text, module, owner) if text else UNKNOWN

    def _quoted(self, text: str, module: str, owner: str) -> Given | None:
        try:
            return self._type(ast.parse(text, mode="eval").body, module, owner)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return UNKNOWN

    def _type(self, node: ast.expr, module: str, owner: str) -> Given | None:
        if isinstance(node, ast.Constant):
            return self._quoted(node.value, module, owner) if isinstance(node.value, str) else None
        if isinstance(node, ast.BinOp):  # of types, only | is there
            return _either([self._type(side, module, owner) for side in (node.left, node.right)])
        if isinstance(node, ast.Subscript):
            return self._generic(node, module, owner)
        name = _dotted(node)
        last = name.rpartition(".")[2]
        if last == "Self":
            return Given(owner)
        return UNKNOWN if last in _OPEN or last[:1] in {"", "_"} else self._class(name, module)

    def _generic(self, node: ast.Subscript, module: str, owner: str) -> Given | None:
        last = _dotted(node.value).rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if last in SEQUENCES:
            endless = any(isinstance(item, ast.Constant) and item.value is ... for item in inner)
            items = inner[:1] if endless else inner
            is_open = endless or last not in {"tuple", "Tuple"}
            return Given("", tuple(self._type(item, module, owner) for item in items), is_open)
        if last in WRAPPERS:
            return self._type(inner[0], module, owner)
        if last == "Union":
            return _either([self._type(item, module, owner) for item in inner])
        return self._type(node.value, module, owner)

    def _class(self, name: str, module: str) -> Given | None:
        """A class of this release; a name that is no class may stand for any: ``T``."""
        for path in (f"{module}.{name}", name):
            symbol = self._view.symbol(path)
            if symbol is not None:
                is_class = symbol.kind is SymbolKind.CLASS
                return Given(self._public(symbol, path)) if is_class else UNKNOWN
        # Imported for checkers only, as a rule, which the history does not show.
        known = self._classes.get(name.rpartition(".")[2], [])
        return Given(known[0]) if len(known) == 1 else (UNKNOWN if known else None)

    @cached_property
    def _classes(self) -> dict[str, list[str]]:
        """Public paths of classes, by their last names."""
        found: dict[str, list[str]] = {}
        for target, symbol in self._view.symbols.items():
            path = self._view.best(target) if symbol.kind is SymbolKind.CLASS else ""
            if path:
                found.setdefault(path.rpartition(".")[2], []).append(path)
        return found

    def _public(self, symbol: Symbol, path: str) -> str:
        return self._view.best(symbol.id) or path


def _either(given: list[Given | None]) -> Given | None:
    """One of several types: the library's, where it is one; else perhaps the first."""
    own = list(dict.fromkeys(item for item in given if item is not None))
    if len(own) > 1:
        return replace(own[0], is_guess=True) if own[0].path else UNKNOWN
    return own[0] if own else None


def _dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


Lookup = Callable[[str], ReleaseTypes | None]  # the release of a package, where it is known


class Packages(Protocol):
    def of(self, module: str) -> str | None:
        """The package that a module or a name in one is of; nothing if it is of no interest."""


@dataclass(frozen=True, slots=True)
class OnePackage:
    """Only what is of one package, by the modules that it offers, is of interest."""

    package: str
    roots: Collection[str]

    def of(self, module: str) -> str | None:
        while module and module not in self.roots:
            module = module.rpartition(".")[0]
        return self.package if module else None
