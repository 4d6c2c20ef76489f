"""What the history knows of a pinned release: its types, and how each name stands."""

from __future__ import annotations

from datetime import date

from libdrift.build.lifecycles import Lifecycle, Lifecycles
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.languages.python.usage import ReleaseTypes

_KEPT = 8  # releases, each with its neighbours: some tens of MB


class MinedReleases:
    """The mined releases; those used last are kept."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], ReleaseAt | None] = {}

    def get(self, library: str, version: str) -> ReleaseAt | None:
        key = (library, version)
        found = self._kept.pop(key) if key in self._kept else self._open(library, version)
        self._kept[key] = found
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    def _open(self, library: str, version: str) -> ReleaseAt | None:
        if self._store is None:
            return None
        try:
            written = self._store.version(library, version)
        except UserError:  # that release is not mined
            return None
        return ReleaseAt(Lifecycles(self._store, library, (written,)), written)


class ReleaseAt(ReleaseTypes):
    def __init__(self, lives: Lifecycles, version: str) -> None:
        self._lives = lives
        self._version = version
        view = lives.view(version)
        super().__init__(view)
        self._date = view.surface.release.date
        self._labels: dict[str, Lifecycle | None] = {}

    @property
    def date(self) -> date | None:
        return self._date

    def lifecycle(self, path: str) -> Lifecycle | None:
        """``None`` for what the release is not known to have, too."""
        if path not in self._labels:
            found = self._lives.labels(self._version, [path]) if self.has(path) else {}
            self._labels[path] = found.get(path)
        return self._labels[path]
