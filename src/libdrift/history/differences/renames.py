"""Where a thing went that is gone: moved, renamed, or replaced by another; with the evidence."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from libdrift.history.differences import families, hints, resemblance
from libdrift.history.differences.signatures import likeness
from libdrift.history.views import View
from libdrift.records import Binding, ChangeKind, Surface, Symbol, SymbolKind

LEAST = 0.6  # of confidence: below it a thing is just gone
_LONG = 4  # distinct lines: two such bodies are not alike by chance
_TWO_WORDS = re.compile(r"[A-Z]+[a-z]+\w*[A-Z][a-z]+")
_WORDS = re.compile(r"[a-z]{2}_[a-z]{2}|[a-z]{2}[A-Z][a-z]")  # of a function's name: two, or more
_LONG_NAME = 16  # letters: two such names are not alike by chance
_SEVERAL = 2  # names that a module and the one that it became share, at least
_CUSTOMARY = 3  # modules: a name that more of them define says nothing of any


@dataclass(frozen=True, slots=True)
class RenameCandidate:
    """What one release has and the other has not, under the most public of its paths."""

    path: str
    target: str
    symbol: Symbol | None
    aliases: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # paths under which both releases have it
    is_member: bool = False
    sure: float = 1.0

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def parent(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def parents(self) -> set[str]:
        return {path.rpartition(".")[0] for path in (self.path, *self.aliases)}


@dataclass(frozen=True, slots=True)
class Successor:
    """``kind``: renamed, moved, or removed, where another thing is to be used instead."""

    path: str
    kind: ChangeKind
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Clue:
    path: str
    confidence: float
    evidence: str
    told: bool = False  # in words, by a release
    plain: bool = True


class Finder:
    """Looks for successors among the paths of the new release."""

    def __init__(
        self,
        old: View,
        new: View,
        between: Sequence[Surface],
        gained: Sequence[RenameCandidate],
    ) -> None:
        self.old, self.new = old, new
        self.releases = [old.surface, *between]
        self._bodies: dict[str, list[RenameCandidate]] = defaultdict(list)
        self._lasts: dict[str, list[RenameCandidate]] = defaultdict(list)
        self._siblings: dict[str, list[RenameCandidate]] = defaultdict(list)
        self._modules = [t for t in gained if t.symbol and t.symbol.kind is SymbolKind.MODULE]
        self._gained = gained
        self._families: Mapping[str, str] = {}
        self._extended: Mapping[str, str] = {}
        for thing in gained:
            self._lasts[thing.last].append(thing)
            for parent in thing.parents:
                self._siblings[parent].append(thing)
            if thing.symbol and thing.symbol.body:
                self._bodies[thing.symbol.body].append(thing)

    def find(self, lost: Sequence[RenameCandidate]) -> dict[str, Successor]:
        """At most one successor each; what only looks alike can be the successor of one."""
        self._families = families.renamed(lost, self._gained)
        self._extended = families.extended(lost, self._gained)
        ranked: list[tuple[float, int, RenameCandidate, str, list[_Clue]]] = []
        for thing in lost:
            by_path: dict[str, list[_Clue]] = defaultdict(list)
            for clue in self._clues(thing):
                by_path[clue.path].append(clue)
            for path, clues in by_path.items():
                sure = resemblance.joined(clue.confidence for clue in clues)
                if sure >= LEAST and self._is_for_users(thing, path, clues):
                    ranked.append((sure, len(clues), thing, path, clues))
        ranked.sort(key=lambda item: (-item[0], -item[1], item[2].path, self._order(item)))
        found: dict[str, Successor] = {}
        taken: set[str] = set()
        for sure, _, thing, path, clues in ranked:
            guessed = not any(clue.told or clue.confidence == 1.0 for clue in clues)
            if thing.path in found or (guessed and path in taken):
                continue
            kind = self._kind(thing, path, clues)
            if kind is not ChangeKind.REMOVED:
                taken.add(path)
            evidence = tuple(dict.fromkeys(clue.evidence for clue in clues))
            found[thing.path] = Successor(path, kind, round(sure, 2), evidence)
        return found

    def _is_for_users(self, thing: RenameCandidate, path: str, clues: Sequence[_Clue]) -> bool:
        """Of a public thing an inner path may be all that is left, but nobody should take it."""
        inner = self.new.is_inner(path) and not self.old.is_inner(thing.path)
        return not inner or any(clue.told for clue in clues)

    def message(self, thing: RenameCandidate) -> str:
        """The first name that a message gives, though nothing of the new release answers to it."""
        said = hints.of(thing.path, self.releases, self.new)
        names = (hint.name for hint in said if hint.is_name)
        return next((name for name in names if not hints.encloses(name, thing.path)), "")

    def _order(
        self, item: tuple[float, int, RenameCandidate, str, list[_Clue]]
    ) -> tuple[object, ...]:
        """Among equals: beside the old name, then the most public."""
        _, _, thing, path, _ = item
        return path.rpartition(".")[0] != thing.parent, self.new.rank(path)

    # --- evidence

    def _clues(self, thing: RenameCandidate) -> Iterator[_Clue]:
        yield from self._same(thing)
        symbol = self._latest(thing)
        if symbol and symbol.kind is not SymbolKind.MODULE:
            yield from self._same_body(thing, symbol)
            yield from self._same_name(thing, symbol)
            yield from self._alike(thing, symbol)
            yield from self._further_in(thing, symbol)
            yield from self._in_family(thing)
        elif symbol:
            yield from self._same_contents(thing)
        yield from self._told(thing)

    def _latest(self, thing: RenameCandidate) -> Symbol | None:
        """The symbol in the last release that still had it: nearest to what it became."""
        for surface in reversed(self.releases[1:]):
            found = surface.resolve(thing.path)
            if found:
                return found
        return thing.symbol

    def _same(self, thing: RenameCandidate) -> Iterator[_Clue]:
        if thing.is_member:
            return
        why = "another name of the same thing" if thing.kept else "the same definition"
        targets = [name.target for path in thing.kept if (name := self.new.find(path))]
        # A kept alias that now stands for something of another name is no witness.
        targets = [item for item in targets if _own_name(item) == _own_name(thing.target)]
        for target in dict.fromkeys(targets or [thing.target]):
            for path in self.new.paths.get(target, ()):
                yield _Clue(path, 1.0 if self.new.promised(path) else 0.5, why)

    def _same_body(self, thing: RenameCandidate, symbol: Symbol) -> Iterator[_Clue]:
        for other in self._bodies.get(symbol.body, ()) if symbol.body else ():
            if thing.is_member and thing.parents.isdisjoint(other.parents):
                continue  # of another class
            if _comparable(thing, symbol, other):
                alike = likeness(thing.last, other.last)
                long = len(symbol.sketch) >= _LONG
                yield _Clue(other.path, 0.95 if long else 0.3 + 0.6 * alike, "the same code")

    def _same_name(self, thing: RenameCandidate, symbol: Symbol) -> Iterator[_Clue]:
        if thing.is_member:
            return  # as many classes have a `close`
        namesakes = self._lasts.get(thing.last, ())
        if len(namesakes) == 1 and _is_one_class(thing, symbol, namesakes[0]):
            yield _Clue(namesakes[0].path, 0.7, "the only new class of that name")
        elif len(namesakes) == 1 and _is_one_function(thing, symbol, namesakes[0]):
            yield _Clue(namesakes[0].path, 0.65, "the only new function of that name")
        for other in namesakes:
            if not other.symbol or not _comparable(thing, symbol, other):
                continue
            signature = resemblance.overlap(symbol.signature, other.symbol.signature)
            if signature is not None and signature >= 0.9:  # noqa: PLR2004  (nearly all)
                yield _Clue(other.path, 0.8, "the same name and parameters")
            if symbol.doc and resemblance.same_first_line(symbol, other.symbol):
                yield _Clue(other.path, 0.8, "the same name and documentation")
            if len(namesakes) == 1 and resemblance.same_value(symbol, other.symbol):
                yield _Clue(other.path, 0.7, "the only new value of that name, and the same")

    def _in_family(self, thing: RenameCandidate) -> Iterator[_Clue]:
        symbol = self._latest(thing)
        path = self._families.get(thing.path, "")
        if path and resemblance.is_like(symbol, self.new.symbol(path), least=0.0):
            yield _Clue(path, 0.75, "several names beside it have the same word for another")
        path = self._extended.get(thing.path, "")
        if path and resemblance.is_like(symbol, self.new.symbol(path), least=0.5):
            yield _Clue(path, 0.65, "the only new name beside it with all of its words")

    def _alike(self, thing: RenameCandidate, symbol: Symbol) -> Iterator[_Clue]:
        beside = (other for parent in thing.parents for other in self._siblings.get(parent, ()))
        for other in {other.path: other for other in beside}.values():
            if not other.symbol or not _comparable(thing, symbol, other):
                continue
            if resemblance.same_words(symbol, other.symbol):
                sure = 0.5 + 0.4 * likeness(thing.last, other.last)
                yield _Clue(other.path, sure, "the same documentation beside it")
                continue
            if sorted(thing.last.split("_")) == sorted(other.last.split("_")):
                yield _Clue(other.path, 0.85, "the same words in another order")
                continue
            if self._is_respelled(thing, symbol, other):
                yield _Clue(other.path, 0.7, "nearly the same long name beside it")
                continue
            if resemblance.nearly_same_words(symbol, other.symbol):
                alike = likeness(thing.last, other.last)
                if thing.last.startswith(f"{other.last}_") or other.last.startswith(
                    f"{thing.last}_"
                ):
                    alike = 1.0  # `load_model`, `load`
                if alike >= 0.8:  # noqa: PLR2004  (most letters)
                    yield _Clue(other.path, 0.75 * alike, "a like name and documentation beside it")
                    continue
            code = resemblance.similarity(symbol.sketch, other.symbol.sketch)
            if resemblance.cannot_be(code, thing.last, other.last):
                continue
            parameters = resemblance.overlap(symbol.signature, other.symbol.signature)
            sure = resemblance.likely(code, parameters, likeness(thing.last, other.last))
            if sure >= LEAST:
                yield _Clue(other.path, sure, "similar code, parameters or name beside it")

    def _is_respelled(self, thing: RenameCandidate, symbol: Symbol, other: RenameCandidate) -> bool:
        if min(len(thing.last), len(other.last)) < _LONG_NAME or other.symbol is None:
            return False
        if likeness(thing.last, other.last) < 0.9:  # noqa: PLR2004  (nearly all letters)
            return False
        shared = resemblance.overlap(symbol.signature, other.symbol.signature)
        same_digits = re.findall(r"\d+", thing.last) == re.findall(r"\d+", other.last)
        return same_digits and (shared is None or shared >= 0.5)  # noqa: PLR2004

    def _further_in(self, thing: RenameCandidate, symbol: Symbol) -> Iterator[_Clue]:
        """A name that only a module below has now: scipy.signal.hann, in scipy.signal.windows."""
        if thing.is_member or "external" in symbol.traits:
            return
        below = [
            path
            for path in self.new.by_last.get(thing.last, ())
            if path.startswith(f"{thing.parent}.") and self.old.find(path)
        ]
        found = {self.new.names[path].target for path in below}
        other = self.new.symbols.get(next(iter(found))) if len(found) == 1 else None
        if other is None or "external" in other.traits:
            return  # what a module below takes from another package is not this one's
        if resemblance.same_sort(symbol, other) or resemblance.may_be_called(symbol):
            shared = resemblance.overlap(symbol.signature, other.signature)
            if shared is None or shared >= 0.5:  # noqa: PLR2004  (half of the parameters)
                yield _Clue(below[0], 0.7, "the only such name below")

    def _same_contents(self, thing: RenameCandidate) -> Iterator[_Clue]:
        """A module whose names are found again in a new one: several that few modules have."""
        names = self._offers(self.old, thing.target)
        for other in self._modules if names else ():
            theirs = self._offers(self.new, other.target)
            shared = names & theirs
            share = len(shared) / len(names | theirs)
            is_beside = thing.parent == other.parent
            is_respelled = is_beside and resemblance.same_but_number(thing.last, other.last)
            if share < 0.5 and not (shared and is_respelled):  # noqa: PLR2004  (most of them)
                continue
            alike = [name for name in shared if self._is_same_member(thing, other, name)]
            # One name is enough only where it is plainly the same thing.
            if len(shared) >= _SEVERAL or alike or is_respelled:
                sure = 0.4 + 0.5 * share + 0.1 * self._same_code(thing, other, shared)
                sure = max(sure, 0.7) if is_respelled else sure
                yield _Clue(other.path, sure, "a module of the same names")

    def _same_code(
        self, thing: RenameCandidate, other: RenameCandidate, shared: frozenset[str]
    ) -> float:
        """The share of functions with the same code, of two modules that may be one."""
        pairs = [
            (self.old.symbols.get(f"{thing.target}:{name}"), found)
            for name in shared
            if (found := self.new.symbols.get(f"{other.target}:{name}")) and found.body
        ]
        same = [old for old, new in pairs if old is not None and old.body == new.body]
        return len(same) / len(pairs) if pairs else 0.0

    def _offers(self, view: View, module: str) -> frozenset[str]:
        """A module's own names, but for those that modules of the package have by custom."""
        scope = view.surface.scopes.get(module, {})
        own = {
            name: found
            for name, found in scope.items()
            if found.target.startswith(f"{module}:") and name not in self._customary
        }
        # What a module lists is what it is for.
        listed = [name for name, found in own.items() if found.binding is Binding.LISTED]
        return frozenset(listed or own)

    @cached_property
    def _customary(self) -> frozenset[str]:
        """Names that many modules define, each its own: `logger`, `test`, `main`."""
        counts: Counter[str] = Counter()
        for module, scope in self.old.surface.scopes.items():
            if ":" not in module:
                own = f"{module}:"
                counts.update(name for name, found in scope.items() if found.target.startswith(own))
        return frozenset(name for name, count in counts.items() if count > _CUSTOMARY)

    def _is_same_member(self, thing: RenameCandidate, other: RenameCandidate, name: str) -> bool:
        old = self.old.symbols.get(f"{thing.target}:{name}")
        new = self.new.symbols.get(f"{other.target}:{name}")
        if old is None or new is None or not resemblance.same_sort(old, new):
            return False
        same_code = bool(old.body) and old.body == new.body
        return same_code or (bool(old.doc) and resemblance.same_first_line(old, new))

    def _told(self, thing: RenameCandidate) -> Iterator[_Clue]:
        seen: set[str] = set()
        for hint in hints.of(thing.path, self.releases, self.new):
            path = hints.follow(hint, thing.path, self.releases, self.new)
            if path and path not in seen:
                # Of several names in a message the first is the likeliest.
                sure = 0.9 - 0.2 * len(seen)
                seen.add(path)
                yield _Clue(path, sure, hint.source, told=True, plain=hint.is_plain)

    # --- judgement

    def _kind(self, thing: RenameCandidate, path: str, clues: Sequence[_Clue]) -> ChangeKind:
        if self.old.find(path) is not None:
            # It stood beside the old one already: what happens now is that the old one goes.
            return ChangeKind.REMOVED
        parent, _, last = path.rpartition(".")
        if any(not clue.told for clue in clues):
            return ChangeKind.MOVED if last == thing.last else ChangeKind.RENAMED
        owner = self.new.symbol(parent)
        in_class = owner is not None and owner.kind is SymbolKind.CLASS
        if in_class != thing.is_member or not all(clue.plain for clue in clues):
            return ChangeKind.REMOVED
        if last == thing.last:
            return ChangeKind.REMOVED if thing.is_member else ChangeKind.MOVED
        if parent not in thing.parents:
            return ChangeKind.REMOVED
        return ChangeKind.RENAMED if self._related(thing, path) else ChangeKind.REMOVED

    def _related(self, thing: RenameCandidate, path: str) -> bool:
        """Whether what a message names can take the old one's place as it stands."""
        old, new = thing.symbol, self.new.symbol(path)
        alike = likeness(thing.last, path.rpartition(".")[2])
        if old is None or new is None:
            return alike >= LEAST
        shared = resemblance.overlap(old.signature, new.signature) or 0.0
        return resemblance.same_sort(old, new) and max(alike, shared) >= 0.5  # noqa: PLR2004  (by half)


def _comparable(thing: RenameCandidate, symbol: Symbol, other: RenameCandidate) -> bool:
    return (
        other.symbol is not None
        and thing.is_member == other.is_member
        and resemblance.same_sort(symbol, other.symbol)
        and not resemblance.are_opposites(thing.last, other.last)
    )


def _is_one_class(thing: RenameCandidate, symbol: Symbol, other: RenameCandidate) -> bool:
    """`RankWarning`, here and there: a name of two words is not given twice by chance."""
    if symbol.kind is not SymbolKind.CLASS or other.symbol is None:
        return False
    is_other = resemblance.overlap(symbol.signature, other.symbol.signature) == 0.0
    is_long = bool(_TWO_WORDS.match(thing.last))
    return is_long and not is_other and _comparable(thing, symbol, other)


def _is_one_function(thing: RenameCandidate, symbol: Symbol, other: RenameCandidate) -> bool:
    """`fraction_sum`, in a module and in a new one below or beside it."""
    place = thing.parent.rpartition(".")[0] or thing.parent
    is_near = other.path.startswith((f"{thing.parent}.", f"{place}."))
    if symbol.kind is not SymbolKind.FUNCTION or other.symbol is None or not is_near:
        return False
    shared = resemblance.overlap(symbol.signature, other.symbol.signature)
    fits = shared is None or shared >= 0.5  # noqa: PLR2004  (half of the parameters)
    return fits and bool(_WORDS.search(thing.last)) and _comparable(thing, symbol, other)


def _own_name(target: str) -> str:
    return target.replace(":", ".").rpartition(".")[2]
