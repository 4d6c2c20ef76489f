"""The differences between two releases of a package: every change once, most public path first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences import facets, members, names, signatures
from libdrift.history.differences.facets import Pair
from libdrift.history.differences.members import ClassPair, MemberComparison
from libdrift.history.differences.renames import Finder, RenameCandidate, Successor
from libdrift.history.differences.replacements import Advisor
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
_LISTED = 6  # names of a module or class that a line for people has


def compare(old: Surface, new: Surface, between: Sequence[Surface] = ()) -> list[Change]:
    """Changes from one release to a later one; ``between`` are releases in order, for hints."""
    return _Comparison(View(old), View(new), between).changes()


@dataclass(frozen=True, slots=True)
class _Went:
    """A lost thing and its successor, if any."""

    thing: RenameCandidate
    successor: Successor | None


class _Comparison:
    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.between = between
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
        found += self._changed(shared)
        found += self._moved_changes(went)
        found += self._members(self._classes(shared, went))
        advisor = Advisor(self.old, self.new, self.between)
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
        pairs: dict[str, ClassPair] = {}
        for (before, after), paths in shared.items():
            if self._are_classes(before, after):
                found = ClassPair(before, after, paths[0])
                known = pairs.setdefault(before, found)
                if self.old.rank(found.path) < self.old.rank(known.path):
                    pairs[before] = found
        for thing, path, target in self._new_places(went):
            if self._are_classes(thing.target, target):
                pairs.setdefault(thing.target, ClassPair(thing.target, target, path))
        return list(pairs.values())

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
        yield from self._bases(inside)

    def _bases(self, inside: MemberComparison) -> Iterator[Change]:
        differences: dict[str, tuple[set[str], set[str]]] = {}
        for pair in inside.classes:
            differences[pair.old] = self._ancestors(pair, inside)
        for pair in inside.classes:
            lost, gained = differences[pair.old]
            if not lost and not gained:
                continue
            # What a class has from its base is that base's change.
            for base in self.old.lineage(pair.old)[1:]:
                above = differences.get(base, (set(), set()))
                lost, gained = lost - above[0], gained - above[1]
            old, new = self.old.symbols[pair.old], self.new.symbols[pair.new]
            change = facets.bases(self._pair(old, new, pair.path), lost, gained)
            if change:
                yield replace(change, path=pair.path)

    def _ancestors(self, pair: ClassPair, inside: MemberComparison) -> tuple[set[str], set[str]]:
        """Last names of ancestors that a class lost and gained; renamed ones are neither."""
        before, after = self.old.lineage(pair.old)[1:], self.new.lineage(pair.new)
        followed = {new for base in before for new in inside.counterparts.get(base, ())}
        old = {*before, *self.old.foreign_bases(pair.old)}
        new = {*after[1:], *self.new.foreign_bases(pair.new)}
        old_names, new_names = ({_alike(base) for base in some} for some in (old, new))
        lost = {
            _last(base)
            for base in old
            # A class may have become its base, under its old name: so `after` with itself.
            if inside.counterparts.get(base, set()).isdisjoint(after)
            and _alike(base) not in new_names
        }
        gained = {
            _last(base) for base in new if base not in followed and _alike(base) not in old_names
        }
        return lost, gained

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

        return sorted(dict.fromkeys(found), key=key)


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


def _alike(base: str) -> str:
    """typing.List is a list, a NamedTuple a tuple."""
    return _last(base).casefold().removeprefix("named")


def _last(base: str) -> str:
    return base.replace(":", ".").rpartition(".")[2]
