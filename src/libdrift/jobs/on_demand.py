"""The releases that a question is about: which are meant, and mined where they are not yet.

Nothing of a release is run for that: it is read, which takes seconds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history import versions
from libdrift.history.questions.asking import check_version, source_of
from libdrift.history.questions.suggestions import suggest
from libdrift.history.spelling import alternatives, dotted, spelled
from libdrift.history.store import Store, not_mined, nothing_mined
from libdrift.history.store.packages import packages_like, roots_like

if TYPE_CHECKING:
    from libdrift.mining import FailedRelease, MiningOptions, MiningProgress
    from libdrift.mining.sources import Offers, Source


_STANDARD = {"python", "rust", "jdk"}  # what comes with a language has names that are known


def _unheard(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Whether releases that the history has not are mined, and who hears of it.

    ``said`` takes lines for a person: which release a series stands for, what is being read.
    """

    allowed: bool = True
    progress: MiningProgress | None = None
    said: Callable[[str], None] = _unheard


@dataclass(frozen=True, slots=True)
class MeantReleases:
    """Versions as the history has them or will have them, and those that it has not yet.

    ``again``: those that another libdrift has read, who may have read something else in them.
    """

    package: str
    versions: tuple[str, ...]
    missing: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.package} {' and '.join(self.versions)}"


def mined_versions(path: Path, package: str) -> list[str]:
    """The versions of a package in a history, oldest first; none where there is no such file."""
    if not path.exists():
        return []
    with Store.open(path, readonly=True) as store:
        return store.versions(store.number(package))


def meant(
    path: Path, package: str, asked: Sequence[str | None], on_demand: OnDemand
) -> MeantReleases:
    """Which releases are asked for. Of a series it is the newest; without a text, of all.

    The index is asked only for what the history cannot tell.
    """
    for text in asked:
        if text is not None:
            check_version(text)
    known = mined_versions(path, package)
    sure = [_stored(text, known) for text in asked]
    if all(sure):
        there = tuple(filter(None, sure))
        again = _read_otherwise(path, package, there) if on_demand.allowed else ()
        return MeantReleases(package, there, again=again)
    if not on_demand.allowed:
        return _among_mined(path, package, asked, on_demand)
    try:
        source, offers = _offered(package)
    except UserError as error:
        if known:  # of no index that is configured now
            return _among_mined(path, package, asked, on_demand)
        raise _with_suggestion(path, package, error) from error
    except LibdriftError as error:
        lost = [text or "" for text in asked if not known or not _nearest(text, known)]
        if lost:
            named = " ".join(filter(None, [package, " and ".join(filter(None, lost))]))
            what = f"{named} is not mined, and {error.message}"
            raise InfrastructureError(what, error.fix) from error
        on_demand.said(f"note: {error.message}; only mined releases are used")
        return _among_mined(path, package, asked, on_demand)
    found = [_offer(text, source, offers, known) for text in asked]
    _say_series(package, asked, found, on_demand)
    missing = tuple(version for version in dict.fromkeys(found) if version not in known)
    there = tuple(version for version in found if version in known)
    again = _read_otherwise(path, package, there, beside_new=bool(missing)) if there else ()
    return MeantReleases(package, tuple(found), missing, again)


def exactly(path: Path, package: str, version: str, on_demand: OnDemand) -> MeantReleases:
    """The one release that a version names, ``1.5`` being 1.5.0: never its series' newest."""
    check_version(version)
    equal = next((v for v in mined_versions(path, package) if versions.same(v, version)), None)
    if equal is not None:
        return MeantReleases(package, (equal,))
    if not on_demand.allowed:
        if not path.exists():
            raise nothing_mined()
        raise UserError(
            f"{package} {version} is not mined",
            f"Run: libdrift mine {package} --versions {version}",
        )
    try:
        source, offers = _offered(package)
    except LibdriftError as error:
        raise _with_suggestion(path, package, error) from error
    also = {one.also: one.release.version for one in offers.releases if one.also}
    offered = [one.release.version for one in offers.releases]
    found = also.get(version) or next((v for v in offered if versions.same(v, version)), None)
    if found is None:
        raise UserError(source.absent(offers, version))
    return MeantReleases(package, (found,), (found,))


def newest_of_series(package: str) -> list[str]:
    """The last usual release of every minor series that a package's source offers."""
    _, offers = _offered(package)
    usual = [one.release.version for one in offers.releases if not one.pre and not one.yanked]
    ordered = sorted(usual, key=versions.order)
    return list({tuple(item.split(".")[:2]): item for item in ordered}.values())


def _stored(text: str | None, known: Sequence[str]) -> str | None:
    """A version that is in the history beyond doubt; of a series, the index may have a newer."""
    if text is None:
        return known[-1] if known else None
    if text in known:
        return text
    return None if versions.is_series(text) else versions.meant(text, known)


def _nearest(text: str | None, known: Sequence[str]) -> str | None:
    return known[-1] if text is None else versions.meant(text, known)


def _among_mined(
    path: Path, package: str, asked: Sequence[str | None], on_demand: OnDemand
) -> MeantReleases:
    if not path.exists():
        raise nothing_mined()
    named = ",".join(text for text in asked if text is not None)
    with Store.open(path, readonly=True) as store:
        known = store.versions(store.number(package))
        if not known:
            raise not_mined(store, package, f"{package} --versions {named}" if named else "")
        found = []
        for text in asked:
            near = _nearest(text, known)
            found.append(near or known[versions.find(package, text or "", known)])
    _say_series(package, asked, found, on_demand, " that is mined")
    return MeantReleases(package, tuple(found))


def _read_otherwise(
    path: Path, package: str, there: Sequence[str], *, beside_new: bool = False
) -> tuple[str, ...]:
    from libdrift.mining.rereading import read_otherwise

    with Store.open(path, readonly=True) as store:
        return tuple(read_otherwise(store, package, there, beside_new=beside_new))


def _offered(package: str) -> tuple[Source, Offers]:
    from libdrift.mining import MiningOptions, Runtime
    from libdrift.mining.sources import sources_of

    options = MiningOptions(runtime=Runtime.NEVER)
    (source,) = sources_of([package], options, config.load())
    return source, source.offers(package)


def _offer(text: str | None, source: Source, offers: Offers, known: Sequence[str]) -> str:
    also = {one.also: one.release.version for one in offers.releases if one.also}
    usual = {one.release.version for one in offers.releases if not one.pre and not one.yanked}
    offered = [one.release.version for one in offers.releases]
    everything = sorted({*offered, *known}, key=versions.order)
    if text is None:
        plain = [version for version in everything if version in usual] or everything
        if not plain:
            raise UserError(f"{offers.package} has no releases", "Check the spelling")
        return plain[-1]
    found = also.get(text) or versions.meant(text, everything, usual)
    if found is None:
        raise UserError(source.absent(offers, text))
    return found


def _with_suggestion(path: Path, package: str, error: LibdriftError) -> LibdriftError:
    """A slip in a name is more likely than a package that no index has."""
    if not isinstance(error, UserError) or not path.exists():
        return error
    with Store.open(path, readonly=True) as store:
        alike = packages_like(store, package)
    return UserError(error.message, f"Did you mean {' or '.join(alike)}?") if alike else error


def _say_series(
    package: str,
    asked: Sequence[str | None],
    found: Sequence[str],
    on_demand: OnDemand,
    among: str = "",
) -> None:
    told = [
        f"{text} is {version}"
        for text, version in zip(asked, found, strict=True)
        if text is not None and not versions.same(text, version)
    ]
    if told:
        on_demand.said(f"{package} {', '.join(told)}: the newest of the series{among}")


# --- mining


def mine_meant(path: Path, releases: MeantReleases, on_demand: OnDemand) -> None:
    """Have the releases in the history that are not there yet."""
    wanted = (*releases.missing, *releases.again)
    if not wanted:
        return
    from libdrift.mining import MiningOptions, Runtime

    reasons = {"not mined yet": releases.missing, "read by another libdrift": releases.again}
    for reason, some in reasons.items():
        if some:
            on_demand.said(f"reading {releases.package} {' and '.join(some)}, {reason}")
    options = MiningOptions(versions=wanted, runtime=Runtime.NEVER)
    failed = _mine(path, releases.package, options, on_demand)
    if failed:
        raise _unread(failed[0])


def mine_series(path: Path, package: str, on_demand: OnDemand) -> None:
    """Have the last release of every minor series in the history."""
    from libdrift.mining import MiningOptions, Runtime

    try:
        _offered(package)
    except LibdriftError as error:
        raise _with_suggestion(path, package, error) from error
    on_demand.said(f"reading the last release of every minor series of {package}, not mined yet")
    options = MiningOptions(all_minor=True, runtime=Runtime.NEVER)
    failed = _mine(path, package, options, on_demand)
    if not mined_versions(path, package):
        raise _unread(failed[0]) if failed else UserError(f"{package} has no usual releases")


def _mine(
    path: Path, package: str, options: MiningOptions, on_demand: OnDemand
) -> tuple[FailedRelease, ...]:
    """Read releases; those that could not be read are given back."""
    from libdrift.mining import mine

    with Store.open(path) as store:
        result = mine([package], options, store, config.load(), on_demand.progress)
    if result.missing:
        raise _with_suggestion(path, package, result.missing[0].error)
    if result.problems:
        raise UserError("; ".join(result.problems))
    return result.failed


def _unread(event: FailedRelease) -> InfrastructureError:
    return InfrastructureError(
        f"{event.release} could not be mined: {event.reason}",
        "Try again later" if event.transient else "Choose another version",
    )


# --- symbols


def package_of(path: Path, symbol: str, on_demand: OnDemand) -> tuple[str, bool]:
    """The package that a symbol is of, and whether it is mined.

    One that is not mined is guessed from the symbol's root. Where the history has something that
    is written nearly so, that is meant: no package is mined for a slip.
    """
    if path.exists():
        with Store.open(path, readonly=True) as store:
            mined = _mined_package(store, symbol)
            if mined is not None:
                return mined, True
            if on_demand.allowed and source_of(symbol) not in _STANDARD:
                _check_slip(store, symbol)
    if not dotted(symbol).strip(". "):
        return "", False  # the question itself says what is wrong
    from libdrift.build.pins import distributions

    source = source_of(symbol)
    known = next(iter(distributions(source)), "")
    if on_demand.allowed:
        return known or source, False
    if known:
        raise UserError(f"no mined package has {symbol}", f"Run: libdrift mine {known}")
    return "", False


def _mined_package(store: Store, symbol: str) -> str | None:
    return next(filter(None, map(store.package_of, alternatives(symbol))), None)


def _check_slip(store: Store, symbol: str) -> None:
    path = dotted(symbol)
    root, _, rest = path.partition(".")
    alike = suggest(store, path)
    near = [item for item in alike if _is_meant(item, root, rest)]
    roots = roots_like(store, root)
    if near or roots:
        near = near or [item for item in alike if item.partition(".")[0] in roots]
        meant = f": {_listed(store, near)}" if near else f" a name in {' or '.join(roots)}"
        raise UserError(
            f"no mined package has {symbol}",
            f"Did you mean{meant}? If not, run: libdrift mine {source_of(symbol)}",
        )


def _is_meant(path: str, root: str, rest: str) -> bool:
    """Whether a path is what `append`, `DataFrame.append` or `np.trapz` is short for."""
    top, _, inside = path.partition(".")
    if not rest or root[:1].isupper():
        return path.endswith(".".join(filter(None, ["", root, rest])))
    letters = iter(top)
    return inside == rest and top[:1] == root[:1] and all(letter in letters for letter in root)


def _listed(store: Store, paths: Sequence[str]) -> str:
    return ", ".join(spelled(path, store.package_of(path) or "") for path in paths)


@contextlib.contextmanager
def guessing(path: Path, symbol: str) -> Iterator[None]:
    """Where there is no package of the name that was guessed, what is mined and nearly so."""
    try:
        yield
    except UserError as error:
        if not path.exists():
            raise
        with Store.open(path, readonly=True) as store:
            mined = _mined_package(store, symbol)
            near = suggest(store, dotted(symbol)) if mined is None else []
            if not near:
                raise
            fix = f"Did you mean: {_listed(store, near)}?"
        raise UserError(error.message, fix) from error


def check_root(path: Path, symbol: str, read: str) -> None:
    """A package whose name was guessed may have no such module."""
    with Store.open(path, readonly=True) as store:
        if _mined_package(store, symbol) is None:
            root = dotted(symbol).partition(".")[0]
            raise UserError(
                f"{read} has no module {root}",
                "Say which package has it: --package NAME",
            )
