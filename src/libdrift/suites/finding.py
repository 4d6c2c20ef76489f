"""Finding a suite's data, and saying in one warning what in it could not be used as it is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from libdrift.config import Settings
from libdrift.errors import MissingDataError

_SHOWN = 3  # of each kind; the rest are counted


def find(settings: Settings, name: str, title: str, holds: Callable[[Path], bool]) -> Path:
    """The first folder that ``holds`` the data; the caller's mistake if there is none."""
    candidates = [settings.data / name, settings.data] if settings.data else []
    candidates.append(settings.cache / "data" / name)
    for folder in candidates:
        if folder.is_dir() and holds(folder):
            return folder
    looked = f"in {settings.data}" if settings.data else "on this machine"
    raise MissingDataError(f"no {title} data {looked}", _remedy(name), name)


def _remedy(name: str) -> str:
    from libdrift.fetching import known_sources  # brings an HTTP client: only where needed

    fix = f"Get the authors' release into DIR/{name}, then pass --data DIR or set LIBDRIFT_DATA=DIR"
    source = known_sources().get(name)
    known = source is not None and source.downloads
    return f"{fix}; or run: libdrift data get {name}" if known else fix


@dataclass(slots=True)
class Oddities:
    """What was met while reading: how often, and the first few with their places.

    A large file may have thousands of the same flaw, so only those few are kept.
    """

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, what: str) -> None:
        """Count ``what`` under ``kind``, which reads on from a number: ``items left out``."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        kept = self.first.setdefault(kind, [])
        if len(kept) < _SHOWN and what not in kept:
            kept.append(what)

    def warn(self, logger: logging.Logger, title: str) -> None:
        """One warning for all of it; none where nothing was odd."""
        if self.counts:
            logger.warning("%s: %s", title, "; ".join(map(self._line, self.counts)))

    def _line(self, kind: str) -> str:
        count, kept = self.counts[kind], self.first[kind]
        more = ", …" if count > len(kept) else ""
        return f"{count} {kind} ({', '.join(kept)}{more})"
