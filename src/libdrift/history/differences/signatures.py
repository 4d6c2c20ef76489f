"""How two signatures differ: one difference per parameter and aspect, and whether it breaks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from libdrift.history.differences import defaults, resemblance
from libdrift.records import (
    ANY_NUMBER,
    BY_PLACE,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Symbol,
)

_LIKELY = 0.6  # below it, one parameter went and another came
_MANY = 3  # parameters that went at once: with most of them the call is another
_SOME_LETTERS = 0.3
_USUAL = {"None", "True", "False", "...", "Undefined", "NOT_GIVEN", "UNSET", "0", "''", '""'}
_SAME_NAME = 0.85  # likeness that two names need then
_STEM = 3  # letters that a word and its short form begin with
_SAME_WORD = 0.75  # likeness of two names that a renamed keyword needs
_UNSPECIFIC = {"*", "?"}  # deprecations of "some arguments", or of one that could not be told


@dataclass(frozen=True, slots=True)
class Difference:
    aspect: str
    parameter: str
    before: str = ""
    after: str = ""
    replacement: str = ""
    breaking: bool = False
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Side:
    """One signature, by name, and the old spellings that a decorator still lets through."""

    symbol: Symbol
    named: Mapping[str, Parameter]
    places: Sequence[str]  # names that can be given by position, in order
    open: Mapping[ParameterKind, Parameter]
    spellings: Mapping[str, str] = field(default_factory=dict)  # old name: the new one

    @classmethod
    def of(cls, symbol: Symbol, signature: Signature) -> _Side:
        named = {
            p.name: p
            for p in signature.parameters
            if p.kind not in ANY_NUMBER and not p.name.startswith("_")  # a private matter
        }
        return cls(
            symbol,
            named,
            [p.name for p in named.values() if p.kind in BY_PLACE],
            {p.kind: p for p in signature.parameters if p.kind in ANY_NUMBER},
            spellings(symbol),
        )

    @property
    def takes_any_keyword(self) -> bool:
        return ParameterKind.KEYWORDS in self.open

    @property
    def takes_any_position(self) -> bool:
        return ParameterKind.VARIADIC in self.open

    def warned_of(self, name: str) -> bool:
        return any(d.parameter == name for d in self.symbol.deprecations)

    def still_takes(self, name: str) -> bool:
        """An old name that the signature does not show, but that the code looks out for."""
        return name in self.spellings or (self.warned_of(name) and self.takes_any_keyword)


def differences(
    old: Symbol, new: Symbol, told: Mapping[str, str] | None = None
) -> list[Difference]:
    """``told``: new names of parameters, as deprecations of releases in between have them."""
    if old.signature is None or new.signature is None:
        return []
    if old.signature == new.signature and old.deprecations == new.deprecations:
        return []
    before, after = _Side.of(old, old.signature), _Side.of(new, new.signature)
    # What becomes `(*items)` takes no keyword any more.
    if _is_opaque(before) or (_is_opaque(after) and after.takes_any_keyword):
        return []
    rough = _source(old) is not _source(new) or "overloaded" in {*old.traits, *new.traits}
    if rough and not _are_of_one_sort(before, after):
        return []
    hints = {**(told or {}), **renames_told(new), **renames_told(old)}
    renamed = _renames(before, after, hints)
    found = [*_gone(before, after, renamed, hints), *_come(before, after, renamed)]
    if not rough:
        kept = {name: name for name in before.named if name in after.named}
        # One that both releases have under its new name is set against itself.
        kept |= {old: match.new for old, match in renamed.items() if match.new not in kept}
        found += _reordered(before, after, kept)
        # A decorator may still take by position what the signature does not, and warn.
        lenient = any(d.parameter == "*" for d in new.deprecations)
        for name, other in kept.items():
            found += _aspects(before.named[name], after.named[other], lenient=lenient)
        found += _openness(before, after)
    elif Provenance.STUB not in {_source(old), _source(new)}:
        for name in before.named.keys() & after.named.keys():
            found += _default(before.named[name], after.named[name])
    return found


def are_of_different_ways(old: Symbol, new: Symbol) -> bool:
    """Whether two signatures differ, but were read in ways that cannot be set side by side."""
    if old.signature is None or new.signature is None or _source(old) is _source(new):
        return False
    before, after = _Side.of(old, old.signature), _Side.of(new, new.signature)
    return [*before.named] != [*after.named] and not _are_of_one_sort(before, after)


def spellings(symbol: Symbol) -> dict[str, str]:
    """Old names of parameters, which only a decorator takes, to the new ones."""
    taken = {p.name for p in symbol.signature.parameters} if symbol.signature else set()
    return {
        d.parameter: d.replacement
        for d in symbol.deprecations
        if d.source == "decorator" and d.replacement and d.parameter not in {"", *taken}
    }


def renames_told(symbol: Symbol) -> dict[str, str]:
    """Old parameter names to new ones, as a symbol's deprecations tell."""
    return {
        d.parameter: d.replacement
        for d in symbol.deprecations
        if d.parameter and d.parameter not in _UNSPECIFIC and d.replacement.isidentifier()
    }


def _is_opaque(side: _Side) -> bool:
    """``(*args, **kwargs)`` alone: a wrapper, which says nothing of what it takes."""
    return not side.named and bool(side.open)


def _are_of_one_sort(before: _Side, after: _Side) -> bool:
    """Whether signatures of different origin can be set against each other, name by name.

    What one swallows, the other may list; and compiled code is documented by names that it has not.
    """
    if before.open.keys() != after.open.keys():
        return False
    shared = before.named.keys() & after.named.keys()
    least = min(len(before.named), len(after.named))
    return least > 0 and 2 * len(shared) >= least


def _source(symbol: Symbol) -> Provenance:
    """Where a signature was read; import's and stubs' ones differ from sources' in form."""
    for kind in (Provenance.STATIC, Provenance.STUB):
        if kind in symbol.provenance:
            return kind
    return Provenance.RUNTIME


# --- renames


@dataclass(frozen=True, slots=True)
class _Match:
    new: str
    confidence: float
    evidence: str


def _renames(before: _Side, after: _Side, hints: Mapping[str, str]) -> dict[str, _Match]:
    """Parameters that went and the one that took the place of each.

    Where that one was there before too, it is told as the replacement of one that is removed.
    """
    gone = [name for name in before.named if name not in after.named]
    come = {name for name in after.named if name not in before.named}
    is_another = len(gone) >= _MANY and 2 * len(gone) > len(before.named)
    found: dict[str, _Match] = {}
    for name in gone:
        hint = after.spellings.get(name) or hints.get(name, "")
        if hint in after.named:
            found[name] = _Match(hint, 1.0, "told by a deprecation of the parameter")
            come.discard(hint)
    for name, other, held in _candidates(before, after, gone, come):
        if name in found or other not in come:
            continue
        if is_another and likeness(name, other) < _SAME_NAME:
            continue  # `service_args`, of eight that are three now, is not `service`
        is_sole = len(before.named) == len(after.named) == 1 and name in before.places
        sure = _confidence(before.named[name], after.named[other], held=held, is_sole=is_sole)
        if sure >= _LIKELY:
            found[name] = _Match(other, round(sure, 2), "the same place, or a similar name")
            come.discard(other)
    return found


def _candidates(
    before: _Side, after: _Side, gone: Sequence[str], come: set[str]
) -> Iterator[tuple[str, str, bool]]:
    """Pairs that may be one parameter, and whether their neighbours hold them in place."""
    old, new = list(before.named), list(after.named)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace":
            left = [name for name in old[i1:i2] if name in gone]
            right = [name for name in new[j1:j2] if name in come]
            # What follows holds it in its place; and what is first is what it is all about.
            held = (i2 < len(old) and j2 < len(new)) or (i1 == j1 == 0 and len(left) == 1)
            if len(left) == len(right):
                yield from ((a, b, held) for a, b in zip(left, right, strict=True))
    for a, b in zip(before.places, after.places, strict=False):
        if a != b:  # the first that differs: what is given by place lands there
            if a in gone and b in come and a[:_STEM] == b[:_STEM]:
                yield a, b, True  # `lats`, `latitude`
            break
    for name in gone:
        for other in sorted(come, key=lambda other: -likeness(name, other)):
            if likeness(name, other) >= _SAME_WORD:
                yield name, other, False


def _confidence(old: Parameter, new: Parameter, *, held: bool, is_sole: bool) -> float:
    if old.kind is new.kind is ParameterKind.POSITIONAL_ONLY:
        return 1.0  # the place is all that a caller knows of it
    alike = max(likeness(old.name, new.name), resemblance.shared_words(old.name, new.name))
    if resemblance.are_opposites(old.name, new.name):
        return 0.0
    if is_sole and old.kind is new.kind and defaults.same(old.default, new.default):
        return 0.65  # all that the function takes, before and after
    same = defaults.same(old.default, new.default)
    by_place = old.kind in BY_PLACE and new.kind in BY_PLACE
    if old.default is not None and alike < _SOME_LETTERS and old.default in _USUAL:
        return 0.3  # what may be left out is given by name, and its default says nothing
    if by_place and (held or old.default is new.default is None):
        return (0.7 if same else 0.5) + 0.25 * alike
    # At the end, or by keyword, the place says little: one may have gone and another come.
    if alike < 0.4:  # noqa: PLR2004  (less than a word in common)
        return 0.3
    return 0.6 + 0.3 * alike if same else 0.35 + 0.4 * alike


def likeness(left: str, right: str) -> float:
    """How similar two names are, their underscores and case aside."""
    a, b = (name.replace("_", "").casefold() for name in (left, right))
    return 1.0 if a == b else SequenceMatcher(None, a, b, autojunk=False).ratio()


# --- what went, what came


def _gone(
    before: _Side, after: _Side, renamed: Mapping[str, _Match], hints: Mapping[str, str]
) -> Iterator[Difference]:
    for name, parameter in before.named.items():
        if name in after.named:
            continue
        match = renamed.get(name)
        by_name = parameter.kind is not ParameterKind.POSITIONAL_ONLY
        if match and match.new not in before.named:
            if by_name or after.named[match.new].kind is not ParameterKind.POSITIONAL_ONLY:
                yield _succeeded(
                    "renamed", name, match, breaking=by_name and not after.still_takes(name)
                )
            continue
        if after.still_takes(name):
            continue
        by_place = parameter.kind in BY_PLACE
        breaks = (by_name and not (after.takes_any_keyword and not before.warned_of(name))) or (
            by_place and not after.takes_any_position
        )
        if match:
            yield _succeeded("removed", name, match, breaking=breaks)
        else:
            yield Difference("removed", name, _written(parameter), breaking=breaks)
    for name, hint in before.spellings.items():
        if name in after.named or after.still_takes(name):
            continue
        other = hint if hint in after.named else hints.get(name, "")
        why = "the old release took it, through a decorator"
        if other in after.named:
            aspect = "removed" if other in before.named else "renamed"
            yield _succeeded(aspect, name, _Match(other, 1.0, why), breaking=True)
        elif not after.takes_any_keyword:
            yield Difference("removed", name, name, breaking=True, evidence=(why,))


def _succeeded(aspect: str, name: str, match: _Match, *, breaking: bool) -> Difference:
    return Difference(
        aspect,
        name,
        name,
        match.new if aspect == "renamed" else "",
        match.new,
        breaking=breaking,
        confidence=match.confidence,
        evidence=(match.evidence,),
    )


def _come(before: _Side, after: _Side, renamed: Mapping[str, _Match]) -> Iterator[Difference]:
    taken = {match.new for match in renamed.values()}
    old_places = set(before.places) | {m.new for n, m in renamed.items() if n in before.places}
    last_old = max((i for i, name in enumerate(after.places) if name in old_places), default=-1)
    for name, parameter in after.named.items():
        if name in before.named or name in taken or name in before.spellings:
            continue
        needed = parameter.default is None and not before.takes_any_position
        # Before one that was there: what callers give by position lands elsewhere.
        shifts = parameter.kind in BY_PLACE and after.places.index(name) < last_old
        yield Difference("added", name, after=_written(parameter), breaking=needed or shifts)


def _openness(before: _Side, after: _Side) -> Iterator[Difference]:
    """``*args`` and ``**kwargs``: their names mean nothing, only that they are there."""
    more = any(name not in before.named for name in after.named)
    for kind, stars in ((ParameterKind.VARIADIC, "*"), (ParameterKind.KEYWORDS, "**")):
        old, new = before.open.get(kind), after.open.get(kind)
        if old and not new:
            # Named parameters in its stead may well be all that it ever took.
            yield Difference(
                "removed", stars + old.name, stars + old.name, breaking=not more, confidence=0.8
            )
        elif new and not old:
            yield Difference("added", stars + new.name, after=stars + new.name)


# --- what stayed


def _reordered(before: _Side, after: _Side, kept: Mapping[str, str]) -> Iterator[Difference]:
    places = {name: at for at, name in enumerate(after.places)}
    both = [name for name in before.places if kept.get(name) in places]
    stable = _longest_rising([places[kept[name]] for name in both])
    for name in both:
        if places[kept[name]] not in stable:
            was, now = before.places.index(name) + 1, places[kept[name]] + 1
            if was == now:
                continue  # others moved around it
            yield Difference("reordered", kept[name], f"place {was}", f"place {now}", breaking=True)


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The most of the numbers that already stand in order."""
    tails: list[int] = []
    chains: list[list[int]] = []
    for number in numbers:
        at = bisect_left(tails, number)
        chain = [*(chains[at - 1] if at else []), number]
        if at == len(tails):
            tails.append(number)
            chains.append(chain)
        else:
            tails[at], chains[at] = number, chain
    return set(chains[-1]) if chains else set()


def _aspects(old: Parameter, new: Parameter, *, lenient: bool) -> Iterator[Difference]:
    if old.kind is not new.kind:
        by_place = old.kind in BY_PLACE and new.kind not in BY_PLACE and not lenient
        by_name = (
            new.kind is ParameterKind.POSITIONAL_ONLY
            and old.kind is not ParameterKind.POSITIONAL_ONLY
        )
        aspect = "keyword-only" if new.kind is ParameterKind.KEYWORD_ONLY else "kind"
        yield Difference(
            aspect, new.name, old.kind.value, new.kind.value, breaking=by_place or by_name
        )
    if old.default is not None and new.default is None:
        yield Difference("required", new.name, _written(old), _written(new), breaking=True)
    elif old.default is None and new.default is not None:
        yield Difference("optional", new.name, _written(old), _written(new))
    elif not defaults.same(old.default, new.default):
        yield Difference("default", new.name, old.default or "", new.default or "")


def _default(old: Parameter, new: Parameter) -> Iterator[Difference]:
    """A default that import and source would write alike, and that is another one."""
    literal = defaults.is_literal(old.default) and defaults.is_literal(new.default)
    if literal and not defaults.same(old.default, new.default):
        yield Difference("default", new.name, old.default or "", new.default or "")


def _written(parameter: Parameter) -> str:
    if parameter.default is None:
        return parameter.name
    return f"{parameter.name}={parameter.default}"
