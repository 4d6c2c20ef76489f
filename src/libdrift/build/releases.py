"""What the history knows of a pinned release: what a call gives, what is there, how it stands.

Types come from annotations and classes alone: nothing is run, and nothing is guessed from names.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from libdrift.build.lifecycles import Lifecycle, Lifecycles
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.records import Symbol, SymbolKind

_KEPT = 8  # releases, each with its neighbours: some tens of MB


@dataclass(frozen=True, slots=True)
class Given:
    """A value of a class of the library (``path``), or of an unknown one.

    ``parts`` are those of a tuple or, where it is ``open``, the one that a sequence has any number
    of. ``None`` among them is no value of the library's.
    """

    path: str = ""
    parts: tuple[Given | None, ...] = ()
    open: bool = False


UNKNOWN = Given()
_OPEN = frozenset("Any object".split())
_WRAPPERS = frozenset(
    "Annotated ClassVar Final Optional Iterator Generator ContextManager AbstractContextManager"
    " AsyncIterator AsyncGenerator".split()
)
_SEQUENCES = frozenset("tuple Tuple list List Sequence".split())
_SCOPES = {SymbolKind.MODULE, SymbolKind.CLASS}


class Releases:
    """The mined releases; those used last are kept."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], Release | None] = {}

    def get(self, library: str, version: str) -> Release | None:
        key = (library, version)
        found = self._kept.pop(key) if key in self._kept else self._open(library, version)
        self._kept[key] = found
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    def _open(self, library: str, version: str) -> Release | None:
        if self._store is None:
            return None
        try:
            written = self._store.version(library, version)
        except UserError:  # that release is not mined
            return None
        return Release(Lifecycles(self._store, library, (written,)), written)


class Release:
    def __init__(self, lives: Lifecycles, version: str) -> None:
        self._lives = lives
        self._version = version
        self._view: View = lives.view(version)
        self._labels: dict[str, Lifecycle | None] = {}
        self._calls: dict[str, Given | None] = {}

    @property
    def date(self) -> date | None:
        return self._view.surface.release.date

    def lifecycle(self, path: str) -> Lifecycle | None:
        """``None`` for what the release is not known to have, too."""
        if path not in self._labels:
            found = self._lives.labels(self._version, [path]) if self.has(path) else {}
            self._labels[path] = found.get(path)
        return self._labels[path]

    def has(self, path: str) -> bool:
        return self._view.find(path) is not None

    def is_of_value(self, path: str) -> bool:
        """Whether a path is of neither module nor class: what it has is its own class's."""
        holder = self._view.symbol(path.rpartition(".")[0])
        return holder is not None and holder.kind not in _SCOPES

    def lacks(self, path: str) -> bool:
        """Whether it is known to have no such path.

        What is in neither module nor class may have whatever its own class has.
        """
        if self.has(path):
            return False
        above = path.rpartition(".")[0]
        while above and not self.has(above):
            above = above.rpartition(".")[0]
        holder = self._view.symbol(above) if above else None
        if holder is None or holder.kind not in _SCOPES:
            return False
        module = holder.id.partition(":")[0]
        hazy = self._view.is_dark(module) or self._view.is_hazy(module)
        return not hazy and not (":" in holder.id and self._view.foreign_bases(holder.id))

    def has_member(self, name: str) -> bool:
        """Whether some class of it has an attribute or method of that name."""
        return name in self._members

    @cached_property
    def _members(self) -> frozenset[str]:
        scopes = self._view.surface.scopes.items()
        return frozenset(name for scope, names in scopes if ":" in scope for name in names)

    # --- types

    def call(self, path: str) -> Given | None:
        """What calling a path gives; ``None`` if that is no value of the library's."""
        if path not in self._calls:
            self._calls[path] = self._call(path)
        return self._calls[path]

    def _call(self, path: str) -> Given | None:
        symbol = self._view.symbol(path)
        if symbol is None or "overloaded" in symbol.traits:
            return UNKNOWN
        if symbol.kind is SymbolKind.CLASS:
            return Given(self._public(symbol, path))
        returns = symbol.signature.returns if symbol.signature else ""
        return self._annotated(returns, path, symbol)

    def attribute(self, path: str) -> Given | None:
        """What reading a member of a value gives."""
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
        if last in _SEQUENCES:
            endless = any(isinstance(item, ast.Constant) and item.value is ... for item in inner)
            items = inner[:1] if endless else inner
            is_open = endless or last not in {"tuple", "Tuple"}
            return Given("", tuple(self._type(item, module, owner) for item in items), is_open)
        if last in _WRAPPERS:
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
    """One of several types: the library's, where it is one."""
    own = {item for item in given if item is not None}
    return own.pop() if len(own) == 1 else (UNKNOWN if own else None)


def _dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
