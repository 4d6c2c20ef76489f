"""The two releases of a package that code is checked between, and what changed between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from libdrift.advisor.binding import CallPair
from libdrift.advisor.conventions import Conventions
from libdrift.history import versions
from libdrift.history.differences import compare, hints
from libdrift.history.questions.executed import with_trials
from libdrift.history.views import View
from libdrift.languages.python.modules import VERSIONS
from libdrift.languages.python.usage import ReleaseTypes
from libdrift.records import (
    Change,
    ChangeKind,
    ExampleFinding,
    Name,
    Provenance,
    Replacement,
    ReplacementShape,
    Surface,
    Symbol,
    SymbolKind,
)

_ADVISED = 0.9  # of confidence in what an error says
_TOLD = 0.7  # of confidence, from which the history is believed
_CALLED = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}
_DEFINED = {SymbolKind.FUNCTION, SymbolKind.CLASS}
_VALUES = {SymbolKind.UNKNOWN, SymbolKind.CONSTANT}
_LOST = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED}
_BY_NAME = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED, ChangeKind.DEPRECATED}


def _nothing_between() -> Sequence[Surface]:
    return ()


def _nothing_tried() -> Sequence[ExampleFinding]:
    return ()


class ReleasePair:
    """The release that code was written for, and the one that it is to run with."""

    def __init__(
        self,
        old: Surface,
        new: Surface,
        between: Callable[[], Sequence[Surface]] = _nothing_between,
        tried: Callable[[], Sequence[ExampleFinding]] = _nothing_tried,
    ) -> None:
        self.package = old.release.package
        self.versions = (old.release.version, new.release.version)
        self.roots = frozenset((*old.roots, *new.roots))
        self.old, self.new = View(old), View(new)
        self.new_types = ReleaseTypes(self.new)
        self.old_types = ReleaseTypes(self.old, self.new_types)
        self._new_tops = {root.partition(".")[0] for root in new.roots}
        self.lenders: Mapping[str, View] = {}  # the old releases of all that is checked, by roots
        self._between = between
        self._tried = tried  # what running examples showed between both
        self._calls: dict[tuple[str, str], CallPair | None] = {}
        self._members: dict[str, frozenset[str]] = {}

    @property
    def is_downgrade(self) -> bool:
        return versions.order(self.versions[0]) > versions.order(self.versions[1])

    # --- names

    def was_there(self, path: str) -> bool:
        if self.old.find(path) is not None or _symbol(self.old, path) is not None:
            return True
        return self._is_new_error(path) or bool(self._beside(path) or self._lost_value(path))

    def _is_new_error(self, path: str) -> bool:
        """A name that an error of the new release speaks of, and none of the old one does.

        The old one had it in a way that reading does not count: `np.int`, an import from Python.
        """
        dead = self.new.surface.tombstones
        return path in dead and path not in self.old.surface.tombstones and ":" not in path

    def lost(self, path: str) -> str:
        """The first part of an old path that the new release is known to lack; empty if none."""
        if self._is_new_error(path):
            return path
        name = self.old.find(path)
        if name is None:
            aside = self._beside(path)
            if aside:
                return aside if self._lacks_beside(aside) else ""
            return self._lost_value(path)
        if self.new_types.has(path):
            return ""
        parts = path.split(".")
        if parts[0] in self.old.surface.roots and parts[0] not in self._new_tops:
            return parts[0]
        for length in range(2, len(parts) + 1):
            head = ".".join(parts[:length])
            found = self.old.find(head)
            if found is None or self.new_types.has(head):
                continue
            if self._is_listed_late(head, found):
                return ""
            ways = (self._is_surely_lost(head, found), self._is_told_lost(head))
            return head if any(ways) or self._is_likely_lost(head, found) else ""
        return ""

    def _lost_value(self, path: str) -> str:
        """The value that went, of which an old path is a member; empty if there is none.

        What members a value had, reading does not tell: `pandas.np.array`.
        """
        above = path.rpartition(".")[0]
        while "." in above and self.old.find(above) is None:
            above = above.rpartition(".")[0]
        symbol = self.old.symbol(above) if "." in above else None
        if symbol is None or symbol.kind not in _VALUES or self.lost(above) != above:
            return ""
        return above

    def _beside(self, path: str) -> str:
        """The first part of an old path that a module has without offering it; empty if none.

        That is a private name, or one of another package: `flask._stack`, `numpy.math.pi`.
        """
        parts = path.split(".")
        for length in range(2, len(parts) + 1):
            head, label = ".".join(parts[: length - 1]), parts[length - 1]
            owner = self.old.find(head)
            if owner is None or ":" in owner.target:
                return ""
            inside = self.old.surface.outside.get(owner.target, ())
            found = self.old.find(f"{head}.{label}")
            if found is None:
                lent = self._lender(f"{head}.{label}")
                return f"{head}.{label}" if label in inside or lent else ""
            if length < len(parts) and self._is_of_others(found):
                return f"{head}.{label}"
        return ""

    def _is_of_others(self, name: Name) -> bool:
        tops = {root.partition(".")[0].lstrip("_") for root in self.roots}
        return name.target.partition(":")[0].partition(".")[0].lstrip("_") not in tops

    def _lender(self, path: str) -> str:
        """Where a name was in another package, of whose module all was taken; empty if nowhere."""
        head, _, label = path.rpartition(".")
        owner = self.old.find(head)
        for place in self.old.surface.outside.get(owner.target, ()) if owner else ():
            lender = self.lenders.get(place.partition(".")[0]) if place[-2:] == ".*" else None
            if lender is not None and lender.find(place.replace("*", label)) is not None:
                return place.replace("*", label)
        return ""

    def _lacks_beside(self, path: str) -> bool:
        parent, _, label = path.rpartition(".")
        owner = self.new.find(parent)
        if owner is None:
            return self.new_types.lacks(parent)
        if self.new.find(path) is not None or ":" in owner.target:
            return False
        # Of a release that was read before private names were kept, nothing is known.
        if label[0] == "_" and not self._knows_private:
            return False
        inside = self.new.surface.outside.get(owner.target, ())
        if label in inside or any(place[-2:] == ".*" for place in inside):
            return False
        if path in self.new.surface.tombstones:
            return True
        return not self.new.is_dark(owner.target) and not self._answers(owner.target, label)

    def _answers(self, module: str, label: str) -> bool:
        """Whether a module of the new release may have a name that reading does not show.

        What a module makes at import is for users: neither private nor another package's module.
        """
        gaps = [gap for gap in self.new.surface.origin.gaps if gap.startswith(f"{module}: ")]
        texts = ("getattr",) if label[0] == "_" else ("getattr", "takes all names")
        return any(text in gap for gap in gaps for text in texts)

    @cached_property
    def _knows_private(self) -> bool:
        outside = self.new.surface.outside.values()
        return any(name[0] == "_" for names in outside for name in names)

    def _is_listed_late(self, path: str, name: Name) -> bool:
        """Whether a module that defines a name still may offer it further out.

        Which names it offers to who takes all, is decided at import.
        """
        module = name.target.partition(":")[0]
        parent = path.rpartition(".")[0]
        if name.target not in self.new.symbols or module == parent:
            return False
        return f"{module}: a part of __all__ is made at import" in self.new.surface.origin.gaps

    def _is_told_lost(self, path: str) -> bool:
        """Whether the history counts it as gone, though a module could not be read whole."""
        told = self.change(path)
        return told is not None and told.kind in _LOST and told.confidence >= _TOLD

    def _is_surely_lost(self, path: str, name: Name) -> bool:
        symbol = self.old.symbols.get(name.target)
        if self.new.may_miss(symbol, name):
            return False
        if path in self.new.surface.tombstones:
            return True
        parent, _, last = path.rpartition(".")
        owner = self.new.find(parent)
        if owner is not None and last in self.new.from_outside(owner.target):
            return False
        return self.new_types.lacks(path) or self._lacks_version(path)

    def _lacks_version(self, path: str) -> bool:
        """Of ``__version__`` and its kin, which a surface has though they look private."""
        parent, _, label = path.rpartition(".")
        owner = self.new.find(parent)
        if label not in VERSIONS or owner is None or self.new.find(path) is not None:
            return False
        beside = self.new.surface.outside.values()  # what modules have for themselves
        return not self.new.is_dark(owner.target) and all(label not in names for names in beside)

    def _is_likely_lost(self, path: str, name: Name) -> bool:
        """Whether reading would have shown it, had a module that is not read whole still had it.

        What a module makes at import is made from data. A function or class that has its own
        definition, and a name that the old release writes down, is written down by the new one.
        """
        symbol = self.old.symbols.get(name.target)
        if symbol is None or symbol.kind not in _DEFINED or "external" in symbol.traits:
            return False
        if Provenance.STATIC not in name.provenance or Provenance.STATIC not in symbol.provenance:
            return False
        parent, _, label = path.rpartition(".")
        owner = self.new.find(parent)
        if owner is None or ":" in owner.target or self.new.is_dark(owner.target):
            return False
        inside = self.new.surface.outside.get(owner.target, ())
        if label in inside or any(place[-2:] == ".*" for place in inside):
            return False
        if label in self.new.from_outside(owner.target) or self._answers(owner.target, label):
            return False
        # Of several definitions with that name, one may be offered in a way that is not read.
        return self._new_definitions[label] <= 1

    @cached_property
    def _new_definitions(self) -> Counter[str]:
        """How many modules of the new release define a name."""
        return Counter(target.partition(":")[2] for target in self.new.symbols if ":" in target)

    def advised(self, path: str) -> Replacement | None:
        """Of a name that went: what it was another name of, or what the error in its place says."""
        name = self.old.find(path)
        origin = self._lender(path) if name is None else ""
        if origin:
            why = (f"{path.rpartition('.')[0]} had it from there in {self.versions[0]}",)
            return Replacement(ReplacementShape.MOVE, origin, confidence=_ADVISED, evidence=why)
        symbol = self.old.symbols.get(name.target) if name else None
        if symbol is not None and "external" in symbol.traits:
            origin = symbol.id.replace(":", ".").rstrip(".")
            why = (f"another name of {origin} in {self.versions[0]}",)
            return Replacement(ReplacementShape.MOVE, origin, confidence=_ADVISED, evidence=why)
        kept = self.new.best(name.target) if name and name.target in self.new.symbols else ""
        if kept and not self.new.is_inner(kept):
            why = ("the same definition",)
            return Replacement(ReplacementShape.MOVE, kept, confidence=_ADVISED, evidence=why)
        releases = [self.old.surface]
        for hint in hints.of(path, releases, self.new):
            found = hints.follow(hint, path, releases, self.new)
            if found:
                beside = found.rpartition(".")[0] == path.rpartition(".")[0]
                shape = ReplacementShape.RENAME if beside else ReplacementShape.MOVE
                return Replacement(shape, found, confidence=_ADVISED, evidence=(hint.source,))
        return None

    def symbols(self, path: str) -> tuple[Symbol, Symbol] | None:
        """What a path reaches in both releases, where that is this package's own."""
        old, new = _symbol(self.old, path), _symbol(self.new, path)
        if old is None or new is None or self.old.is_foreign(old) or self.new.is_foreign(new):
            return None
        return old, new

    def calls(self, path: str) -> CallPair | None:
        """What a path can be called with in both releases, where both tell."""
        found = self.symbols(path)
        if found is None:
            return None
        old, new = found
        if old.kind not in _CALLED or new.kind not in _CALLED:
            return None
        key = (old.id, new.id)
        if key not in self._calls:
            same = old.signature == new.signature and old.deprecations == new.deprecations
            self._calls[key] = None if same else CallPair(old, new, views=(self.old, self.new))
        return self._calls[key]

    def owners(self, name: str) -> list[str]:
        """The classes of the old release that have a member of that name, by public paths."""
        return self._owners.get(name, [])

    @cached_property
    def _owners(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for target, symbol in self.old.symbols.items():
            if symbol.kind is not SymbolKind.CLASS:
                continue
            path = self.old.best(target)
            for name in self.old.members(target) if path else ():
                found.setdefault(name, []).append(path)
        return found

    def members(self, owner: str) -> frozenset[str]:
        """The members of a class of the old release, by one of its public paths."""
        if owner not in self._members:
            name = self.old.find(owner)
            self._members[owner] = frozenset(self.old.members(name.target) if name else ())
        return self._members[owner]

    @cached_property
    def conventions(self) -> Conventions:
        return Conventions(self.old, self.old_types)

    def is_late_member(self, name: str) -> bool:
        """Whether methods, or bases of other packages, give such a member to some class."""
        return name in self._late_members

    @cached_property
    def _late_members(self) -> frozenset[str]:
        outside = self.old.surface.outside
        symbols = self.old.symbols
        modules = {key for key in outside if key in symbols and ":" not in key}
        return frozenset(name for key in outside.keys() - modules for name in outside[key])

    # --- changes

    def change(self, path: str, canonical: str = "") -> Change | None:
        """What the history tells of a name that went, or is on its way out."""
        for known in filter(None, (path, canonical)):
            if known in self._changes:
                return self._changes[known]
        return None

    def beside(self, path: str, change: Change) -> Change:
        """The change with its replacement as a member of the same class, where that has it too."""
        near = f"{path.rpartition('.')[0]}.{change.replacement.rpartition('.')[2]}"
        here, there = self.new.find(near), self.new.find(change.replacement)
        if here is None or there is None:
            return change
        # What is said of one class's members is true of those of another that shares them.
        is_of_class = change.path.rpartition(".")[0] == change.replacement.rpartition(".")[0]
        if here.target != there.target and not is_of_class:
            return change
        how = replace(change.how, path=near) if change.how else None
        return replace(change, replacement=near, how=how)

    def changes_of(self, path: str) -> list[Change]:
        """All that the history tells of a path and of its parameters."""
        return [item for item in self.compared if path in {item.path, *item.aliases}]

    def parameter_change(self, path: str, parameter: str) -> Change | None:
        """What the history tells to write instead of a parameter, releases between asked too."""
        found = (item for item in self.changes_of(path) if item.parameter == parameter)
        return next((item for item in found if item.replacement), None)

    @cached_property
    def _changes(self) -> dict[str, Change]:
        found: dict[str, Change] = {}
        for change in self.compared:
            if change.kind in _BY_NAME and not change.parameter:
                for path in (change.path, *change.aliases):
                    found.setdefault(path, change)
        return found

    @cached_property
    def compared(self) -> Sequence[Change]:
        """All changes; none of a step back, which the history does not tell."""
        if self.is_downgrade:
            return ()
        found = compare(self.old.surface, self.new.surface, self._between())
        return with_trials(found, self._tried())


def _symbol(view: View, path: str) -> Symbol | None:
    """What a path reaches; of a private module, which has no names here, what it defines."""
    found = view.symbol(path)
    if found is not None or "._" not in path:
        return found
    parts = path.split(".")
    ids = (".".join(parts[:at]) + ":" + ".".join(parts[at:]) for at in range(len(parts) - 1, 0, -1))
    return next((view.symbols[item] for item in ids if item in view.symbols), None)
