"""Bases that classes lost and gained, each told at the uppermost class that it concerns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from libdrift.history.differences import facets
from libdrift.history.differences.facets import Pair
from libdrift.history.differences.members import ClassPair, MemberComparison
from libdrift.languages.python import outside
from libdrift.records import Change, Symbol, SymbolKind

_OS_ERRORS = {"IOError", "EnvironmentError", "WindowsError"}  # other names of OSError
MakePair = Callable[[Symbol, Symbol, str], Pair]


def changes(inside: MemberComparison, pair_of: MakePair) -> Iterator[Change]:
    differences = {pair.old: _ancestors(pair, inside) for pair in reversed(inside.classes)}
    for pair in inside.classes:
        lost, gained = differences[pair.old]
        if pair.further or (not lost and not gained):
            continue
        # What a class has from its base is that base's change.
        for base in inside.old.lineage(pair.old)[1:]:
            above = differences.get(base, (set(), set()))
            lost, gained = lost - above[0], gained - above[1]
        old, new = inside.old.symbols[pair.old], inside.new.symbols[pair.new]
        change = facets.bases(pair_of(old, new, pair.path), lost, gained)
        if change:
            yield replace(change, path=pair.path)


def _ancestors(pair: ClassPair, inside: MemberComparison) -> tuple[set[str], set[str]]:
    """Last names of ancestors that a class lost and gained; renamed ones are neither."""
    before, after = inside.old.lineage(pair.old)[1:], inside.new.lineage(pair.new)
    followed = {new for base in before for new in inside.counterparts.get(base, ())}
    old = {*before, *inside.old.foreign_bases(pair.old)}
    new = {*after[1:], *inside.new.foreign_bases(pair.new)}
    old_names, new_names = ({_alike(base) for base in some} for some in (old, new))
    new_names |= {_alike(name) for base in new for name in outside.ancestors(base)}
    covered = _covered(pair, inside)
    unknown = _unread(pair, inside)
    lost = {
        _last(base)
        for base in old
        # A class may have become its base, under its old name: so `after` with itself.
        if inside.counterparts.get(base, set()).isdisjoint(after)
        and _alike(base) not in new_names
        and base not in covered
        and (":" in base or not unknown)
    }
    gained = {_last(base) for base in new if base not in followed and _alike(base) not in old_names}
    return lost, gained


def _unread(pair: ClassPair, inside: MemberComparison) -> set[str]:
    """New bases of which nothing is known, compiled or of other packages: who their bases are may
    not be said. They may be Python's or another package's, but none of this package's own."""
    new = inside.new
    fresh = new.foreign_bases(pair.new) - inside.old.foreign_bases(pair.old)
    found = {base for base in fresh if base not in new.surface.outside}
    inner = {base for scope in new.lineage(pair.new) for base in new.symbols[scope].bases}
    return found | {base for base in inner if base in new.symbols and _is_vague(new.symbols[base])}


def _is_vague(base: Symbol) -> bool:
    """Compiled, or what stands in for that where it cannot be had."""
    return base.kind is SymbolKind.UNKNOWN or "alternative" in base.traits


def _covered(pair: ClassPair, inside: MemberComparison) -> set[str]:
    """What went to a package of its own, with its bases: there it may have the same ones."""
    apart = {_alike(base) for base in inside.new.foreign_bases(pair.new)}
    return {
        above
        for base in inside.old.lineage(pair.old)[1:]
        if _alike(base) in apart
        for above in (*inside.old.lineage(base), *inside.old.foreign_bases(base))
    }


def _alike(base: str) -> str:
    """typing.List is a list, a NamedTuple a tuple, an IOError an OSError."""
    last = _last(base)
    return "oserror" if last in _OS_ERRORS else last.casefold().removeprefix("named")


def _last(base: str) -> str:
    return base.replace(":", ".").rpartition(".")[2]
