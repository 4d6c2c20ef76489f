"""The life of a symbol over all mined releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from libdrift.history.differences import hints
from libdrift.history.differences.hints import spellings
from libdrift.history.questions.asking import tracer_for, unknown
from libdrift.history.questions.edits import how_in_code, how_replaced
from libdrift.history.questions.executed import SeenByRunning, seen
from libdrift.history.questions.tracing import Reached, Tracer, positions, runs
from libdrift.history.spelling import is_typed, spelled
from libdrift.history.store import Store, packing
from libdrift.records import Deprecation, Provenance, Replacement, Symbol

# path, the last release with it, the first without it: the path that took its place, or nothing
SuccessorLookup = Callable[[str, str, str], str]


@dataclass(frozen=True, slots=True)
class VersionSpan:
    """Something that was so from one mined release to another."""

    first: str
    last: str
    text: str


@dataclass(frozen=True, slots=True)
class DeprecationSpan:
    """A deprecation, of the symbol or of one of its parameters, and the releases that tell it."""

    first: str
    last: str
    message: str
    since: str = ""  # as the release itself says
    replacement: str = ""  # as the message writes it
    parameter: str = ""
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Absence:
    removed: str
    back: str


@dataclass(frozen=True, slots=True)
class Life:
    """Versions are of mined releases: a change is known to be between one of them and the next."""

    path: str
    package: str
    kind: str
    introduced: str
    introduced_before: bool  # there in the first mined release: at that one or before it
    removed: str | None
    deprecated: DeprecationSpan | None  # as of its last release
    replacement: str
    signatures: tuple[VersionSpan, ...]
    definitions: tuple[VersionSpan, ...]  # where it is defined, as an id
    told: tuple[DeprecationSpan, ...]  # every deprecation that ever was, parameters' too
    gaps: tuple[Absence, ...]
    unsure: tuple[str, ...]  # the release before or after, if it may have had it unseen
    public_path: str  # the most public path of the same thing; often this one
    mined: tuple[str, str]  # the first and the last mined release
    dates: dict[str, str | None]
    how: Replacement | None = None  # the replacement as an edit of the code that uses it
    behaviour: tuple[SeenByRunning, ...] = ()  # what running examples showed

    @property
    def last_there(self) -> str:
        """The mined release before it was removed; empty if it is still there."""
        return self.mined_before(self.removed) if self.removed else ""

    def mined_before(self, version: str) -> str:
        """The mined release before another; empty if there is none."""
        return next((one for one, later in pairwise(self.dates) if later == version), "")


def life(
    store: Store,
    path: str,
    successor: SuccessorLookup | None = None,
    package: str | None = None,
) -> Life:
    """The life of what a path reaches. ``successor`` is asked when no release tells of one.

    ``package`` says in whose releases, where it is not the one that the path's root leads to.
    """
    with store.snapshot():
        package, path, tracer = tracer_for(store, path, package)
        reached = tracer.reach(path)
        if not reached.mask:
            raise unknown(store, package, path, tracer)
        found = _life(package, path, tracer, reached, successor)
        shown = seen(store, package, tuple({found.path, found.public_path} - {""}))
    return replace(
        found,
        path=spelled(found.path, package),
        public_path=spelled(found.public_path, package),
        replacement=spelled(found.replacement, package),
        behaviour=shown,
    )


# --- one life


def _declared(package: str, symbol: Symbol) -> str:
    """A signature as people of the language read it."""
    return (is_typed(package) and symbol.annotation) or str(symbol.signature)


@dataclass(frozen=True, slots=True)
class _Moment:
    """What is known of a path in one release."""

    position: int
    target: str
    symbol: Symbol | None  # without documentation; None where the code is another package's


def _life(
    package: str, path: str, tracer: Tracer, reached: Reached, successor: SuccessorLookup | None
) -> Life:
    moments = _alive(_moments(tracer, reached))
    versions = tracer.versions
    first, last = moments[0].position, moments[-1].position
    told = tuple(_deprecations(moments, versions))
    ended = last + 1 < len(versions)
    stretches = runs(sum(1 << moment.position for moment in moments))
    gaps = [Absence(versions[one[1] + 1], versions[other[0]]) for one, other in pairwise(stretches)]
    own = [item for item in told if not item.parameter]
    final = [item for item in own if not item.conditional and item.last == versions[last]]
    known = [moment for moment in moments if moment.symbol]
    instead = _replacement(path, tracer, last, own if ended else final, successor)
    how = _how(package, path, instead, moments, tracer)
    if how is not None:
        instead = how.path
    held = max(reached.targets, key=lambda key: reached.targets[key].bit_length(), default=None)
    return Life(
        path=path,
        package=package,
        kind=known[-1].symbol.kind if known and known[-1].symbol else "unknown",
        introduced=versions[first],
        introduced_before=first == 0,
        removed=versions[last + 1] if ended else None,
        deprecated=final[-1] if final else None,
        # A condition's warning, or one that was taken back, says nothing of a thing that stays.
        replacement=instead,
        signatures=tuple(
            _stretches(
                (
                    (moment.position, _declared(package, moment.symbol))
                    for moment in known
                    if moment.symbol and moment.symbol.signature is not None
                ),
                versions,
            )
        ),
        definitions=tuple(
            _stretches(((moment.position, moment.target) for moment in moments), versions)
        ),
        told=told,
        gaps=tuple(gaps),
        unsure=tuple(
            versions[position]
            for position in (first - 1, last + 1)
            if 0 <= position < len(versions)
            and path not in tracer.tombstones
            and tracer.may_have(path, position)
        ),
        public_path="" if held is None else tracer.best_path(held, last),
        mined=(versions[0], versions[-1]),
        dates=dict(zip(versions, tracer.dates, strict=True)),
        how=how,
    )


def _moments(tracer: Tracer, reached: Reached) -> list[_Moment]:
    found: dict[int, _Moment] = {}
    for base, mask in reached.foreign.items():
        for position in positions(mask):
            found[position] = _Moment(position, base, None)
    for key, mask in reached.targets.items():
        target = tracer.text(key)
        for position in positions(mask):
            found[position] = _Moment(position, target, None)
        for shape, _, held in tracer.shapes(key):
            if held & mask:
                symbol = packing.symbol(target, packing.one_shape(shape))
                for position in positions(held & mask):
                    found[position] = _Moment(position, target, symbol)
    return [found[position] for position in sorted(found)]


def _alive(moments: list[_Moment]) -> list[_Moment]:
    """Without those in which a thing, that did its work at other times, can only raise."""
    working = [item for item in moments if not item.symbol or "raises" not in item.symbol.traits]
    return working or moments


def _stretches(texts: Iterable[tuple[int, str]], versions: list[str]) -> Iterator[VersionSpan]:
    """Equal texts of neighbouring positions, together."""
    start = before = -2
    text = ""
    for position, current in [*texts, (-2, "")]:
        if position != before + 1 or current != text:
            if start >= 0:
                yield VersionSpan(versions[start], versions[before], text)
            start = position
        before, text = position, current


# --- deprecations

_READ = {Provenance.STATIC, Provenance.STUB}


def _deprecations(moments: list[_Moment], versions: list[str]) -> list[DeprecationSpan]:
    """Each deprecation with the first and the last release of an unbroken row that tells it."""
    rows: dict[tuple[str, bool], dict[int, Deprecation]] = {}
    for moment in moments:
        at = moment.position
        if moment.symbol is None or _READ.isdisjoint(moment.symbol.provenance):
            # Import does not show deprecations: that none is seen says nothing.
            for row in rows.values():
                if at - 1 in row:
                    row[at] = row[at - 1]
            continue
        for key, evidence in _evidence(moment.symbol).items():
            rows.setdefault(key, {})[at] = evidence
    found: list[tuple[int, int, Deprecation]] = []
    for row in rows.values():
        for first, last in runs(sum(1 << at for at in row)):
            told = [row[at] for at in range(first, last + 1)]
            found.append((first, last, next((item for item in told if item.message), told[0])))
    return [
        DeprecationSpan(
            versions[first],
            versions[last],
            item.message,
            item.since,
            item.replacement,
            item.parameter,
            item.conditional,
        )
        for first, last, item in sorted(found, key=lambda item: (item[0], item[2].parameter))
    ]


def _evidence(symbol: Symbol) -> dict[tuple[str, bool], Deprecation]:
    """One piece of evidence for the symbol and for each parameter: certain before conditional.

    A parameter's warning is conditional by nature: on its use.
    """
    found: dict[tuple[str, bool], Deprecation] = {}
    own = symbol.deprecation
    if own is not None:
        found["", own.conditional] = own
    for item in symbol.deprecations:
        if item.parameter:
            found.setdefault((item.parameter, False), item)
    return found


# --- what to use instead


def _replacement(
    path: str,
    tracer: Tracer,
    last: int,
    told: Sequence[DeprecationSpan],
    successor: SuccessorLookup | None,
) -> str:
    """A path that is there after the end, or at the end of what is mined."""
    after = min(last + 1, len(tracer.versions) - 1)
    found = [*_tombstone_hints(path, tracer, last), *_deprecation_hints(path, told)]
    for hint in found:
        for spelling in spellings(hint.name, path):
            outer = path == spelling or path.startswith(f"{spelling}.")
            if not outer and tracer.reach(spelling).mask >> after & 1:
                return spelling
    if successor is not None and after > last:
        changed = successor(path, tracer.versions[last], tracer.versions[after])
        if changed:
            return changed
    # A name that is nobody's here may be another package's.
    return next((hint.name for hint in found if hint.is_name and hint.is_plain), "")


def _how(
    package: str, path: str, instead: str, moments: Sequence[_Moment], tracer: Tracer
) -> Replacement | None:
    if is_typed(package):
        return None
    symbol = next((item.symbol for item in reversed(moments) if item.symbol), None)
    after = min(moments[-1].position + 1, len(tracer.versions) - 1)
    told = how_replaced(path, instead, symbol, tracer, after)
    return told or how_in_code(path, symbol, tracer, after)


def _tombstone_hints(path: str, tracer: Tracer, last: int) -> Iterator[hints.Hint]:
    dead = tracer.tombstones.get(path, {})
    for position in sorted(position for position in dead if position > last):
        yield from _named(path, dead[position])


def _deprecation_hints(path: str, told: Sequence[DeprecationSpan]) -> Iterator[hints.Hint]:
    for item in reversed(told):
        if item.replacement:
            yield hints.Hint(item.replacement, item.message, "deprecation")
        yield from _named(path, item.message)


def _named(path: str, message: str) -> Iterator[hints.Hint]:
    for name in hints.named(message):
        if name not in {path, path.rpartition(".")[2]}:
            yield hints.Hint(name, message, "message")
