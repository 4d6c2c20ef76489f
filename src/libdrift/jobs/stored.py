"""The history as a file: what is in it, searched, counted, written elsewhere, and taken out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.store import Failure, Store, StoredRelease, not_mined, nothing_mined
from libdrift.jobs import on_demand as missing
from libdrift.jobs.histories import history_file, open_history
from libdrift.jobs.on_demand import OnDemand

if TYPE_CHECKING:
    from libdrift.history.questions import Counts
    from libdrift.retrieval.searching import Hit


@dataclass(frozen=True, slots=True)
class StoredPackages:
    """Mined releases by package, each in version order, and what could not be mined."""

    releases: dict[str, list[StoredRelease]]
    failures: list[Failure]


@dataclass(frozen=True, slots=True)
class FoundSymbols:
    """What a release has on some words, the best first."""

    package: str
    version: str
    hits: list[Hit]


@dataclass(frozen=True, slots=True)
class RemovedReleases:
    package: str
    versions: tuple[str, ...]
    failures: tuple[str, ...]  # versions of which only a failure was noted
    freed: int  # bytes of the file


def stored(package: str | None = None, store: Path | None = None) -> StoredPackages:
    """What is mined, and what could not be: of one package, or of all."""
    with open_history(store) as history:
        names = history.packages() if package is None else [package]
        found = {name: history.releases(name) for name in names}
        failures = history.failures(package)
        if not failures and not any(found.values()):
            raise nothing_mined() if package is None else not_mined(history, package)
    return StoredPackages(found, failures)


def search_release(
    package: str,
    text: str,
    at: str | None = None,
    limit: int = 10,
    store: Path | None = None,
    on_demand: OnDemand | None = None,
) -> FoundSymbols:
    """Search one release's names, parameters and documentation."""
    from libdrift.history.questions import check_version
    from libdrift.history.spelling import spelled
    from libdrift.retrieval import words
    from libdrift.retrieval.searching import search

    if not words.known(words.split(text)):
        raise UserError("the search has no words", f"Run: libdrift history search {package} WORDS")
    if at is not None:
        check_version(at)
    path, ways = history_file(store), on_demand or OnDemand()
    release = missing.meant(path, package, (at,), ways)
    missing.mine_meant(path, release, ways)
    with open_history(path) as history:
        version = history.version(package, release.versions[0])
        hits = [
            replace(hit, path=spelled(hit.path, package))
            for hit in search(history, (package, version), text, config.load().indexes, limit)
        ]
    return FoundSymbols(package, version, hits)


def count_releases(package: str, store: Path | None = None) -> list[Counts]:
    """What each release added, deleted, modified and left, against the one before."""
    from libdrift.history.questions import stats

    with open_history(store) as history:
        rows = stats(history, package)
        if not rows:
            raise not_mined(history, package)
    return rows


def export_tables(
    folder: Path, package: str | None = None, store: Path | None = None
) -> dict[Path, int]:
    """Write the history as Parquet files; each with the number of its rows."""
    from libdrift.history.store import export

    with open_history(store) as history:
        return export(history, folder, package)


def removable(
    package: str, version: str | None = None, store: Path | None = None
) -> RemovedReleases:
    """What ``remove_releases`` would take out; a refusal where there is nothing of it."""
    with open_history(store) as history:
        return _removable(history, package, version)


def remove_releases(
    package: str, version: str | None = None, store: Path | None = None
) -> RemovedReleases:
    """Take a package out of the history, or one release of it, and give its space back."""
    path = history_file(store)
    open_history(path).close()  # says that there is none, and makes none
    with Store.open(path) as history:
        found = _removable(history, package, version)
        history.vacuum()  # so that only what is taken out now counts
        before = path.stat().st_size
        for item in found.versions:
            history.remove(package, item)
        for failure in history.failures(package):
            if failure.release.version in found.failures:
                history.forget_failure(failure.release)
        history.vacuum()
    return replace(found, freed=max(0, before - path.stat().st_size))


def _removable(history: Store, package: str, version: str | None) -> RemovedReleases:
    known = history.versions(history.number(package)) if package.strip() else []
    failed = [item.release.version for item in history.failures(package)] if package else []
    if version is not None and version in failed:
        return RemovedReleases(package, (), (version,), 0)
    if not known and not failed:
        refused = not_mined(history, package)
        asks = refused.fix.endswith("?")  # did you mean another one
        raise UserError(refused.message, refused.fix if asks else "Run: libdrift history list")
    if version is not None:
        same = [item for item in known if versions.same(item, version)]
        if not same:
            raise UserError(
                f"{package} {version} is not mined" if version else "the version is empty",
                f"Run: libdrift history list {package}",
            )
        return RemovedReleases(package, (same[0],), (), 0)
    return RemovedReleases(package, tuple(known), tuple(failed), 0)
