"""A surface from the pieces that its classes are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from libdrift.languages.java.pieces import Piece
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Release,
    Surface,
    Symbol,
    SymbolKind,
)

_OBJECT = "java.lang:Object"


def assemble(
    release: Release,
    pieces: Iterable[Piece],
    exported: Collection[str] | None,
    origin: Origin,
    packages: Mapping[str, Deprecation] | None = None,
) -> Surface:
    """``exported``: the packages that are for users, where modules say; else all of them.

    ``packages``: those that are deprecated as a whole.
    """
    known = {item.id: item for item in pieces}
    shown = _shown(known, exported)
    kept = _with_ancestors(known, shown)
    named = set(shown)
    symbols: dict[str, Symbol] = {}
    scopes: dict[str, dict[str, Name]] = {}
    for package in sorted({item.partition(":")[0] for item in shown}):
        told = (packages or {}).get(package)
        symbols[package] = Symbol(package, SymbolKind.MODULE, deprecations=(told,) if told else ())
        scopes[package] = {}
    for identity in kept:
        item = known[identity]
        symbols[identity] = _with_bases(item.symbol, kept)
        symbols.update(item.symbols)
        scopes[identity] = dict(item.names) if identity in named else _inheritable(item)
    _place(known, shown, scopes)
    roots = tuple(identity for identity in symbols if ":" not in identity)
    return Surface(release, roots, symbols, scopes, origin=origin)


def _inheritable(item: Piece) -> dict[str, Name]:
    """The names of a class that users have only by way of others: all but its constructors."""
    own = item.id.rpartition(":")[2].rpartition(".")[2]
    return {label: name for label, name in item.names.items() if label.partition("(")[0] != own}


def _shown(known: Mapping[str, Piece], exported: Collection[str] | None) -> list[str]:
    """Classes that a user can name: public to the outermost, in a package that is for users."""

    def is_shown(item: Piece) -> bool:
        if not item.visible:
            return False
        if item.outer:
            around = known.get(item.outer)
            return around is not None and is_shown(around)
        return bool(item.package) and (exported is None or item.package in exported)

    # Outer classes first: what is in them is told after them.
    return sorted(
        (i for i, item in known.items() if is_shown(item)), key=lambda i: (i.count("."), i)
    )


def _with_ancestors(known: Mapping[str, Piece], shown: Iterable[str]) -> dict[str, None]:
    """With classes that are not for users, but whose members are inherited by those that are."""
    waiting = list(shown)
    kept = dict.fromkeys(waiting)
    for identity in waiting:  # grows
        for base in known[identity].symbol.bases:
            if base in known and base not in kept:
                kept[base] = None
                waiting.append(base)
    return kept


def _with_bases(symbol: Symbol, kept: Collection[str]) -> Symbol:
    """Bases of other packages by their paths."""
    if all(base in kept for base in symbol.bases):
        return symbol
    bases = [
        base if base in kept else base.replace(":", ".")
        for base in symbol.bases
        if base in kept or base != _OBJECT
    ]
    return replace(symbol, bases=tuple(bases))


def _place(
    known: Mapping[str, Piece], shown: Iterable[str], scopes: Mapping[str, dict[str, Name]]
) -> None:
    """Names for classes: in their package, or in the class around them."""
    nested: defaultdict[str, list[str]] = defaultdict(list)
    for identity in shown:
        package, _, path = identity.partition(":")
        outer = known[identity].outer
        if outer:
            scopes[outer][path.rpartition(".")[2]] = Name(identity)
            nested[package].append(identity)
        else:
            scopes[package][path] = Name(identity)
    for package, inner in nested.items():
        for identity in inner:
            # Comparisons look for classes in modules alone: there they are, but as no one's loss.
            scopes[package][identity.partition(":")[2]] = Name(identity, Binding.UNLISTED)
