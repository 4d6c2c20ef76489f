"""What is known of releases: mined into the history, and asked of it.

A question about a release that is not mined yet has it mined first, unless that is refused. What
mining takes is imported then, and not before: most answers are there, and are given at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.store import Store
from libdrift.jobs import on_demand as missing
from libdrift.jobs.on_demand import OnDemand

if TYPE_CHECKING:
    from libdrift.history.questions import Diff, DiffFilter, Life, SymbolDocument
    from libdrift.mining import MiningOptions, MiningProgress, MiningResult
    from libdrift.mining.examples.replacing import MakeRewriter
    from libdrift.records import Surface


def history_file(store: Path | None = None) -> Path:
    """The usual file, or another."""
    return store.expanduser() if store else config.load().history


def open_history(store: Path | None = None) -> Store:
    """The history for questions."""
    return Store.open(history_file(store), readonly=True)


def mine(
    packages: str | Sequence[str],
    options: MiningOptions | None = None,
    store: Path | None = None,
    progress: MiningProgress | None = None,
) -> MiningResult:
    """Read releases into the history: of packages, ``crate:NAME``, ``jdk``, ``rust`` and others."""
    from libdrift.mining import MiningOptions
    from libdrift.mining import mine as read_releases

    asked = [packages] if isinstance(packages, str) else packages
    options = options or MiningOptions()
    rewriters: MakeRewriter | None = None
    if options.examples:
        from libdrift.advisor.proving import rewriter

        rewriters = rewriter
    with Store.open(history_file(store)) as history:
        return read_releases(asked, options, history, config.load(), progress, rewriters)


def history_of(
    symbol: str,
    store: Path | None = None,
    on_demand: OnDemand | None = None,
    package: str | None = None,
) -> Life:
    """Since when a symbol is there, its deprecation and end, its signatures.

    Of a package that is not mined, the last release of every minor series is read first.
    ``package`` says which one it is, where the symbol's root does not.
    """
    from libdrift.history.questions import life

    path, ways = history_file(store), on_demand or OnDemand()
    owner, is_mined = _owner(path, symbol, package, ways)
    if owner and not is_mined:
        with missing.guessing(path, symbol):
            missing.mine_series(path, owner, ways)
        missing.check_root(path, symbol, owner)
    with open_history(path) as history:
        return life(history, symbol, package=package)


def diff(
    package: str,
    old: str,
    new: str,
    wanted: DiffFilter | None = None,
    store: Path | None = None,
    on_demand: OnDemand | None = None,
) -> Diff:
    """What changed between two releases; ``1.5`` is the newest of its series."""
    from libdrift.history.questions import diff as compared

    path, ways = history_file(store), on_demand or OnDemand()
    _check_package(package)
    ends = missing.meant(path, package, (old, new), ways)
    first, last = ends.versions
    if versions.order(first) > versions.order(last):
        raise UserError(
            f"{first} is later than {last}", f"Run: libdrift diff {package} {last} {first}"
        )
    missing.mine_meant(path, ends, ways)
    with open_history(path) as history:
        return compared(history, package, first, last, wanted)


def docs(
    symbol: str,
    at: str | None = None,
    store: Path | None = None,
    on_demand: OnDemand | None = None,
    package: str | None = None,
) -> SymbolDocument:
    """A symbol's signature and documentation exactly as of one release.

    Without ``at`` that is the newest mined one; of a package that is not mined, the newest.
    """
    from libdrift.history.questions import check_version, document

    if at is not None:
        check_version(at)
    path, ways = history_file(store), on_demand or OnDemand()
    owner, _ = _owner(path, symbol, package, ways)
    version = at
    if owner:
        with missing.guessing(path, symbol):
            release = missing.meant(path, owner, (at,), ways)
        missing.mine_meant(path, release, ways)
        missing.check_root(path, symbol, str(release))
        (version,) = release.versions
    with open_history(path) as history:
        return document(history, symbol, version, package)


def surface(
    package: str,
    version: str,
    store: Path | None = None,
    on_demand: OnDemand | None = None,
) -> Surface:
    """What a release offers, and how that is known."""
    path, ways = history_file(store), on_demand or OnDemand()
    _check_package(package)
    release = missing.meant(path, package, (version,), ways)
    missing.mine_meant(path, release, ways)
    with open_history(path) as history:
        return history.surface(package, release.versions[0])


def _owner(path: Path, symbol: str, package: str | None, ways: OnDemand) -> tuple[str, bool]:
    if package is None:
        return missing.package_of(path, symbol, ways)
    _check_package(package)
    return package, bool(missing.mined_versions(path, package))


def _check_package(package: str) -> None:
    if not package.strip():
        raise UserError("the package's name is empty", "Write it as for pip, such as numpy")
