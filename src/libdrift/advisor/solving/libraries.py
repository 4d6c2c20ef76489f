"""The releases that tasks are about, loaded once each; what is not known is mined on the way."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from libdrift.advisor.loading import Releases
from libdrift.advisor.solving.moves import MovedLibrary
from libdrift.advisor.solving.pythons import StandardLibrary
from libdrift.environments import Failed, build
from libdrift.errors import LibdriftError
from libdrift.history.store import Store
from libdrift.languages.python import merging, runtime
from libdrift.mining.probing import question
from libdrift.records import Environment, Surface
from libdrift.sandbox import Backend
from libdrift.sandbox.probes import probe

PYTHON, JDK = "python", "jdk"
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class SolverLibraries:
    """``places`` are environments that have a package at a version, where some are known."""

    releases: Releases
    backend: Backend
    places: Mapping[tuple[str, str], Environment] = field(default_factory=dict)
    tell: Callable[[str], None] = lambda _: None
    _known: dict[tuple[str, ...], MovedLibrary | StandardLibrary] = field(default_factory=dict)
    _surfaces: dict[tuple[str, str], Surface] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def library(self, package: str, origin: str, target: str) -> MovedLibrary:
        """Both releases; raises a ``LibdriftError`` where one cannot be had."""
        with self._lock:
            key = (package, origin, target)
            found = self._known.get(key)
            if not isinstance(found, MovedLibrary):
                before, after = (self.surface(package, one) for one in (origin, target))
                found = self._known[key] = MovedLibrary(before, after)
            return found

    def standard(self, origin: str, target: str, runs_on: str) -> StandardLibrary:
        """The standard library of two Pythons, by all Pythons that are mined."""
        with self._lock:
            key = (PYTHON, origin, target, runs_on)
            found = self._known.get(key)
            if not isinstance(found, StandardLibrary):
                mined = self._pythons(origin, target)
                found = self._known[key] = StandardLibrary(origin, target, mined, runs_on)
            return found

    def _pythons(self, *wanted: str) -> dict[str, Surface]:
        """What is mined of Python; at least what is asked for, as far as it is on this machine."""
        for version in wanted:
            try:
                self.releases.ensure(PYTHON, (version,))
            except LibdriftError as error:
                logger.debug("%s", error)
        with Store.open(self.releases.path) as store:
            known = [item.release.version for item in store.releases(PYTHON)]
        if not known:
            here = ".".join(map(str, sys.version_info[:2]))
            known = [self.surface(PYTHON, here).release.version]
        return {version: self.surface(PYTHON, version) for version in known}

    def surface(self, package: str, version: str) -> Surface:
        with self._lock:
            key = (package, version)
            if key not in self._surfaces:
                self.tell(f"reading {package} {version}")
                read = self.releases.surface(package, version)
                self._surfaces[key] = self._completed(read, self.places.get(key))
            return self._surfaces[key]

    def _completed(self, surface: Surface, place: Environment | None) -> Surface:
        """A surface with what only import shows, where sources leave gaps; kept in the history."""
        if surface.origin.complete or surface.origin.runtime or place is None:
            return surface
        built = build(place, self.releases.settings)
        if isinstance(built, Failed):
            return surface
        self.tell(f"importing {surface.release}")
        told = probe(question(surface), built, self.backend)
        if isinstance(told, str):
            logger.debug("%s: %s", surface.release, told)
            return surface
        whole = merging.merge(surface, runtime.read(surface.release, told))
        with Store.open(self.releases.path) as store:
            store.remove(surface.release.package, surface.release.version)
            store.add(whole)
        return whole
