"""The differences between two releases of a package: every change once, most public path first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences import ancestry, facets, lent, members, names, signatures
from libdrift.history.differences.facets import Pair
from libdrift.history.differences.members import ClassPair, MemberComparison
from libdrift.history.differences.renames import Finder, RenameCandidate, Successor
from libdrift.history.differences.replacements import ReplacementFinder
from libdrift.history.views import View
from libdrift.records import (
    Binding,
    Change,
    ChangeKind,
    Replacement,
    ReplacementShape,
    Surface,
    Symbol,
    SymbolKind,
)

_ORDER = {kind: at for at, kind in enumerate(ChangeKind)}
_STRONG = 0.9  # what a name of a lost module needs, to be told apart from its module
_SAID = 300  # characters of an error
_LISTED = 6  # names of a module or class that a line for people has


def compare(old: Surface, new: Surface, between: Sequence[Surface] = ()) -> list[Change]:
    """Changes from one release to a later one; ``between`` are releases in order, for hints."""
    return examine(old, new, between).changes


@dataclass(frozen=True, slots=True)
class Examined:
    """``uncompared``: paths of things whose signatures were read in ways that do not compare."""

    changes: list[Change]
    uncompared: tuple[str, ...]


def examine(
    old: Surface, new: Surface, between: Sequence[Surface] = (), path: str = ""
) -> Examined:
    """As ``compare``. What only ``path`` tells of is told too: what went with its module or class,
    and names that are there by accident, which a whole list would drown in."""
    comparison = _Comparison(View(old), View(new), between)
    found = comparison.changes()
    # A name that took the place of another is told of there, as its replacement.
    if path and not any(path in (c.path, c.replacement, *c.aliases) for c in found):
        found += comparison.of_path(path)
    return Examined(found, tuple(dict.fromkeys(comparison.uncompared)))


@dataclass(frozen=True, slots=True)
class _Went:
    """A lost thing and its successor, if any."""

    thing: RenameCandidate
    successor: Successor | None


class _Comparison:
    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.between = between
        self.uncompared: list[str] = []
        release = old.surface.release
        self.package = release.package
        self.versions = (release.version, new.surface.release.version)

    def changes(self) -> list[Change]:
        found: list[Change] = []
        shared = names.pairs(self.old, self.new)
        lost, gained = names.absent(self.old, self.new), names.absent(self.new, self.old)
        fresh = [thing for thing in (*gained.things, *gained.within) if not thing.kept]
        finder = Finder(self.old, self.new, self.between, fresh)
        successors = finder.find([*lost.things, *lost.within])
        went = self._went(lost, successors)
        found += self._losses(went, finder)
        found += self._gains(gained.things, went)
        found += [*self._changed(shared), *self._moved_changes(went)]
        found += self._members(self._classes(shared, went))
        found += lent.changes(self.old, self.new)
        advisor = ReplacementFinder(self.old, self.new, self.between)
        found = [advisor.advised(change) for change in found]
        return self._ordered(self._once(_told_by_name([*self._told_by_owner(found)])))

    def _told_by_owner(self, found: Sequence[Change]) -> Iterator[Change]:
        """Without deprecations that only repeat the one of a whole module or class."""
        owners = {
            path: change
            for change in found
            if change.kind is ChangeKind.DEPRECATED and not change.parameter
            for path in (change.path, *change.aliases)
            if change.symbol in {SymbolKind.MODULE, SymbolKind.CLASS}
        }
        for change in found:
            whole = change.kind is ChangeKind.DEPRECATED and not change.parameter
            owner = owners.get(change.path.rpartition(".")[0]) if whole else None
            if owner and (not change.replacement or change.evidence == ("shim",)):
                continue
            yield change

    def _once(self, found: Iterable[Change]) -> Iterator[Change]:
        """Without repetitions further in: numpy.core.umath.add of what is told of numpy.add."""
        alike: dict[tuple[object, ...], list[Change]] = {}
        for change in found:
            last = change.path.rpartition(".")[2]
            what = (change.kind, change.aspect, change.parameter, change.before, change.after)
            alike.setdefault((last, *what), []).append(change)
        for same in alike.values():
            kept: list[Change] = []
            for change in sorted(same, key=lambda item: item.path.count(".")):
                if not any(self._repeats(change, outer) for outer in kept):
                    kept.append(change)
            yield from kept

    def _repeats(self, change: Change, outer: Change) -> bool:
        parent = outer.path.rpartition(".")[0]
        if not change.path.startswith(f"{parent}."):
            return False
        view = self.new if change.kind is ChangeKind.INTRODUCED else self.old
        one, two = view.symbol(change.path), view.symbol(outer.path)
        if one is None or two is None or one.id == two.id:
            return False
        same = (one.kind, one.signature, one.doc) == (two.kind, two.signature, two.doc)
        return view.is_inner(change.path) or (same and bool(one.doc))

    # --- names

    def _went(self, lost: names.Absent, successors: Mapping[str, Successor]) -> list[_Went]:
        """Lost things in their own right, and of those in lost modules the ones that live on."""
        went = [_Went(thing, successors.get(thing.path)) for thing in lost.things]
        moved = {
            item.thing.path: item.successor.path
            for item in went
            if item.successor and item.successor.kind is not ChangeKind.REMOVED
        }
        for thing in lost.within:
            successor = successors.get(thing.path)
            if successor is None or successor.kind is ChangeKind.REMOVED:
                continue
            if successor.confidence < _STRONG:
                continue
            home = moved.get(thing.parent)
            if not home or successor.path != f"{home}.{thing.last}":
                went.append(_Went(thing, successor))
        return went

    def _losses(self, went: Sequence[_Went], finder: Finder) -> Iterator[Change]:
        for item in went:
            thing, successor = item.thing, item.successor
            if successor and successor.kind is not ChangeKind.REMOVED:
                yield self._change(
                    successor.kind,
                    thing,
                    detail=f"now {successor.path}",
                    successor=successor,
                    confidence=min(successor.confidence, thing.sure),
                    breaking=True,
                )
                continue
            instead = successor.path if successor else finder.message(thing)
            detail = f"gone; use {instead} instead" if instead else "gone"
            yield self._change(
                ChangeKind.REMOVED,
                thing,
                detail=detail + self._contents(self.old, thing),
                replacement=instead,
                successor=successor,
                confidence=thing.sure,
                breaking=True,
            )

    def _gains(self, gained: Sequence[RenameCandidate], went: Sequence[_Went]) -> Iterator[Change]:
        claimed = {
            item.successor.path
            for item in went
            if item.successor and item.successor.kind is not ChangeKind.REMOVED
        }
        for thing in gained:
            if claimed.intersection((thing.path, *thing.aliases)) and not thing.kept:
                continue
            detail = "new" + self._contents(self.new, thing)
            if thing.kept:
                if self.new.rank(thing.path)[:4] > self.new.rank(thing.kept[0])[:4]:
                    continue  # a further way to what had a better name all along
                detail = f"new name of {thing.kept[0]}"
            yield self._change(ChangeKind.INTRODUCED, thing, detail=detail, confidence=thing.sure)

    def _contents(self, view: View, thing: RenameCandidate) -> str:
        if thing.symbol is None or thing.symbol.kind not in (SymbolKind.MODULE, SymbolKind.CLASS):
            return ""
        scope = view.surface.scopes.get(thing.target, {})
        inside = [
            label
            for label, name in scope.items()
            if label[0] != "_" and name.binding not in (Binding.IMPORTED, Binding.UNLISTED)
        ]
        if not inside:
            return ""
        more = ", …" if len(inside) > _LISTED else ""
        count = "1 name" if len(inside) == 1 else f"{len(inside)} names"
        return f" (with {count}: {', '.join(inside[:_LISTED])}{more})"

    def _change(
        self,
        kind: ChangeKind,
        thing: RenameCandidate,
        *,
        detail: str,
        replacement: str = "",
        successor: Successor | None = None,
        confidence: float = 1.0,
        breaking: bool = False,
    ) -> Change:
        symbol = thing.symbol.kind.value if thing.symbol else SymbolKind.UNKNOWN.value
        return Change(
            self.package,
            *self.versions,
            kind,
            thing.path,
            symbol,
            detail=detail,
            replacement=successor.path if successor else replacement,
            breaking=breaking,
            evidence=successor.evidence if successor else (),
            confidence=confidence,
            aliases=thing.aliases,
            how=_told_by(successor) if successor else None,
        )

    # --- symbols

    def _changed(self, shared: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[Change]:
        made: list[tuple[str, Change]] = []
        for (before, after), paths in shared.items():
            for change in self._differences(before, after, paths[0]):
                others = [path for path in paths[1:] if self.old.promised(path)]
                placed = replace(change, path=paths[0], aliases=tuple(others))
                if change.kind is ChangeKind.SIGNATURE and self._are_classes(before, after):
                    made.append((before, placed))
                else:
                    yield placed
        yield from members.constructors(self.old, made)

    def _differences(self, before: str, after: str, path: str) -> list[Change]:
        old, new = self.old.symbols.get(before), self.new.symbols.get(after)
        if old is None or new is None or (self.old.is_foreign(old) and self.new.is_foreign(new)):
            return []
        if signatures.are_of_different_ways(old, new):
            self.uncompared.append(path)
        pair = self._pair(old, new, path)
        return list(facets.compare(pair))

    def _pair(self, old: Symbol, new: Symbol, path: str) -> Pair:
        def told() -> Mapping[str, str]:
            found: dict[str, str] = {}
            for surface in self.between:
                symbol = surface.resolve(path)
                if symbol:
                    found |= signatures.renames_told(symbol)
            return found

        return Pair(self.package, *self.versions, old, new, told)

    def _moved_changes(self, went: Sequence[_Went]) -> Iterator[Change]:
        """What changed in things that moved, told at their new place."""
        for thing, path, target in self._new_places(went):
            for change in self._differences(thing.target, target, thing.path):
                yield replace(change, path=path, aliases=(thing.path,))

    def _new_places(self, went: Sequence[_Went]) -> Iterator[tuple[RenameCandidate, str, str]]:
        """Things that moved to a path that is new, with that path and what it reaches."""
        for item in went:
            successor = item.successor
            if successor is None or successor.kind is not ChangeKind.MOVED:
                continue
            name = self.new.find(successor.path)
            if name is not None and self.old.find(successor.path) is None:
                yield item.thing, successor.path, name.target

    # --- classes

    def _classes(
        self, shared: Mapping[tuple[str, str], Sequence[str]], went: Sequence[_Went]
    ) -> list[ClassPair]:
        pairs: dict[str, list[ClassPair]] = defaultdict(list)
        for (before, after), paths in shared.items():
            if self._are_classes(before, after):
                pairs[before].append(ClassPair(before, after, paths[0]))
        for thing, path, target in self._new_places(went):
            if self._are_classes(thing.target, target) and thing.target not in pairs:
                pairs[thing.target].append(ClassPair(thing.target, target, path))
        found: list[ClassPair] = []
        for same in pairs.values():
            first, *others = sorted(same, key=lambda pair: self.old.rank(pair.path))
            found.append(first)
            # A further name that now reaches another class has lost what that one has not.
            found += [replace(pair, further=True) for pair in others if self._is_offered(pair)]
        return found

    def _is_offered(self, pair: ClassPair) -> bool:
        return self.old.promised(pair.path) and self.new.promised(pair.path)

    def _are_classes(self, before: str, after: str) -> bool:
        old, new = self.old.symbols.get(before), self.new.symbols.get(after)
        if old is None or new is None or facets.is_dead(new):
            return False
        return old.kind is new.kind is SymbolKind.CLASS

    def _members(self, classes: Sequence[ClassPair]) -> Iterator[Change]:
        inside = MemberComparison(self.old, self.new, classes)
        lost, gained = inside.lost(), inside.gained()
        finder = Finder(self.old, self.new, self.between, gained)
        successors = finder.find(lost)
        went = [_Went(thing, successors.get(thing.path)) for thing in lost]
        yield from self._losses(went, finder)
        yield from self._gains(gained, went)
        yield from inside.changed(self._differences)
        yield from ancestry.changes(inside, self._pair)

    # --- one path

    def of_path(self, path: str) -> list[Change]:
        before, after = self.old.find(path), self.new.find(path)
        name = before or after
        if name is None:
            return []
        if before and after:
            found = self._differences(before.target, after.target, path)
            return self._ordered(replace(change, path=path) for change in found)
        here, there = (self.old, self.new) if before else (self.new, self.old)
        if there.may_miss(here.symbols.get(name.target), name):
            return []
        above = here.find(path.rpartition(".")[0])
        inside = above is not None and ":" in above.target
        thing = RenameCandidate(path, name.target, here.symbols.get(name.target), is_member=inside)
        if after:
            return [self._change(ChangeKind.INTRODUCED, thing, detail="new")]
        finder = Finder(self.old, self.new, self.between, ())
        went = [_Went(thing, finder.find([thing]).get(path))]
        return self._ordered(self._losses(went, finder))

    # --- the list

    def _ordered(self, found: Iterable[Change]) -> list[Change]:
        def key(change: Change) -> tuple[object, ...]:
            view = self.new if change.kind is ChangeKind.INTRODUCED else self.old
            accident, inner, *_ = view.rank(change.path)
            return (
                accident,
                inner,
                change.path,
                _ORDER[change.kind],
                change.aspect,
                change.parameter,
            )

        return sorted(dict.fromkeys(map(self._with_error, found)), key=key)

    def _with_error(self, change: Change) -> Change:
        """With the error that is left of a thing, in its own words."""
        said = "" if change.parameter else self.new.surface.tombstones.get(change.path, "")
        if not said or change.kind is ChangeKind.INTRODUCED:
            return change
        error = f"it only raises: {' '.join(said.split())[:_SAID]}"
        return replace(change, evidence=(*change.evidence, error))


def _told_by(successor: Successor) -> Replacement:
    """For the advisor, which says its shape."""
    return Replacement(
        ReplacementShape.RENAME,
        successor.path,
        confidence=successor.confidence,
        evidence=successor.evidence,
    )


def _told_by_name(found: Sequence[Change]) -> Iterator[Change]:
    """A deprecation of all overloads at their name alone, of some at these alone."""
    told: dict[tuple[ChangeKind, str], Change] = {
        (change.kind, change.path): change
        for change in found
        if change.kind in {ChangeKind.DEPRECATED, ChangeKind.UNDEPRECATED} and not change.parameter
    }
    some = {(kind, path.partition("(")[0]) for kind, path in told if "(" in path}
    for change in found:
        name, bracket, _ = change.path.partition("(")
        whole = told.get((change.kind, name))
        if whole is not None and not change.parameter:
            sure = whole.confidence == 1.0
            if (bracket and sure) or (not bracket and not sure and (change.kind, name) in some):
                continue
        yield change
