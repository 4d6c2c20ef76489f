"""Members of classes in two releases: each difference once, at the class that it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.history.differences.renames import RenameCandidate
from libdrift.history.views import Rank, View
from libdrift.records import Change, Name, Symbol, SymbolKind

_GUESSED = 0.6  # confidence: an attribute that a constructor sets may be set elsewhere now
_PLAIN = {"object", "ABC", "Generic", "Protocol", "Exception"}  # bases that give no names
_HAZY = 0.7  # the other release's module makes names that reading does not show
Compare = Callable[[str, str, str], list[Change]]  # two ids and a path


@dataclass(frozen=True, slots=True)
class ClassPair:
    old: str
    new: str
    path: str  # in the new release, and in the old one unless the class moved
    further: bool = False  # the old class has another counterpart, by a better name

    @property
    def variant(self) -> str:
        """What sets changes apart that only the names of this pair tell of."""
        return self.new if self.further else ""


@dataclass(frozen=True, slots=True)
class _Site:
    """A member of one class: ``definer`` has it, ``owner`` may inherit it."""

    owner: str
    definer: str
    name: str
    target: str
    path: str


class MemberComparison:
    """Compares the members of all classes that both releases have."""

    def __init__(self, old: View, new: View, classes: Sequence[ClassPair]) -> None:
        self.old, self.new = old, new
        self.classes = classes
        self.counterparts: dict[str, set[str]] = defaultdict(set)
        for pair in classes:
            self.counterparts[pair.old].add(pair.new)
        self._back: dict[str, set[str]] = defaultdict(set)
        for pair in classes:
            self._back[pair.new].add(pair.old)

    # --- gone and come

    def lost(self) -> list[RenameCandidate]:
        flat = [(pair.old, pair.new, pair.path, pair.variant) for pair in self.classes]
        return _absent(self.old, self.new, flat, self.counterparts)

    def gained(self) -> list[RenameCandidate]:
        flat = [(pair.new, pair.old, pair.path, "") for pair in self.classes if not pair.further]
        return _absent(self.new, self.old, flat, self._back)

    # --- changed

    def changed(self, compare: Compare) -> list[Change]:
        """What differs in members that both have; a change of an inherited one is told once."""
        results: dict[tuple[str, str], list[Change]] = {}
        sites: dict[tuple[str, str, str], list[_Site]] = defaultdict(list)
        for pair in self.classes:
            before, after = self.old.members(pair.old), self.new.members(pair.new)
            for label, (definer, name) in before.items():
                other = after.get(label)
                if other is None:
                    continue
                key = (name.target, other[1].target)
                if key not in results:
                    results[key] = compare(*key, f"{pair.path}.{label}")
                if results[key]:
                    path = f"{pair.path}.{label}"
                    site = _Site(pair.old, definer, label, name.target, path)
                    sites[*key, pair.variant].append(site)
        told: dict[tuple[object, ...], list[tuple[_Site, Change]]] = defaultdict(list)
        for (mine, theirs, variant), places in sites.items():
            site, aliases = _shown(self.old, places)
            for change in results[mine, theirs]:
                placed = replace(change, path=site.path, aliases=aliases)
                told[variant, *_likeness(site.name, change)].append((site, placed))
        return [change for same in told.values() for change in self._once(same)]

    def _once(self, same: Sequence[tuple[_Site, Change]]) -> Iterator[Change]:
        """Of one change in a class and in classes below it that override: the uppermost."""
        definers = {site.definer for site, _ in same}
        upper: dict[str, Change] = {}
        below: dict[str, list[str]] = defaultdict(list)
        # One that a class below had from above, and has of its own now, is told there too.
        for site, change in sorted(same, key=lambda item: item[0].owner != item[0].definer):
            above = [scope for scope in self.old.lineage(site.definer)[1:] if scope in definers]
            if above:
                below[above[-1]].append(change.path)
            elif site.definer in upper:
                below[site.definer] += (change.path, *change.aliases)
            else:
                upper[site.definer] = change
        for definer, change in upper.items():
            paths = dict.fromkeys((change.path, *change.aliases, *below[definer]))
            # Of a base that is not for users, people know the classes that have it.
            head = min(paths, key=lambda path: self.old.rank(path.rpartition(".")[0])[:2])
            yield replace(change, path=head, aliases=tuple(path for path in paths if path != head))


def constructors(view: View, found: Iterable[tuple[str, Change]]) -> Iterator[Change]:
    """Changes of classes' constructors, each with the class: what several inherit is told once."""
    groups: dict[tuple[object, ...], list[tuple[_Site, Change]]] = defaultdict(list)
    for owner, change in found:
        signature = view.symbols[owner].signature
        root = [c for c in view.lineage(owner) if view.symbols[c].signature == signature][-1]
        site = _Site(owner, root, "", owner, change.path)
        groups[root, *_likeness("", change)].append((site, change))
    for same in groups.values():
        site, below = _shown(view, [site for site, _ in same])
        change = next(change for other, change in same if other.owner == site.owner)
        # Those below that have a constructor of their own were changed too.
        own = [other.path for other, _ in same if view.symbols[other.owner].body]
        aliases = dict.fromkeys((*change.aliases, *below, *own))
        yield replace(change, aliases=tuple(path for path in aliases if path != change.path))


def _likeness(label: str, change: Change) -> tuple[object, ...]:
    return (label, change.kind, change.aspect, change.parameter, change.before, change.after)


def _absent(
    view: View,
    other: View,
    classes: Iterable[tuple[str, str, str, str]],
    counterparts: Mapping[str, set[str]],
) -> list[RenameCandidate]:
    groups: dict[tuple[str, str, str], list[_Site]] = defaultdict(list)
    for mine, theirs, path, variant in classes:
        there = other.members(theirs)
        missing = [item for item in view.members(mine).items() if item[0] not in there]
        if not missing or other.is_dark(theirs.partition(":")[0]):
            continue
        unknown = _unknown_bases(view, other, mine, theirs)
        outside = other.from_outside(theirs)
        veiled = _is_veiled(other, theirs)
        # What a base of another package has that the class had may be one of the new base's too.
        bases = view.foreign_bases(mine) if unknown else ()
        known = {name for base in bases for name in view.surface.outside.get(base, ())}
        for label, (definer, name) in missing:
            symbol = view.symbols.get(name.target)
            buried = other.is_buried_member(theirs, label)
            if not buried and (label in outside or other.may_miss(symbol, name)):
                continue
            if veiled and not buried and symbol and "extends" in symbol.traits:
                continue  # a base that is not read has it
            lent = definer != mine and not counterparts.get(definer)  # by a base that is gone
            may = unknown and (lent or _may_be_theirs(definer, symbol, unknown))
            theirs_too = label in known or may
            if theirs_too and not buried:
                continue
            if definer != mine and _goes_with_base(view, other, definer, label, counterparts):
                continue
            if _goes_with_name(other, there, label, symbol):
                continue
            root = _root(view, mine, label)
            site = _Site(mine, definer, label, name.target, f"{path}.{label}")
            groups[root, label, variant].append(site)
    found = [_thing(view, other, *_shown(view, sites)) for sites in groups.values()]
    return sorted(found, key=lambda thing: thing.path)


def _thing(view: View, other: View, site: _Site, aliases: tuple[str, ...]) -> RenameCandidate:
    symbol = view.symbols.get(site.target)
    owner = other.find(site.path.rpartition(".")[0])
    hazy = owner is not None and other.is_hazy(owner.target.partition(":")[0])
    sure = _HAZY if hazy else 1.0
    veiled = owner is not None and _is_veiled(other, owner.target)
    if owner is not None and other.is_buried_member(owner.target, site.name):
        sure = 1.0
    elif veiled or _answers(other, owner) or (symbol and "instance" in symbol.traits):
        sure = _GUESSED
    return RenameCandidate(site.path, site.target, symbol, aliases, is_member=True, sure=sure)


def _answers(view: View, owner: Name | None) -> bool:
    """Whether a class may give names that it has not, when it is asked for them."""
    scopes = view.lineage(owner.target) if owner is not None else ()
    return any("answers" in view.symbols[scope].traits for scope in scopes)


def _unknown_bases(view: View, other: View, mine: str, theirs: str) -> set[str]:
    """Names of bases of other packages that the class has there and not here.

    What such a base gives is not known, unless the surface says so.
    """
    before = view.foreign_bases(mine)
    new = other.foreign_bases(theirs) - before
    # One that only another package's module has now; but Python's own is known, and left.
    lasts = {base.rpartition(".")[2] for base in before if base not in view.surface.outside}
    plain = _PLAIN | lasts
    return {
        last
        for base in new
        if (last := base.rpartition(".")[2]) not in plain and base not in other.surface.outside
    }


def _may_be_theirs(definer: str, symbol: Symbol | None, unknown: set[str]) -> bool:
    """Whether a new base may well give what is missing: a mere attribute, or all of a class that
    has gone to a package of its own. A method of the same name is less likely."""
    own = definer.replace(":", ".").rpartition(".")[2].casefold()
    method = symbol is not None and symbol.kind in {SymbolKind.METHOD, SymbolKind.PROPERTY}
    return not method or own in {name.strip("_").casefold() for name in unknown}


def _is_veiled(view: View, class_id: str) -> bool:
    """Whether a base of another package may have what the class itself has no more."""
    if class_id not in view.symbols:
        return False
    return any(
        base.rpartition(".")[2] not in _PLAIN and base not in view.surface.outside
        for base in view.foreign_bases(class_id)
    )


def _goes_with_base(
    view: View, other: View, definer: str, label: str, counterparts: Mapping[str, set[str]]
) -> bool:
    """A member of a public base that still has it: the change is that of the class's bases."""
    best = view.best(definer)
    if not best or view.is_inner(best) or not view.promised(best):
        return False
    return any(label in other.members(theirs) for theirs in counterparts.get(definer, ()))


def _goes_with_name(
    other: View, there: Mapping[str, tuple[str, Name]], label: str, symbol: Symbol | None
) -> bool:
    """An overload whose name is not there at all, or has this one alone: the name tells of it."""
    name, bracket, _ = label.partition("(")
    if not bracket or symbol is None:
        return False
    kept = other.symbols.get(there[name][1].target) if name in there else None
    return kept is None or kept.signature == symbol.signature


def _root(view: View, class_id: str, label: str) -> str:
    """The class furthest up that has the name of its own."""
    scopes = view.surface.scopes
    return [scope for scope in view.lineage(class_id) if label in scopes.get(scope, {})][-1]


def _shown(view: View, sites: Sequence[_Site]) -> tuple[_Site, tuple[str, ...]]:
    """Where a member's change is told: at its definer, or where that is not public, below it."""
    by_owner = {site.owner: site for site in sites}
    ranked = sorted(by_owner.values(), key=lambda site: _rank(view, site))
    public = [site for site in ranked if not any(_rank(view, site)[:2])] or ranked
    owners = {site.owner for site in public}
    top = [site for site in public if owners.isdisjoint(view.lineage(site.owner)[1:])] or public
    best = next((site for site in top if site.owner == site.definer), top[0])
    # Those below that have a definition of their own were told of it too.
    own = [site.path for site in public if site.owner == site.definer]
    aliases = [*(site.path for site in top), *own]
    if best.name:
        aliases += [
            f"{path}.{best.name}"
            for path in view.paths.get(best.owner, ())
            if view.promised(path) and not view.is_inner(path)
        ]
    return best, tuple(dict.fromkeys(path for path in aliases if path != best.path))


def _rank(view: View, site: _Site) -> Rank:
    return view.rank(site.path.rpartition(".")[0] if site.name else site.path)
