"""A surface as a reader of differences needs it: by path, by symbol, by class, and how public."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property

from libdrift.records import Binding, Name, Provenance, Surface, Symbol

_SEEN = {Provenance.RUNTIME, Provenance.CARRIED}
_STUBS = {Provenance.STUB}
# Parts of a path that no user is meant to write.
_INNER = set(
    "internal internals impl tests conftest setup vendor vendored extern externals".split()
)
# These are inner only where the package offers their names further out, as pandas does with
# pandas.core. Elsewhere they are plainly public: django.core.
_MAYBE_INNER = {"core", "lib", "libs", "src"}
_OFFERED = 5  # names of a `core` that have a shorter path

# Gaps that hide no name of the module itself.
HARMLESS = re.compile(r": (?:inherits from|names of which)\b")

Rank = tuple[bool, bool, bool, int, bool, str]


class View:
    """Indexes over one surface; names with a leading underscore are left out."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.symbols = surface.symbols
        self._tops = {root.partition(".")[0].lstrip("_") for root in surface.roots}
        self._has_stubs = any(Provenance.STUB in s.provenance for s in self.symbols.values())
        own = surface.release.package.replace("-", "_").lower()
        # pylab comes with matplotlib, but it is matplotlib that people look for.
        self._main = next((root for root in surface.roots if root.lower() == own), "")
        self.names: dict[str, Name] = {}
        self._accidents: set[str] = set()  # imported, or reached through what is
        paths: dict[str, list[str]] = defaultdict(list)
        for path, name in surface.walk():
            if "._" not in path and not self.is_buried(path, name):
                self.names[path] = name
                paths[name.target].append(path)
                if self._is_accident(path, name):
                    self._accidents.add(path)
        self._shims = self._forwarding()
        self._inner = self._inner_prefixes(paths) | self._shims
        self.paths = {target: sorted(found, key=self.rank) for target, found in paths.items()}
        self._found: dict[str, Name | None] = {
            root: Name(root, Binding.SUBMODULE) for root in surface.roots
        }
        self._lineages: dict[str, tuple[str, ...]] = {}
        self._members: dict[str, dict[str, tuple[str, Name]]] = {}
        self._outside: dict[str, frozenset[str]] = {}
        self._dead: dict[str, set[str]] = defaultdict(set)  # of classes: members that only raise
        for path in surface.tombstones:
            if ":" in path:
                continue  # an id, which its names lead to
            parent, _, last = path.rpartition(".")
            self._found[path] = None
            owner = self.find(parent) if parent else None
            if owner is not None:
                self._dead[owner.target].add(last)
        self._members.clear()
        self._unread = modules_of(surface.origin.unread)
        self._gaps = modules_of(gap for gap in surface.origin.gaps if not HARMLESS.search(gap))

    def is_buried(self, path: str, name: Name | None = None) -> bool:
        """Whether all that is left of a thing is an error that tells of its end."""
        dead = self.surface.tombstones
        return path in dead or (name is not None and name.target in dead)

    def is_buried_member(self, class_id: str, label: str) -> bool:
        if label in self._dead.get(class_id, ()):
            return True
        scopes = (self.surface.scopes.get(scope, {}) for scope in self.lineage(class_id))
        name = next((scope[label] for scope in scopes if label in scope), None)
        return name is not None and name.target in self.surface.tombstones

    def _is_accident(self, path: str, name: Name) -> bool:
        if path == name.target:
            return False  # a module at its own place, whoever imports it there too
        parent = path.rpartition(".")[0]
        if parent in self._accidents or name.binding is Binding.UNLISTED:
            return True
        # What a package takes from its own modules, it offers.
        return name.binding is Binding.IMPORTED and not name.target.startswith(f"{parent}.")

    # --- paths

    def rank(self, path: str) -> Rank:
        """Less is more public: meant to be there, not inner, of the package's own name, short."""
        beside = bool(self._main) and path.partition(".")[0] != self._main
        name = self.names.get(path)
        lent = name is not None and name.target.replace(":", ".") != path
        return path in self._accidents, self.is_inner(path), beside, path.count("."), lent, path

    def is_inner(self, path: str) -> bool:
        if path in self._inner:
            return True
        parent, _, last = path.rpartition(".")
        # A member or a function may well be called `impl` or `setup`.
        module = last in _INNER and ":" not in getattr(self.names.get(path), "target", ":")
        return module or (bool(parent) and self.is_inner(parent))

    def is_forwarded(self, path: str) -> bool:
        """A name that a module makes up, which only forwards to others, and warns."""
        parent = path.rpartition(".")[0]
        if parent not in self._shims or path not in self.names:
            return False
        return self.names[path].target.startswith(f"{self.names[parent].target}:")

    def best(self, target: str) -> str:
        """The most public path of a symbol; empty if it has none."""
        found = self.paths.get(target)
        return found[0] if found else ""

    def promised(self, path: str) -> bool:
        """Whether a path of a module's name is more than an accident of imports."""
        return path in self.names and path not in self._accidents

    def find(self, path: str) -> Name | None:
        """What a path reaches, members and inherited ones too, foreign things included."""
        if path in self._found:
            return self._found[path]
        parent, _, last = path.rpartition(".")
        scope = self.find(parent) if parent else None
        found = self.lookup(scope.target, last) if scope else None
        self._found[path] = found
        return found

    @cached_property
    def by_last(self) -> dict[str, list[str]]:
        """Paths that are meant to be used, by their last part, the most public first."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.names, key=self.rank):
            if self.promised(path) and not self.is_inner(path):
                found[path.rpartition(".")[2]].append(path)
        return found

    def symbol(self, path: str) -> Symbol | None:
        name = self.find(path)
        return self.symbols.get(name.target) if name else None

    def lookup(self, scope: str, name: str) -> Name | None:
        if ":" not in scope:
            own = self.surface.scopes.get(scope, {}).get(name)
            return own if own and own.target not in self.surface.tombstones else None
        found = self.members(scope).get(name)
        return found[1] if found else None

    def imports(self, module: str, label: str) -> bool:
        """Whether a module has a name from another package, for its own use."""
        inside = () if ":" in module else self.surface.outside.get(module, ())
        return label in inside or any(place.endswith(".**") for place in inside)

    # --- classes

    def lineage(self, class_id: str) -> tuple[str, ...]:
        if class_id not in self._lineages:
            self._lineages[class_id] = self.surface.lineage(class_id)
        return self._lineages[class_id]

    def members(self, class_id: str) -> dict[str, tuple[str, Name]]:
        """Public names of a class, inherited ones too: each with the class that defines it."""
        known = self._members.get(class_id)
        if known is None:
            known = self._members[class_id] = {}
            seen = set(self._dead.get(class_id, ()))
            for scope in self.lineage(class_id):
                for label, name in self.surface.scopes.get(scope, {}).items():
                    if label not in seen and label[0] != "_":
                        seen.add(label)
                        if name.target not in self.surface.tombstones:
                            known[label] = (scope, name)
        return known

    def from_outside(self, class_id: str) -> frozenset[str]:
        """Names that bases of other packages, or methods, are known to give to a class."""
        if class_id not in self._outside:
            bases = (*self.foreign_bases(class_id), *self.lineage(class_id))
            found = (name for base in bases for name in self.surface.outside.get(base, ()))
            self._outside[class_id] = frozenset(found)
        return self._outside[class_id]

    def foreign_bases(self, class_id: str) -> set[str]:
        return {
            base
            for scope in self.lineage(class_id)
            for base in self.symbols[scope].bases
            if base not in self.symbols
        }

    def is_foreign(self, symbol: Symbol) -> bool:
        """Of another package: how that changes is not this one's history."""
        if "external" in symbol.traits:
            return True
        top = symbol.id.partition(":")[0].partition(".")[0].lstrip("_")  # _pytest is pytest's
        # What was read in a file of the release is its own, whatever the file is called.
        return top not in self._tops and Provenance.STATIC not in symbol.provenance

    # --- trust

    def may_miss(self, symbol: Symbol | None, name: Name) -> bool:
        """Whether this surface could have the thing and not show it.

        That is so when the other release knew it by import alone, and this one was not imported;
        or by its stubs alone, and this one has none.
        """
        known = [name.provenance, *([symbol.provenance] if symbol else [])]
        if not self._has_stubs and any(_STUBS.issuperset(how) for how in known):
            return True
        origin = self.surface.origin
        blind = not origin.runtime and bool(origin.gaps)
        return blind and any(_SEEN.issuperset(how) for how in known)

    def is_dark(self, module: str) -> bool:
        """A module of which nothing could be read: its names are unknown, not gone."""
        if module in self._unread:
            return True
        blind = not self.surface.origin.runtime and module in self._gaps
        return blind and not self.answers(module) and not self.surface.scopes.get(module)

    def answers(self, module: str) -> bool:
        """A module whose ``__getattr__`` a call makes: most names that it has not are gone."""
        return f"{module}: a call makes __getattr__" in self.surface.origin.gaps

    def is_hazy(self, module: str) -> bool:
        """A module that may answer to more names than reading shows."""
        return not self.surface.origin.runtime and module in self._gaps

    def shows(self, module: str, label: str) -> bool:
        """Whether reading would show a name that is written down in a module, had it one.

        A module that makes names at import writes down those of functions and classes.
        """
        inside = self.surface.outside.get(module, ())
        if label in inside or any(place.endswith(".*") for place in inside):
            return False
        # Of several definitions with that name, one may be offered in a way that is not read.
        is_one = self._definitions[label] <= 1
        return is_one and module not in self._answering and not self.is_dark(module)

    @cached_property
    def _definitions(self) -> Counter[str]:
        """How many modules define a name."""
        return Counter(target.partition(":")[2] for target in self.symbols if ":" in target)

    @cached_property
    def _answering(self) -> frozenset[str]:
        """Modules that answer to names, or take all of another's, which reading does not show."""
        gaps = self.surface.origin.gaps
        return modules_of(gap for gap in gaps if "getattr" in gap or "takes all names" in gap)

    def _forwarding(self) -> frozenset[str]:
        """Modules that only forward to others, and warn."""
        return frozenset(
            path
            for path, name in self.names.items()
            if ":" not in name.target and self._only_forwards(name.target)
        )

    def _only_forwards(self, module: str) -> bool:
        symbol = self.symbols.get(module)
        return symbol is not None and any(told.source == "shim" for told in symbol.deprecations)

    def _inner_prefixes(self, paths: dict[str, list[str]]) -> frozenset[str]:
        """Packages called `core` and the like whose names are offered further out.

        What they only import from elsewhere in the package is not theirs, and what a module further
        out only imports is not offered there.
        """
        offered: dict[str, int] = defaultdict(int)
        for target, found in paths.items():
            home = f"{target.partition(':')[0]}."
            meant = [path for path in found if path not in self._accidents]
            least = min((path.count(".") for path in meant), default=0)
            longer = [path for path in found if path.count(".") > least]
            for prefix in (prefix for path in longer if meant for prefix in _maybe_inner(path)):
                inside = f"{prefix}."
                is_theirs = inside.startswith(home) or home.startswith(inside)
                is_further_out = any(not path.startswith(inside) for path in meant)
                offered[prefix] += is_theirs and is_further_out
        return frozenset(prefix for prefix, count in offered.items() if count >= _OFFERED)


def _maybe_inner(path: str) -> list[str]:
    parts = path.split(".")
    return [
        ".".join(parts[: at + 1]) for at, part in enumerate(parts) if at and part in _MAYBE_INNER
    ]


def modules_of(remarks: Iterable[str]) -> frozenset[str]:
    """The modules that remarks like ``pkg/mod.py: why`` or ``pkg.mod: what`` are about."""
    found = set()
    for remark in remarks:
        place = remark.partition(":")[0].strip()
        if place.endswith((".py", ".pyi")):
            place = place.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
        found.add(place)
    return frozenset(found)
