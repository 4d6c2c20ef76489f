"""What to write instead of what a change takes away: the best replacement, and its shape."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences import hints, shapes, templates
from libdrift.history.differences.parameters import ParameterAdvice
from libdrift.history.differences.templates import Expression, Names
from libdrift.history.spelling import is_typed
from libdrift.history.views import View
from libdrift.records import (
    Change,
    ChangeKind,
    Deprecation,
    Replacement,
    ReplacementShape,
    Surface,
    Symbol,
    SymbolKind,
)

_OF_SYMBOLS = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED, ChangeKind.DEPRECATED}
_TOLD = 0.9  # confidence in the first name that a message gives; each further one is worth less
_LESS = 0.2
_IN_CODE = 0.75  # what the old code calls, without a word about it
_BOTH = 0.95
_PYTHONS = 0.7  # of the standard library: nothing here says whether it is there
_BASE = 0.6  # of a class that adds nothing to its base, and is deprecated
_UNRESOLVED = 0.5  # times the confidence, where a message names another package's thing
_DYING = 0.5  # times the confidence in what is deprecated itself
_INSTANCE = {SymbolKind.METHOD, SymbolKind.PROPERTY}
_STATIC = {"classmethod", "staticmethod"}
_VALUE, _FUNCTION = "value", "function"


def with_proof(change: Change, is_same: bool) -> Change:  # noqa: FBT001  (what a trial says)
    """A change after its replacement was tried: whether both printed the same."""
    if change.how is None:
        return change
    sure = 1.0 if is_same else min(change.how.confidence, 0.3)
    return replace(change, how=replace(change.how, is_proven=is_same, confidence=sure))


@dataclass(frozen=True, slots=True)
class _Heir:
    """A path of the new release (or of another package) that may take the place."""

    path: str
    confidence: float
    evidence: tuple[str, ...]


class Advisor:
    """Says for each change what replaces the old, in terms of the new release."""

    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.releases = [old.surface, *between]
        self._parameters = ParameterAdvice(old, new, between)

    def advised(self, change: Change) -> Change:
        """The change with ``replacement`` and ``how``, as far as they are known."""
        if change.parameter or change.kind is ChangeKind.SIGNATURE:
            return change if is_typed(change.package) else self._parameters.advised(change)
        if change.kind in _OF_SYMBOLS:
            return self._of_symbol(change)
        if change.aspect == "type" and not is_typed(change.package):
            return _of_type(change)
        return change

    def _of_symbol(self, change: Change) -> Change:
        heir = self._heir(change)
        expressions = [] if is_typed(change.package) else [*self._expressions(change.path)]
        if heir is None and not self._is_conditional(change):
            heir = next((_of_code(found) for found, is_code in expressions if is_code), None)
            heir = heir or self._base(change.path) or self._of_others(expressions)
        if heir is None:
            return self._without_heir(change)
        chosen = next((e for e, _ in expressions if self._is_same(e.path, heir.path)), None)
        if chosen is not None:
            heir = replace(heir, path=chosen.path, confidence=max(heir.confidence, _BOTH))
        if hints.is_dying(heir.path, self.new):
            heir = replace(heir, confidence=heir.confidence * _DYING)
        if is_typed(change.package) or self._is_conditional(change):
            return _following(change, heir.path, None)
        how = self._how(change, heir, chosen)
        return _following(change, how.path, how)

    def _without_heir(self, change: Change) -> Change:
        outer = self._foreign(change)
        how = _pythons(outer)
        sure = change.confidence
        if outer and how is None and change.kind is ChangeKind.DEPRECATED:
            sure = round(sure * _UNRESOLVED, 2)
        return replace(_following(change, outer, how), confidence=sure)

    # --- what takes the place

    def _heir(self, change: Change) -> _Heir | None:
        found = change.how
        if found is not None and self.new.find(found.path):
            return _Heir(found.path, found.confidence, found.evidence)
        if change.kind is not ChangeKind.DEPRECATED:
            said = hints.named(change.detail) if change.how is None else []
            paths = (hints.resolve(name, change.path, self.new) for name in said)
            path = next(filter(None, paths), "")
            return _Heir(path, _TOLD, change.evidence) if path else None
        releases = [*self.releases, self.new.surface]
        seen: set[str] = set()
        for hint in hints.of(change.path, releases, self.new):
            path = hints.follow(hint, change.path, releases, self.new)
            if path and (hint.is_name or not self._is_conditional(change)):
                return _Heir(path, _TOLD - _LESS * len(seen), (hint.source,))
            if hint.is_name:
                seen.add(hint.name)
                if len(seen) > 3:  # noqa: PLR2004  (names of another matter)
                    break
        return None

    def _is_conditional(self, change: Change) -> bool:
        """Of some uses only: what is said of them is no replacement of the thing."""
        symbol = self.new.symbol(change.path)
        told = symbol.deprecation if symbol else None
        return change.kind is ChangeKind.DEPRECATED and told is not None and told.conditional

    def _of_others(self, expressions: Sequence[tuple[Expression, bool]]) -> _Heir | None:
        """What a message writes with another package's name."""
        for found, _ in expressions:
            if self.new.find(found.path) is None:
                return _Heir(found.path, _IN_CODE, ("a message",))
        return None

    def _base(self, path: str) -> _Heir | None:
        """``class Old(New)`` that adds nothing, and is deprecated."""
        for surface in (self.new.surface, *reversed(self.releases)):
            symbol = surface.resolve(path)
            if symbol is None or symbol.kind is not SymbolKind.CLASS or not symbol.deprecation:
                continue
            own = [name for name in surface.scopes.get(symbol.id, {}) if name[0] != "_"]
            inner = [base for base in symbol.bases if ":" in base]
            if own or len(symbol.bases) != 1 or not inner:
                continue
            best = self.new.best(inner[0])
            if best and not self.new.is_inner(best) and best != path:
                return _Heir(best, _BASE, (f"its base in {surface.release.version}",))
        return None

    def _foreign(self, change: Change) -> str:
        """A name of another package that a message gives; not one that is nobody's."""
        name = change.replacement
        first, dot, _ = name.partition(".")
        root = change.path.partition(".")[0]
        if not dot or first in {root, *hints.RECEIVERS} or hints.abbreviates(first, root):
            return ""
        symbol = self.old.symbol(change.path) or self.new.symbol(change.path)
        view = self.old if self.old.symbol(change.path) else self.new
        if symbol is not None:
            name = _outer(name, symbol, view.surface) or name
        return name if first.islower() and first.isidentifier() else ""

    # --- expressions

    def _expressions(self, path: str) -> Iterator[tuple[Expression, bool]]:
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
                found = name if self.new.find(name) and name != path else ""
            else:
                found = self._of_module(name, module, surface) or hints.resolve(
                    name, path, self.new
                )
            return self._living(found, path) or _imported(name, path, module, surface)

        owner = self._owner(path)
        return templates.settled(tree, Names(owner, resolve, self._needs_instance))

    def _in_message(
        self, text: str, path: str, symbol: Symbol, surface: Surface
    ) -> list[tuple[Expression, bool]]:
        owner = self._owner(path)

        def resolve(name: str) -> str:
            near = hints.resolve(name, path, self.new) or _outer(name, symbol, surface)
            return self._living(near, path)

        found: list[tuple[Expression, bool]] = []
        shown = templates.in_message(
            text, symbol.signature, owner, lambda name: bool(resolve(name))
        )
        for tree in shown:
            expression = templates.settled(tree, Names(owner, resolve, self._needs_instance))
            if expression is not None:
                found.append((expression, False))
        return found

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

    def _is_same(self, one: str, two: str) -> bool:
        if one == two:
            return True
        left, right = self.new.find(one), self.new.find(two)
        return left is not None and right is not None and left.target == right.target

    # --- shape

    def _owner(self, path: str) -> str:
        """The class that a path is a member of, or nothing."""
        parent = path.rpartition(".")[0]
        symbol = self.old.symbol(parent) or self.new.symbol(parent)
        return parent if symbol is not None and symbol.kind is SymbolKind.CLASS else ""

    def _needs_instance(self, path: str) -> bool:
        symbol = self.new.symbol(path)
        if symbol is None or not self._owner(path):
            return False
        return symbol.kind in _INSTANCE and _STATIC.isdisjoint(symbol.traits)

    def _how(self, change: Change, heir: _Heir, chosen: Expression | None) -> Replacement:
        old = self.old.symbol(change.path) or self.new.symbol(change.path)
        new = self.new.symbol(heir.path)
        owner = self._owner(change.path)
        place = shapes.Place(change.path, owner, old)
        goal = shapes.Goal(heir.path, self._owner(heir.path), new, self._needs_instance(heir.path))
        if owner and goal.owner and self._share(owner, goal.owner):
            goal = replace(goal, path=f"{owner}.{heir.path.rpartition('.')[2]}", owner=owner)
        shape, template, fit = shapes.shaped(place, goal, chosen)
        if chosen is None and not template and self._shows_more(change.path, goal.path):
            shape = ReplacementShape.TEMPLATE
        return Replacement(
            shape,
            goal.path,
            template=template,
            confidence=round(heir.confidence * fit, 2),
            evidence=heir.evidence,
        )

    def _shows_more(self, path: str, goal: str) -> bool:
        """Whether a message shows the successor with arguments that say more than its name."""
        last = goal.rpartition(".")[2]
        texts = [self.new.surface.tombstones.get(path, "")]
        for surface in (self.new.surface, *self.releases):
            symbol = surface.resolve(path)
            texts += [told.message for told in hints.own_deprecations(symbol)] if symbol else []
        return any(not hints.Hint(last, text, "").is_plain for text in texts)

    def _share(self, owner: str, other: str) -> bool:
        """Whether what one class has by another's name is there for its own objects too."""
        if owner == other:
            return True
        one, two = self.new.find(owner), self.new.find(other)
        if one is None or two is None:
            return False
        return two.target in self.new.lineage(one.target)


def _of_code(found: Expression) -> _Heir:
    return _Heir(found.path, _IN_CODE, ("its own code",))


def _imported(name: str, path: str, module: str, surface: Surface) -> str:
    """The path of another package's thing, which code has by its import."""
    first, dot, _ = name.partition(".")
    is_own = first == path.partition(".")[0] or surface.lookup(module, first) is not None
    return "" if is_own or not dot else name


def _is_external(surface: Surface, target: str) -> bool:
    symbol = surface.symbols.get(target)
    return symbol is not None and "external" in symbol.traits


def _outer(name: str, symbol: Symbol, surface: Surface) -> str:
    """`np.asarray`, in a module that imports numpy so: the full path of another package's thing."""
    first, dot, rest = name.partition(".")
    bound = surface.lookup(symbol.id.partition(":")[0], first)
    if bound is None or not dot or not _is_external(surface, bound.target):
        return ""
    return bound.target.replace(":", ".").rstrip(".") + dot + rest


def _following(change: Change, path: str, how: Replacement | None) -> Change:
    """The change with its replacement, in the line for people too."""
    detail = change.detail
    if change.kind is ChangeKind.REMOVED and detail.startswith("gone"):
        use = f"gone; use {path} instead" if path else "gone"
        detail = re.sub(r"^gone(?:; use \S+ instead)?(?=$| \()", use.replace("\\", ""), detail)
    return replace(change, replacement=path, how=how, detail=detail)


def _pythons(path: str) -> Replacement | None:
    """Another package's thing is not known here; Python's own is, by its module."""
    if path.partition(".")[0] not in sys.stdlib_module_names:
        return None
    return Replacement(ReplacementShape.MOVE, path, confidence=_PYTHONS, evidence=("a message",))


def _of_type(change: Change) -> Change:
    kinds = {(_FUNCTION, _VALUE): ReplacementShape.ATTRIBUTE}
    kinds[_VALUE, _FUNCTION] = ReplacementShape.CALL
    shape = kinds.get((change.before, change.after))
    if shape is None or change.symbol in {SymbolKind.FUNCTION, SymbolKind.CONSTANT}:
        return change
    return replace(change, how=Replacement(shape, change.path, confidence=change.confidence))
