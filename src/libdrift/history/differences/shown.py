"""What releases show in code for an old thing: in its own body, and in their messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libdrift.history.differences import hints, templates
from libdrift.history.differences.templates import Expression, Names
from libdrift.history.views import View
from libdrift.records import Deprecation, Surface, Symbol, SymbolKind

_INSTANCE = {SymbolKind.METHOD, SymbolKind.PROPERTY}
_STATIC = {"classmethod", "staticmethod"}


class ShownCode:
    """Expressions to write instead of an old one, with names of the new release."""

    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.releases = [old.surface, *between]

    def of(self, path: str) -> Iterator[tuple[Expression, bool]]:
        """What releases show in code, the newest first: in its own, and then in messages."""
        shown: list[tuple[Expression, bool]] = []
        for surface in (self.new.surface, *reversed(self.releases)):
            symbol = surface.resolve(path)
            if symbol is None:
                continue
            for told in hints.own_deprecations(symbol):
                found = self._in_code(told, path, symbol, surface)
                if found is not None:
                    yield found, True
                shown += self._in_message(told.message, path, symbol, surface)
                shown += self._chain(told.replacement, path)
        text = self.new.surface.tombstones.get(path, "")
        old = self.old.symbol(path)
        if text and old is not None:
            yield from self._in_message(text, path, old, self.old.surface)
        yield from shown

    def _in_code(
        self, told: Deprecation, path: str, symbol: Symbol, surface: Surface
    ) -> Expression | None:
        tree = templates.parse(told.template) if told.template else None
        if tree is None:
            return None
        module = symbol.id.partition(":")[0]

        def resolve(name: str) -> str:
            if name.startswith(f"{owner}."):
                # Its own code has it of a base of another package, where nothing else is known.
                is_lent = surface is self.new.surface and self._has_foreign_base(owner)
                is_there = is_lent or self.new.find(name) or hints.is_late(name, self.new)
                found = name if is_there and name != path else ""
            else:
                found = self._of_module(name, module, surface) or hints.resolve(
                    name, path, self.new
                )
            return self._living(found, path) or _imported(name, path, module, surface)

        owner = self.owner(path)
        return templates.settled(tree, Names(owner, resolve, self.needs_instance))

    def _has_foreign_base(self, owner: str) -> bool:
        found = self.new.find(owner) if owner else None
        is_class = found is not None and found.target in self.new.symbols
        return found is not None and is_class and bool(self.new.foreign_bases(found.target))

    def _in_message(
        self, text: str, path: str, symbol: Symbol, surface: Surface
    ) -> list[tuple[Expression, bool]]:
        owner = self.owner(path)
        text = _of_self(text, path) if owner else text

        def resolve(name: str) -> str:
            near = hints.resolve(name, path, self.new) or outer_path(name, symbol, surface)
            return self._living(near, path)

        found: list[tuple[Expression, bool]] = []
        shown = templates.in_message(
            text, symbol.signature, owner, lambda name: bool(resolve(name))
        )
        for tree in shown:
            expression = templates.settled(tree, Names(owner, resolve, self.needs_instance))
            if expression is not None:
                found.append((expression, False))
        return found

    def _chain(self, name: str, path: str) -> list[tuple[Expression, bool]]:
        """`Owner.part.size`, of `Owner.size`: what a member of the same object has."""
        owner = self.owner(path)
        first, _, rest = name.partition(".")
        if "." not in rest or first not in {owner.rpartition(".")[2], "self"} or not owner:
            return []
        member = f"{owner}.{rest.partition('.')[0]}"
        if member == path or not self._is_value(member):
            return []
        return [(Expression(f"{{self}}.{rest}", member, is_call=False, is_plain=False), False)]

    def _is_value(self, path: str) -> bool:
        """Whether the objects of a class have a value by this path."""
        symbol = self.new.symbol(path)
        values = {SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE, SymbolKind.CONSTANT}
        is_value = symbol is not None and symbol.kind in values
        return is_value or (symbol is None and hints.is_late(path, self.new))

    def _living(self, found: str, path: str) -> str:
        """A path, unless it is the old one or dying as well."""
        if not found or found == path or hints.is_dying(found, self.new):
            return ""
        return found

    def _of_module(self, name: str, module: str, surface: Surface) -> str:
        """A name as a module of a release has it, in the new release."""
        first, dot, rest = name.partition(".")
        bound = surface.lookup(module, first)
        if bound is None:
            return ""
        if _is_external(surface, bound.target):
            return bound.target.replace(":", ".").rstrip(".") + dot + rest
        view = self.old if surface is self.old.surface else None
        places = [self.new.best(bound.target), view.best(bound.target) if view else ""]
        places.append(bound.target.replace(":", "."))
        for place in filter(None, places):
            path = place + dot + rest
            if self.new.find(path) and not self.new.is_inner(path):
                return path
        return ""

    def owner(self, path: str) -> str:
        """The class that a path is a member of, or nothing."""
        parent = path.rpartition(".")[0]
        symbol = self.old.symbol(parent) or self.new.symbol(parent)
        return parent if symbol is not None and symbol.kind is SymbolKind.CLASS else ""

    def needs_instance(self, path: str) -> bool:
        symbol = self.new.symbol(path)
        if symbol is None or not self.owner(path):
            return False
        return symbol.kind in _INSTANCE and _STATIC.isdisjoint(symbol.traits)


def _of_self(text: str, path: str) -> str:
    """A message with `self` for what it calls the old thing on: `geometry.crc()`."""
    label = re.escape(path.rpartition(".")[2])
    found = re.search(rf"(?<![\w.])([a-z]\w*)\.{label}\b", text)
    if found is None or found[1] == path.partition(".")[0]:
        return text
    return re.sub(rf"(?<![\w.]){found[1]}(?=[.\[\])])", "self", text)


def _imported(name: str, path: str, module: str, surface: Surface) -> str:
    """The path of another package's thing, which code has by its import."""
    first, dot, _ = name.partition(".")
    is_own = first == path.partition(".")[0] or surface.lookup(module, first) is not None
    return "" if is_own or not dot else name


def _is_external(surface: Surface, target: str) -> bool:
    symbol = surface.symbols.get(target)
    return symbol is not None and "external" in symbol.traits


def outer_path(name: str, symbol: Symbol, surface: Surface) -> str:
    """`np.asarray`, in a module that imports numpy so: the full path of another package's thing."""
    first, dot, rest = name.partition(".")
    bound = surface.lookup(symbol.id.partition(":")[0], first)
    if bound is None or not dot or not _is_external(surface, bound.target):
        return ""
    return bound.target.replace(":", ".").rstrip(".") + dot + rest
