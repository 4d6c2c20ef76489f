"""One surface from two: what the sources say, and what import showed.

Sources know how things are written: signatures with their defaults, deprecations, what a name was
imported from. Import knows what is there: compiled parts, names made on the fly, and that a name
which the sources seem to have is not there after all.
"""

from __future__ import annotations
import __future__

from collections.abc import Iterator, Mapping
from dataclasses import replace

from libdrift.languages.python.expressions import completed
from libdrift.records import (
    Binding,
    Deprecation,
    Name,
    Origin,
    Provenance,
    Signature,
    Surface,
    Symbol,
    SymbolKind,
)

# What sources take for a value may be a function or a class that another function made.
_VALUES = (SymbolKind.UNKNOWN, SymbolKind.CONSTANT, SymbolKind.ATTRIBUTE)
_MADE = (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS)
_OBJECTS = (SymbolKind.FUNCTION, SymbolKind.CLASS)
# Gaps that leave none of the module's own names unseen.
_NAMES_KNOWN = ("inherits from ", "names of which nothing else is known")


def merge(static: Surface, runtime: Surface) -> Surface:
    """The surface of a release from its sources and from its own import."""
    return _Merger(static, runtime).merged()


def carry(static: Surface, runtime: Surface, reference: Surface) -> Surface:
    """The surface of a release from its sources, completed by the import of another.

    ``runtime`` and ``reference`` are both of that other release of the same minor series: what its
    import showed, and what its sources say. What import added, or denied, of the other release is
    added or denied here, as far as the sources of the two say the same.
    """
    whole = merge(reference, runtime)
    symbols = dict(static.symbols)
    for key, symbol in whole.symbols.items():
        seen = Provenance.RUNTIME in symbol.provenance
        if seen and static.symbols.get(key) == reference.symbols.get(key):
            provenance = static.symbols[key].provenance if key in static.symbols else ()
            symbols[key] = replace(symbol, provenance=(*provenance, Provenance.CARRIED))
    scopes = {scope: dict(names) for scope, names in static.scopes.items()}
    for scope, names in whole.scopes.items():
        before = reference.scopes.get(scope)
        if before is None or scope in scopes:  # else only the other release has it
            _carry_names(scopes.setdefault(scope, {}), names, before or {}, symbols)
    mine, theirs, added = static.origin, reference.origin, whole.origin
    origin = replace(
        mine,
        runtime=runtime.origin.runtime,
        unread=(*mine.unread, *(line for line in added.unread if line not in theirs.unread)),
        gaps=tuple(gap for gap in mine.gaps if gap not in theirs.gaps or gap in added.gaps),
    )
    outside = {**whole.outside, **static.outside}
    return _swept(replace(static, symbols=symbols, scopes=scopes, outside=outside, origin=origin))


def _carry_names(
    here: dict[str, Name],
    names: Mapping[str, Name],
    before: Mapping[str, Name],
    symbols: Mapping[str, Symbol],
) -> None:
    """Do to one scope what import did to that of the other release."""
    for label, name in names.items():
        own = here.get(label)
        if own == before.get(label) and name != own and name.target in symbols:
            provenance = own.provenance if own else ()
            here[label] = replace(name, provenance=(*provenance, Provenance.CARRIED))
    for label, name in before.items():
        if label not in names and here.get(label) == name:
            del here[label]


class _Merger:
    def __init__(self, static: Surface, runtime: Surface) -> None:
        self.static = static
        self.runtime = runtime
        self.same: dict[str, str] = {}  # id at runtime: id in the sources
        self.twins: dict[str, str] = {}  # id in the sources: id at runtime
        self.outside = {**static.outside, **runtime.outside}
        self._unify()
        known = (gap.partition(": ") for gap in static.origin.gaps)
        self.open = {module for module, _, gap in known if not gap.startswith(_NAMES_KNOWN)}

    def _unify(self) -> None:
        """Find which ids mean the same: equal ones, and those that one name reaches in both.

        A library may label what it compiles, or offers, with the name of its root; the sources
        tell where it truly is.
        """
        mine, theirs = self.static, self.runtime
        for key in theirs.symbols:
            if key in mine.symbols:
                self.same[key] = self.twins[key] = key
        waiting = list(theirs.scopes)
        while waiting:
            scope = waiting.pop(0)
            own = self.same.get(scope, scope)
            for label, name in theirs.scopes[scope].items():
                other = mine.scopes.get(own, {}).get(label)
                new = name.target not in self.same
                if other is not None and self._may_be_one(other.target, name.target):
                    self.same.setdefault(name.target, other.target)
                    self.twins.setdefault(other.target, name.target)
                elif own != scope and name.target.startswith(f"{scope}."):
                    self.same.setdefault(name.target, own + name.target.removeprefix(scope))
                if new and name.target in self.same and name.target in theirs.scopes:
                    waiting.append(name.target)

    def _may_be_one(self, mine: str, theirs: str) -> bool:
        """Whether what a name reaches in the sources can be what it reaches at import."""
        if _is_module(mine) or _is_module(theirs):
            return _is_module(mine) and _is_module(theirs)
        twin = self.twins.get(mine, theirs)
        # Values have no identity; but two functions or classes are two.
        kinds = {self.runtime.symbols[key].kind for key in (twin, theirs)}
        return twin == theirs or not kinds.issubset(_OBJECTS)

    def merged(self) -> Surface:
        scopes = {scope: self._scope(scope) for scope in self.static.scopes}
        symbols = {key: self._symbol(symbol) for key, symbol in self.static.symbols.items()}
        for scope in self.runtime.scopes:
            key = self.same.get(scope, scope)
            if key not in scopes:
                scopes[key] = dict(self._added(scope, {}, module=""))
        for key, symbol in self.runtime.symbols.items():
            own = self.same.get(key, key)
            if own not in symbols:
                symbols[own] = self._new(own, symbol)
        for key, symbol in symbols.items():
            twin = self.twins.get(key, "")
            if symbol.kind is SymbolKind.CLASS and key not in scopes and twin in scopes:
                scopes[key] = scopes[twin]  # the same class under a name that warns
        whole = replace(
            self.static,
            roots=self.static.roots or self.runtime.roots,
            symbols=symbols,
            scopes=scopes,
            outside=self.outside,
            origin=self._origin(),
        )
        return _swept(whole)

    # Names

    def _scope(self, scope: str) -> dict[str, Name]:
        """The names of a module or class of the sources, as import leaves them."""
        twin = self.twins.get(scope, scope)
        seen = self.runtime.scopes.get(twin)
        names = self.static.scopes[scope]
        if seen is None:
            return dict(names)  # it was not imported, so nothing speaks against any
        kept: dict[str, Name] = {}
        for label, name in names.items():
            other = seen.get(label)
            if other is not None:
                kept[label] = self._both(name, other)
            elif not self._is_refuted(name, label, twin):
                kept[label] = name
        kept.update(self._added(twin, names, module="" if ":" in scope else scope))
        return kept

    def _both(self, name: Name, other: Name) -> Name:
        target = name.target
        if not _is_module(other.target) and not self._may_be_one(target, other.target):
            target = self.same.get(other.target, other.target)
        # What is in `__all__`, import knows best.
        known = Binding.LISTED in (name.binding, other.binding)
        binding = other.binding if known else name.binding
        return Name(target, binding, (*name.provenance, Provenance.RUNTIME))

    def _is_refuted(self, name: Name, label: str, twin: str) -> bool:
        if _is_module(name.target):
            return name.target in self.runtime.scopes  # else it could not be imported
        if ":" not in twin:
            return True
        symbol = self.static.symbols.get(name.target)
        if symbol is not None and "instance" in symbol.traits:
            return False
        inherited = self.runtime.inherited_from_outside(twin)
        return label not in self.runtime.members(twin) and label not in inherited

    def _added(
        self, scope: str, names: Mapping[str, Name], *, module: str
    ) -> Iterator[tuple[str, Name]]:
        """Names that only import shows; ``module``: the one whose sources should have told."""
        for label, name in self.runtime.scopes[scope].items():
            if label in names or (module and self._is_incidental(name, module)):
                continue
            yield label, replace(name, target=self.same.get(name.target, name.target))

    def _is_incidental(self, name: Name, module: str) -> bool:
        """Whether the sources, read whole, left a name out for good reason.

        A loop's variable, something imported to be used: at import they look like any constant.
        """
        symbol = self.runtime.symbols[name.target]
        if name.target.rpartition(":")[2] in __future__.all_feature_names:
            return symbol.kind in _VALUES
        if module in self.open or name.binding in (Binding.LISTED, Binding.LAZY):
            return False
        if symbol.kind in (SymbolKind.CONSTANT, SymbolKind.UNKNOWN) or "external" in symbol.traits:
            return True
        return name.binding is Binding.IMPORTED

    # Symbols

    def _symbol(self, symbol: Symbol) -> Symbol:
        seen = self.runtime.symbols.get(self.twins.get(symbol.id, ""))
        return symbol if seen is None else self._together(symbol, seen)

    def _together(self, symbol: Symbol, seen: Symbol) -> Symbol:
        made = symbol.kind in _VALUES and seen.kind in _MADE
        unknown = symbol.kind is SymbolKind.UNKNOWN
        return replace(
            symbol,
            kind=seen.kind if made or unknown else symbol.kind,
            signature=_signature(symbol.signature, seen.signature),
            # Sources may hold a template that import fills, or less than a decorator makes of it.
            doc=seen.doc or symbol.doc,
            deprecations=_joined(symbol, seen),
            notes=seen.notes if seen.doc else symbol.notes,
            bases=self._bases(symbol, seen),
            traits=tuple(dict.fromkeys((*symbol.traits, *(seen.traits if made else ())))),
            value="" if made else symbol.value or seen.value,
            annotation=symbol.annotation or seen.annotation,
            provenance=(*symbol.provenance, Provenance.RUNTIME),
        )

    def _new(self, key: str, seen: Symbol) -> Symbol:
        """A symbol that only import shows, with what the sources say about it elsewhere.

        A stub may put into a base class, that does not exist, what a class has by itself.
        """
        owner, _, label = key.rpartition(".")
        inherited = self.static.lookup(owner, label) if ":" in owner else None
        if inherited is not None and inherited.target not in self.twins:
            return self._together(replace(self.static.symbols[inherited.target], id=key), seen)
        bases = tuple(self.same.get(base, base) for base in seen.bases)
        return replace(seen, id=key, bases=bases)

    def _bases(self, symbol: Symbol, seen: Symbol) -> tuple[str, ...]:
        if seen.kind is not SymbolKind.CLASS or "external" in seen.traits:
            return symbol.bases
        written = {base.rpartition(".")[2]: base for base in symbol.bases if _is_module(base)}
        found = []
        for base in seen.bases:
            own = self.same.get(base, base)
            if _is_module(own) and base.rpartition(".")[2] in written:
                # `jinja2.BaseLoader`, as the sources write it, is `jinja2.loaders.BaseLoader`.
                own = written[base.rpartition(".")[2]]
                self.outside.setdefault(own, self.runtime.outside.get(base, ()))
            found.append(own)
        return tuple(found)

    def _origin(self) -> Origin:
        mine, theirs = self.static.origin, self.runtime.origin
        seen = self.runtime.scopes
        gaps = tuple(gap for gap in mine.gaps if gap.partition(": ")[0] not in seen)
        split = (gap.partition(": ") for gap in gaps)
        left = {module for module, _, gap in split if not gap.startswith(_NAMES_KNOWN)}
        # Of what could not be imported, only that matters which the sources do not tell either.
        unread = [
            line
            for line in theirs.unread
            if (module := line.partition(": ")[0]) in left or module not in self.static.scopes
        ]
        return replace(
            mine,
            runtime=theirs.runtime,
            python=mine.python or theirs.python,
            unread=(*mine.unread, *unread),
            gaps=gaps,
        )


def _joined(symbol: Symbol, seen: Symbol) -> tuple[Deprecation, ...]:
    """The evidence of the sources, and what import shows beyond it."""
    known = {(item.source, item.parameter) for item in symbol.deprecations}
    more = [item for item in seen.deprecations if (item.source, item.parameter) not in known]
    return (*symbol.deprecations, *more)


def _signature(mine: Signature | None, theirs: Signature | None) -> Signature | None:
    """As the sources write it; with what a decorator adds, which only import shows."""
    if mine is None or theirs is None:
        return mine or theirs
    mine = completed(mine, theirs)
    written = {item.name: item for item in mine.parameters}
    if not written.keys() < {item.name for item in theirs.parameters}:
        return mine
    return Signature(
        tuple(written.get(item.name, item) for item in theirs.parameters), mine.returns
    )


def _is_module(target: str) -> bool:
    return ":" not in target


def _swept(surface: Surface) -> Surface:
    """Without what no name reaches any more."""
    reached: set[str] = set()
    waiting = list(surface.roots)
    while waiting:
        key = waiting.pop()
        if key in reached:
            continue
        reached.add(key)
        waiting += [name.target for name in surface.scopes.get(key, {}).values()]
        if key in surface.symbols:
            waiting += surface.symbols[key].bases
    return replace(
        surface,
        symbols={key: symbol for key, symbol in surface.symbols.items() if key in reached},
        scopes={key: names for key, names in surface.scopes.items() if key in reached},
    )
