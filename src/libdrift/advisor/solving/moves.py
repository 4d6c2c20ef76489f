"""A library at the release that code was written for, and at the one that it is moved to."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from libdrift.advisor.solving.reading import is_short
from libdrift.history import versions
from libdrift.history.differences import compare, hints
from libdrift.history.views import View
from libdrift.languages.python.usage import ReleaseTypes
from libdrift.records import Change, ChangeKind, Provenance, Surface, Symbol, SymbolKind

_BUILTINS = frozenset(dir(builtins))
_LEAVING = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED, ChangeKind.DEPRECATED}
# Modules that keep what was: no place to send anybody to.
_KEPT = re.compile(r"\.(?:v\d+|compat|deprecated|legacy)\.")
_KEPT_MODULE = re.compile(r"\w+\.(?:(?:v\d+|compat|deprecated|legacy)\.)+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MENTION = re.compile(r"\b(\w+)\.((?:\w+\.)*\w+)")
_EVERYDAY = 0.05  # of the names that documentation mentions
_DEEP = 2  # dots in the path of a name in a module right below the root


class MovedLibrary:
    """Two releases; ``origin`` may be the older one or the newer one."""

    def __init__(self, origin: Surface, target: Surface, between: Sequence[Surface] = ()) -> None:
        self.package = origin.release.package
        self.origin, self.target = View(origin), View(target)
        self.between = between

    @property
    def is_downgrade(self) -> bool:
        before, after = (item.surface.release.version for item in (self.origin, self.target))
        return versions.order(before) > versions.order(after)

    @property
    def older(self) -> View:
        return self.target if self.is_downgrade else self.origin

    @property
    def newer(self) -> View:
        return self.origin if self.is_downgrade else self.target

    @property
    def newer_version(self) -> str:
        return self.newer.surface.release.version

    @cached_property
    def types(self) -> ReleaseTypes:
        """What the release that the code was written for tells of values."""
        return ReleaseTypes(self.origin)

    @cached_property
    def roots(self) -> frozenset[str]:
        return frozenset((*self.origin.surface.roots, *self.target.surface.roots))

    @property
    def main(self) -> str:
        """The root that has the package's own name; empty where none has."""
        own = self.package.replace("-", "_").lower()
        return next((root for root in sorted(self.roots) if root.lower() == own), "")

    # --- what happened from the older release to the newer

    def change(self, path: str) -> Change | None:
        """How a name of the older release left, or began to."""
        return self._changes.get(path)

    @cached_property
    def _changes(self) -> dict[str, Change]:
        found: dict[str, Change] = {}
        for change in compare(self.older.surface, self.newer.surface, self.between):
            if change.kind in _LEAVING and not change.parameter:
                for path in (change.path, *change.aliases):
                    found.setdefault(path, change)
        return found

    @cached_property
    def advised(self) -> dict[str, str]:
        """Names that the newer release advises, each with the older name that it stands in for."""
        found: dict[str, str] = {}
        for path, change in self._changes.items():
            if change.replacement and not _KEPT.search(f"{change.replacement}."):
                found.setdefault(change.replacement, path)
        for path, name in self._warnings():
            for advised in self._meant(name, path) if name else ():
                found.setdefault(advised, path)
        return found

    @cached_property
    def leaving(self) -> frozenset[str]:
        """Names that the newer release has no more, or warns of."""
        return frozenset((*self._changes, *(path for path, _ in self._warnings())))

    def _warnings(self) -> Iterator[tuple[str, str]]:
        """Public names of the newer release that warn, with what they say to use."""
        for target, symbol in self.newer.symbols.items():
            for told in symbol.deprecations:
                if told.parameter or told.conditional:
                    continue
                for path in self._public(target):
                    yield path, told.replacement

    def _public(self, target: str) -> list[str]:
        """The paths of a symbol; of a member, those of every public class that has it."""
        known = self.newer.paths.get(target)
        if known:
            return known[:1]
        module, _, inner = target.partition(":")
        owner, _, last = inner.rpartition(".")
        return [f"{path}.{last}" for path in self._heirs.get(f"{module}:{owner}", [])]

    @cached_property
    def _heirs(self) -> dict[str, list[str]]:
        """Of each class: the public paths of it and of those that inherit from it."""
        found: dict[str, list[str]] = {}
        for target, symbol in self.newer.symbols.items():
            path = self.newer.best(target) if symbol.kind is SymbolKind.CLASS else ""
            if path and not self.newer.is_inner(path):
                for above in self.newer.lineage(target):
                    found.setdefault(above, []).append(path)
        return found

    def _meant(self, name: str, path: str) -> list[str]:
        """What advice at a path means; of a member, that of the same class."""
        parent, last = path.rpartition(".")[0], name.rpartition(".")[2]
        owner = self.newer.symbol(parent)
        if owner is not None and owner.kind is SymbolKind.CLASS:
            beside = f"{parent}.{last}"
            if self.newer.find(beside) is not None:
                return [beside]
        found = hints.resolve(name, path, self.newer)
        return [found] if found else []

    @cached_property
    def everyday(self) -> frozenset[str]:
        """Last names that the older release's documentation uses most: seldom what is at stake."""
        short = self.main
        found: Counter[str] = Counter()
        for symbol in self.older.symbols.values():
            said = {
                match[2].rpartition(".")[2]
                for match in _MENTION.finditer(symbol.doc)
                if match[1] == short or is_short(match[1], short)
            }
            found.update(said)
        return frozenset(name for name, _ in found.most_common(int(len(found) * _EVERYDAY)))

    # --- single names

    def lost(self, path: str) -> str:
        """The first part of a path of the origin that the target does not have; empty if none."""
        if self.origin.find(path) is None or self.target.find(path) is not None:
            return ""
        parts = path.split(".")
        heads = (".".join(parts[: at + 1]) for at in range(1, len(parts)))
        lost = next((head for head in heads if self.target.find(head) is None), "")
        known = self.origin.find(lost) if lost else None
        symbol = self.origin.symbols.get(known.target) if known else None
        if known is None or self.target.may_miss(symbol, known) or _is_bare_value(symbol):
            return ""
        module = known.target.partition(":")[0]
        return "" if self.target.is_dark(module) else lost

    def owners(self, member: str) -> list[str]:
        """Public classes of the origin that have a member of that name."""
        return self._owners.get(member, [])

    @cached_property
    def _owners(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for target, symbol in self.origin.symbols.items():
            path = self.origin.best(target) if symbol.kind is SymbolKind.CLASS else ""
            if path and not self.origin.is_inner(path):
                for name in self.origin.members(target):
                    found.setdefault(name, []).append(path)
        return found

    def symbol(self, path: str) -> Symbol | None:
        """What a path reaches in the target."""
        return self.target.symbol(path)

    def other_paths(self, path: str) -> list[str]:
        """Other public paths in the target of what a path reaches there, under the same name."""
        name = self.target.find(path)
        last, root = path.rpartition(".")[2], path.partition(".")[0]
        return [
            other
            for other in self.target.paths.get(name.target if name else "", [])
            if other != path
            and other.rpartition(".")[2] == last
            and other.startswith(f"{root}.")
            and not _KEPT.search(other)
            and not self.target.is_inner(other)
        ]

    def successor(self, path: str) -> str:
        """What takes the place of a lost name in the target's current modules; empty if unknown."""
        change = self.change(path)
        told = change.replacement if change else ""
        if told and not _KEPT.search(f"{told}."):
            return told
        return self._builtin(path) or self._namesake(path)

    def _builtin(self, path: str) -> str:
        """What the error for a lost name says to use, where that is a builtin of Python's."""
        said = hints.named(self.target.surface.tombstones.get(path, ""))
        return next((name for name in said if name in _BUILTINS), "")

    def same_name(self, path: str) -> str:
        """The one function of the target that is called the same, elsewhere; else empty."""
        last, root = path.rpartition(".")[2], path.partition(".")[0]
        found = [
            other
            for other in self._by_last_word.get(_words(path)[-1] if _words(path) else "", [])
            if other.rpartition(".")[2] == last and other.partition(".")[0] == root
        ]
        wanted = self.origin.symbol(path)
        functions = [
            one
            for one in found
            if (symbol := self.target.symbol(one)) is not None
            and symbol.kind is SymbolKind.FUNCTION
            and _begins_alike(symbol, wanted)
        ]
        documented = [one for one in functions if getattr(self.target.symbol(one), "doc", "")]
        best = functions if len(functions) == 1 else documented
        return best[0] if len(best) == 1 else ""

    def is_kept(self, path: str) -> bool:
        """Whether the target has a lost name only among what it keeps of old."""
        return not self.successor(path) and bool(self.kept_path(path))

    def kept_path(self, path: str) -> str:
        """Where the target keeps what was at a path, as ``library.compat.v1.name``; else empty."""
        root, _, inner = path.partition(".")
        found = (f"{prefix}.{inner}" for prefix in self.kept_modules if prefix.startswith(root))
        return next((one for one in found if self.target.find(one) is not None), "")

    @cached_property
    def kept_modules(self) -> list[str]:
        """Modules of the target that keep what was, the shortest first."""
        found = {
            path[: match.end() - 1]
            for path in self.target.names
            if (match := _KEPT_MODULE.match(path)) is not None
        }
        return sorted(found, key=lambda one: (one.count("."), one))

    def _namesake(self, path: str) -> str:
        """A name of the target made of the same words: ``sparse_add`` is ``sparse.add`` now."""
        words = _words(path)
        found = [
            other
            for other in self._by_last_word.get(words[-1] if words else "", [])
            if other != path
            and other.partition(".")[0] == path.partition(".")[0]
            and _words(other)[-len(words) :] == words
        ]
        if len(words) == 1:
            # One word is little: it must be written the same, in a module right below the root.
            last = path.rpartition(".")[2]
            found = [one for one in found if one.rpartition(".")[2] == last]
            found = [one for one in found if one.count(".") <= _DEEP]
            return found[0] if len(found) == 1 else ""

        def rank(other: str) -> tuple[bool, bool, int, str]:
            same_case = other.rpartition(".")[2].islower() == path.rpartition(".")[2].islower()
            return _words(other) != words, not same_case, other.count("."), other

        return min(found, key=rank, default="")

    @cached_property
    def _by_last_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.target.names:
            if _KEPT.search(path) or self.target.is_inner(path) or not self.target.promised(path):
                continue
            words = _words(path)
            if words:
                found.setdefault(words[-1], []).append(path)
        return found


def _begins_alike(symbol: Symbol, other: Symbol | None) -> bool:
    """Whether the first parameters of two functions have one name, as far as both are known."""
    known = [item.signature.parameters for item in (symbol, other) if item and item.signature]
    firsts = {listed[0].name for listed in known if listed}
    return len(firsts) <= 1


def _is_bare_value(symbol: Symbol | None) -> bool:
    """Whether a name holds a value that no source shows: another import may not show it."""
    if symbol is None:
        return True
    seen = Provenance.STATIC not in symbol.provenance
    return seen and symbol.kind in {SymbolKind.CONSTANT, SymbolKind.UNKNOWN}


def is_kept_path(path: str) -> bool:
    """Whether a path is of a module that keeps what was."""
    return _KEPT.search(f"{path}.") is not None


def _words(path: str) -> tuple[str, ...]:
    """The words of a path below its root, without their plurals."""
    inner = path.partition(".")[2]
    return tuple(word.lower().rstrip("s") for word in _WORDS.findall(inner))
