"""The pairs of releases whose examples are run when packages are mined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from libdrift.config import Settings
from libdrift.history.store import Store
from libdrift.mining.events import (
    ListedPackage,
    MiningProgress,
    RunningExamples,
    TriedExamples,
    UntriedExamples,
)
from libdrift.mining.examples.replacing import MakeRewriter
from libdrift.mining.examples.trials import Laboratory, try_and_keep
from libdrift.mining.options import MiningOptions
from libdrift.records import Release
from libdrift.sandbox import Backend, choose

_ECOSYSTEM = "pypi"

TrialEvent = TriedExamples | UntriedExamples


def run(
    listed: Sequence[ListedPackage],
    options: MiningOptions,
    store: Store,
    settings: Settings,
    progress: MiningProgress | None,
    rewriters: MakeRewriter | None = None,
) -> list[TrialEvent]:
    """Each chosen release with the next one. A pair that was tried before is told as it was."""
    found: list[TrialEvent] = []
    backend = choose("bubblewrap", settings)
    for event in _events(listed, options, store, settings, (backend, progress, rewriters)):
        found.append(event)
        if progress is not None:
            progress(event)
    return found


def _events(
    listed: Sequence[ListedPackage],
    options: MiningOptions,
    store: Store,
    settings: Settings,
    how: tuple[Backend, MiningProgress | None, MakeRewriter | None],
) -> Iterator[TrialEvent]:
    backend, progress, rewriters = how
    for package in listed:
        chosen = [release for release in package.chosen if store.has(release)]
        if any(release.ecosystem != _ECOSYSTEM for release in chosen):
            reason = "only examples of packages of Python's index are run"
            yield UntriedExamples(package.package, reason, failed=False)
            continue
        if len(chosen) == 1:
            reason = f"{chosen[0].version} alone has no neighbour. Name two: --versions OLD,NEW"
            yield UntriedExamples(package.package, reason, failed=False)
        for old, new in pairwise(chosen):
            laboratory = Laboratory(
                settings, backend, options.workers, _Progress(old, new, progress), rewriters
            )
            result = try_and_keep(store, (old, new), laboratory)
            if isinstance(result, str):
                text = f"{old.version} and {new.version}: {result}"
                yield UntriedExamples(package.package, text, failed="no examples" not in result)
            else:
                yield TriedExamples(result)


class _Progress:
    """Runs of one pair, told as events."""

    def __init__(self, old: Release, new: Release, progress: MiningProgress | None) -> None:
        self._old, self._new, self._progress = old, new, progress

    def __call__(self, done: int, total: int) -> None:
        if self._progress is not None:
            versions = (self._old.version, self._new.version)
            self._progress(RunningExamples(self._old.package, *versions, done, total))
