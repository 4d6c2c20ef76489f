"""Where a symbol stands in its life: new in a release, about to go, changed, or none of these.

The words are LibEvolutionEval's, in its sense: *introduced* is not in the release before,
*deprecated* is not in the one after, *modified* has another signature than before. What was renamed
is introduced under its new name, and deprecated under the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, StrEnum
from types import MappingProxyType

from libdrift.history import versions
from libdrift.history.differences import facets, signatures
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.records import ChangeKind

_KEPT = 4  # views: a release, its two neighbours, and one more for whoever goes back and forth


class Lifecycle(StrEnum):
    INTRODUCED = "introduced"
    DEPRECATED = "deprecated"
    MODIFIED = "modified"
    UNCHANGED = "unchanged"


CHANGES: Mapping[Lifecycle, ChangeKind] = MappingProxyType(
    {
        Lifecycle.INTRODUCED: ChangeKind.INTRODUCED,
        Lifecycle.DEPRECATED: ChangeKind.REMOVED,
        Lifecycle.MODIFIED: ChangeKind.SIGNATURE,
    }
)


class _There(Enum):
    """What a neighbouring release says of a path."""

    SAME = "same"
    CHANGED = "changed"  # another signature
    ABSENT = "absent"
    UNKNOWN = "unknown"  # that release could not be read whole


class Lifecycles:
    """Labels of the symbols of one package.

    A release is set against its nearest neighbours among those asked for or, where these end, among
    all that are mined.
    """

    def __init__(self, store: Store, package: str, asked: Sequence[str] = ()) -> None:
        self._store = store
        self._package = package
        order = versions.order
        self._mined = sorted(store.versions(store.number(package)), key=order)
        self._asked = sorted({store.version(package, text) for text in asked}, key=order)
        self._views: dict[str, View] = {}

    def view(self, version: str) -> View:
        """A mined release, by its version as the store writes it."""
        found = self._views.pop(version, None) or View(self._store.surface(self._package, version))
        self._views[version] = found  # the last used is the last to go
        if len(self._views) > _KEPT:
            del self._views[next(iter(self._views))]
        return found

    def neighbours(self, version: str) -> tuple[str | None, str | None]:
        """The releases before and after that one is set against."""
        key = versions.order(version)
        before, after = None, None
        for some in (self._mined, self._asked):
            before = next((v for v in reversed(some) if versions.order(v) < key), before)
            after = next((v for v in some if versions.order(v) > key), after)
        return before, after

    def labels(self, version: str, paths: Iterable[str]) -> dict[str, Lifecycle | None]:
        """Of each path that the release has; ``None`` where there is nothing to compare with."""
        here = self.view(version)
        others = [self.view(other) if other else None for other in self.neighbours(version)]
        return {
            path: _label(*(_there(path, here, other) if other else None for other in others))
            for path in paths
        }


def _label(before: _There | None, after: _There | None) -> Lifecycle | None:
    if before is _There.ABSENT:
        return Lifecycle.INTRODUCED
    if after is _There.ABSENT:
        return Lifecycle.DEPRECATED
    if before is _There.CHANGED:
        return Lifecycle.MODIFIED
    known = {before, after} - {None}
    return Lifecycle.UNCHANGED if known and _There.UNKNOWN not in known else None


def _there(path: str, here: View, other: View) -> _There:
    """Whether another release has the path too, and what it reaches called in the same way."""
    symbol, mirrored = here.symbol(path), other.symbol(path)
    if mirrored is not None and facets.is_dead(mirrored):
        return _There.ABSENT
    if symbol is not None and mirrored is not None:
        changed = signatures.differences(mirrored, symbol)
        return _There.CHANGED if changed else _There.SAME
    if other.find(path) is not None:  # another package's thing, of which no more is known
        return _There.SAME
    return _There.UNKNOWN if _may_hide(path, here, other) else _There.ABSENT


def _may_hide(path: str, here: View, other: View) -> bool:
    """Whether a release may have a path that was not seen in it."""
    name = here.find(path)
    parent, _, last = path.rpartition(".")
    if path in other.surface.tombstones or name is None or not parent:
        return False
    owner = other.find(parent)
    if owner is None:  # what is in a module or class that is gone went with it
        return _may_hide(parent, here, other)
    if owner.target in other.symbols and last in other.from_outside(owner.target):
        return True
    module = owner.target.partition(":")[0]
    unread = other.is_dark(module) or other.is_hazy(module)
    return unread or other.may_miss(here.symbols.get(name.target), name)
