"""Names in code that the target release does not have, warns of, or knows by another path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

from libdrift.advisor.solving import reading
from libdrift.advisor.solving.moves import MovedLibrary, is_kept_path
from libdrift.languages.python.usage import PLAIN_NAMES, Use
from libdrift.records import SymbolKind

ADDITION, DEPRECATION, REPLACEMENT = "addition", "deprecation", "replacement"
_FUNCTIONS = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.UNKNOWN}
GONE = "deprecated and removed"
REPLACED = "deprecated, replaced"


class Strength(IntEnum):
    """How much speaks for a name's having changed; more is surer."""

    KEPT = 1  # gone, but for a module that keeps what was: nothing takes its place
    SPELLED = 2  # the same thing has another path there
    CHANGED = 3  # gone, not there yet, deprecated, or what a newer release advises


@dataclass(frozen=True, slots=True)
class Suspect:
    path: str
    strength: Strength
    kind: str  # in words: an addition, a deprecation, a replacement
    version: str
    replacement: str = ""
    is_lost: bool = False  # the target does not have it at all
    is_everyday: bool = False  # all that speaks for it is another path, and everybody uses it


def suspects(code: str, library: MovedLibrary) -> list[Suspect]:
    """What code uses that changed between the two releases: only the surest of it."""
    return surest(every(code, library))


def every(code: str, library: MovedLibrary) -> list[Suspect]:
    """All that may have changed, each once, in the order of the code."""
    whole = reading.with_imports(code, library.roots, library.main)
    found: dict[str, Suspect] = {}
    known = reading.uses(whole, library.package, library.roots, library.types)
    named = [_of_name(use, library) for use in known if use.path]
    of_values = [_of_value(name, library) for name in reading.loose_members(whole, known)]
    for one in filter(None, (*named, *of_values)):
        before = found.get(one.path)
        if before is None or before.strength < one.strength:
            found[one.path] = one
    return list(found.values())


def surest(found: Iterable[Suspect]) -> list[Suspect]:
    known = list(found)
    best = max((one.strength for one in known), default=Strength.KEPT)
    chosen = [one for one in known if one.strength is best]
    telling = [one for one in chosen if not one.is_everyday]
    return telling or chosen


def _of_name(use: Use, library: MovedLibrary) -> Suspect | None:
    found = _judged(use.path, library)
    # That a value's class has another path says nothing of its members.
    return None if found and use.is_member and found.path != use.path else found


def _judged(path: str, library: MovedLibrary) -> Suspect | None:
    return (_downgraded if library.is_downgrade else _upgraded)(path, library)


def _of_value(name: str, library: MovedLibrary) -> Suspect | None:
    """A member of a value of unknown class: of those that have one, the first that changed."""
    if name in PLAIN_NAMES:
        return None
    if library.is_downgrade:
        paths = [p for p in library.advised if p.rpartition(".")[2] == name]
        paths = sorted(p for p in paths if _is_member(p, library))
    else:
        paths = [f"{owner}.{name}" for owner in library.owners(name)]
        if any(path not in library.leaving and library.symbol(path) for path in paths):
            return None  # some value may have it still
    found = next(filter(None, (_judged(path, library) for path in paths)), None)
    if found is None:
        return None
    instead = found.replacement
    if instead and _is_member(instead, library):
        instead = instead.rpartition(".")[2]
    return replace(found, path=name, replacement=instead)


def _is_member(path: str, library: MovedLibrary) -> bool:
    owner = library.newer.symbol(path.rpartition(".")[0])
    return owner is not None and owner.kind is SymbolKind.CLASS


def _upgraded(path: str, library: MovedLibrary) -> Suspect | None:
    """A name of the older release, in the newer one."""
    newer = library.newer_version
    lost = library.lost(path)
    if lost:
        instead = library.successor(lost)
        strength = Strength.KEPT if library.is_kept(lost) else Strength.CHANGED
        kind = REPLACED if instead else GONE
        return Suspect(lost, strength, kind, newer, instead, is_lost=True)
    symbol = library.symbol(path)
    told = symbol.deprecation if symbol else None
    change = library.change(path)
    if (told and not told.conditional) or change:
        instead = library.successor(path)
        since = (told.since if told else "") or newer
        return Suspect(path, Strength.CHANGED, REPLACED if instead else DEPRECATION, since, instead)
    deeper = [one for one in library.other_paths(path) if one.count(".") > path.count(".")]
    if deeper and _is_same_function(path, library):
        nearest = min(deeper, key=lambda one: (one.count("."), one))
        everyday = path.rpartition(".")[2] in library.everyday
        return Suspect(path, Strength.SPELLED, REPLACEMENT, newer, nearest, is_everyday=everyday)
    return _long_deprecated(path, library)


def _is_same_function(path: str, library: MovedLibrary) -> bool:
    """Whether a path reaches one and the same function in both releases."""
    before, after = library.origin.symbol(path), library.target.symbol(path)
    if before is None or after is None or before.id != after.id:
        return False
    return after.kind is SymbolKind.FUNCTION


def _long_deprecated(path: str, library: MovedLibrary) -> Suspect | None:
    """What the release that the code was written for warned of, and the target has still."""
    symbol = library.origin.symbol(path)
    told = symbol.deprecation if symbol else None
    if told is None or told.conditional:
        return None
    since = told.since or library.origin.surface.release.version
    return Suspect(path, Strength.SPELLED, REPLACED, since, told.replacement)


def _downgraded(path: str, library: MovedLibrary) -> Suspect | None:
    """A name of the newer release, in the older one."""
    newer = library.newer_version
    before = library.advised.get(path, "")
    same = before.rpartition(".")[2] == path.rpartition(".")[2]
    lost = library.lost(path)
    if lost:
        before = library.advised.get(lost, "") or library.same_name(lost)
        same = before.rpartition(".")[2] == lost.rpartition(".")[2]
        # What the newer release has beside the older path has not taken its place.
        is_beside = before not in library.leaving and library.newer.find(before) is not None
        kind = REPLACEMENT if same and before and not is_beside else ADDITION
        since = _added(lost, library) or newer
        return Suspect(lost, Strength.CHANGED, kind, since, before, is_lost=True)
    symbol = library.symbol(path)
    shorter = [one for one in library.other_paths(path) if one.count(".") < path.count(".")]
    if shorter and symbol is not None and symbol.kind is SymbolKind.FUNCTION:
        everyday = not before and path.rpartition(".")[2] in library.everyday
        return Suspect(path, Strength.CHANGED, REPLACEMENT, newer, shorter[0], is_everyday=everyday)
    if symbol is not None and symbol.deprecation and not symbol.deprecation.conditional:
        instead = symbol.deprecation.replacement
        return Suspect(path, Strength.CHANGED, DEPRECATION, newer, instead)
    is_function = symbol is not None and symbol.kind in _FUNCTIONS
    if before and (is_function or same) and not is_kept_path(before):
        kind = REPLACEMENT if same else ADDITION
        return Suspect(path, Strength.CHANGED, kind, newer, before)
    return None


def _added(path: str, library: MovedLibrary) -> str:
    """Since when a name is there, as its documentation says."""
    symbol = library.origin.symbol(path)
    notes = symbol.notes if symbol else ()
    return next((note.version for note in notes if note.kind == "added" and note.version), "")
