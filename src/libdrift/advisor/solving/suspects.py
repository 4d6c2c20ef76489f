"""Names in code that the target release does not have, warns of, or knows by another path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from libdrift.advisor.solving import reading
from libdrift.advisor.solving.moves import MovedLibrary, is_kept_path
from libdrift.languages.python.usage import Use
from libdrift.records import SymbolKind

ADDITION, DEPRECATION, REPLACEMENT = "addition", "deprecation", "replacement"
_GONE = "deprecated and removed"
_REPLACED = "deprecated, replaced"


class Strength(IntEnum):
    """How much speaks for a name's having changed; more is surer."""

    SPELLED = 1  # the same thing has another path there
    KEPT = 2  # gone, but for a module that keeps what was
    CHANGED = 3  # gone, not there yet, deprecated, or what a newer release advises


@dataclass(frozen=True, slots=True)
class Suspect:
    path: str
    strength: Strength
    kind: str  # in words: an addition, a deprecation, a replacement
    version: str
    replacement: str = ""
    is_lost: bool = False  # the target does not have it at all


def suspects(code: str, library: MovedLibrary) -> list[Suspect]:
    """What code uses that changed between the two releases: only the surest of it."""
    return surest(every(code, library))


def every(code: str, library: MovedLibrary) -> list[Suspect]:
    """All that may have changed, each once, in the order of the code."""
    whole = reading.with_imports(code, library.roots)
    found: dict[str, Suspect] = {}
    for use in reading.uses(whole, library.package, library.roots, library.types):
        for one in _suspect(use, library):
            known = found.get(one.path)
            if known is None or known.strength < one.strength:
                found[one.path] = one
    return list(found.values())


def surest(found: Iterable[Suspect]) -> list[Suspect]:
    known = list(found)
    best = max((one.strength for one in known), default=Strength.SPELLED)
    return [one for one in known if one.strength is best]


def _suspect(use: Use, library: MovedLibrary) -> Iterator[Suspect]:
    judge = _downgraded if library.is_downgrade else _upgraded
    if use.path:
        found = judge(use.path, library)
    else:
        # On a value of unknown class: of those that have such a member, the first that changed.
        tried = (judge(path, library) for path in _members(use.name, library))
        found = next(filter(None, tried), None)
    if found is not None:
        yield found


def _members(name: str, library: MovedLibrary) -> list[str]:
    """Members of that name that the newer release warns of or advises."""
    known = [*library.advised, *library.advised.values()]
    return sorted({p for p in known if p.rpartition(".")[2] == name and _is_member(p, library)})


def _is_member(path: str, library: MovedLibrary) -> bool:
    owner = library.origin.symbol(path.rpartition(".")[0])
    return owner is not None and owner.kind is SymbolKind.CLASS


def _upgraded(path: str, library: MovedLibrary) -> Suspect | None:
    """A name of the older release, in the newer one."""
    newer = library.newer_version
    lost = library.lost(path)
    if lost:
        instead = library.successor(lost)
        strength = Strength.KEPT if library.is_kept(lost) else Strength.CHANGED
        kind = _REPLACED if instead else _GONE
        return Suspect(lost, strength, kind, newer, instead, is_lost=True)
    symbol = library.symbol(path)
    told = symbol.deprecation if symbol else None
    change = library.change(path)
    if (told and not told.conditional) or change:
        instead = library.successor(path)
        since = (told.since if told else "") or newer
        return Suspect(
            path, Strength.CHANGED, _REPLACED if instead else DEPRECATION, since, instead
        )
    deeper = [one for one in library.other_paths(path) if one.count(".") > path.count(".")]
    if deeper and symbol is not None and symbol.kind is SymbolKind.FUNCTION:
        nearest = min(deeper, key=lambda one: (one.count("."), one))
        return Suspect(path, Strength.SPELLED, REPLACEMENT, newer, nearest)
    return None


def _downgraded(path: str, library: MovedLibrary) -> Suspect | None:
    """A name of the newer release, in the older one."""
    newer = library.newer_version
    before = library.advised.get(path, "")
    same = before.rpartition(".")[2] == path.rpartition(".")[2]
    lost = library.lost(path)
    if lost:
        before = before if lost == path else library.advised.get(lost, "")
        kind = REPLACEMENT if same and before else ADDITION
        since = _added(lost, library) or newer
        return Suspect(lost, Strength.CHANGED, kind, since, before, is_lost=True)
    symbol = library.symbol(path)
    shorter = [one for one in library.other_paths(path) if one.count(".") < path.count(".")]
    if shorter and symbol is not None and symbol.kind is SymbolKind.FUNCTION:
        return Suspect(path, Strength.CHANGED, REPLACEMENT, newer, shorter[0])
    if symbol is not None and symbol.deprecation and not symbol.deprecation.conditional:
        instead = symbol.deprecation.replacement
        return Suspect(path, Strength.CHANGED, DEPRECATION, newer, instead)
    if before and not is_kept_path(before):
        kind = REPLACEMENT if same else ADDITION
        return Suspect(path, Strength.CHANGED, kind, newer, before)
    return None


def _added(path: str, library: MovedLibrary) -> str:
    """Since when a name is there, as its documentation says."""
    symbol = library.origin.symbol(path)
    notes = symbol.notes if symbol else ()
    return next((note.version for note in notes if note.kind == "added" and note.version), "")
