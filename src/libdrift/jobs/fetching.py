"""Published data sets by name: got, listed, checked and removed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from libdrift import config, fetching, suites
from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.fetching import DataSource, DownloadPatience, FetchListener
from libdrift.records import Suite


class DataState(StrEnum):
    """Where a benchmark's data is."""

    SHIPPED = "shipped"  # it comes with the benchmark
    GOT = "got"  # libdrift downloaded it, and its files are there
    OWN = "own"  # in a folder of the user's
    PARTLY = "partly"  # a download was cut short, or files are missing
    MISSING = "missing"
    UNKNOWN = "unknown"  # missing, and nobody knows where to get it


@dataclass(frozen=True, slots=True)
class FetchedData:
    """A data set that is there now, with what its authors ask for."""

    suite: str
    folder: Path
    files: int
    size: int  # bytes
    fresh: bool  # downloaded just now
    licence: str
    citation: str

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "folder": str(self.folder)}


@dataclass(frozen=True, slots=True)
class ListedData:
    """A benchmark's data: where it is, or where it would come from."""

    suite: str
    title: str
    state: DataState
    folder: Path | None  # that is read now
    target: Path  # where a download is put
    size: int | None  # bytes, on disk or of the release
    repository: str
    commit: str
    licence: str
    citation: str
    downloads: tuple[tuple[str, Path], ...]  # addresses, and where to put what they give
    wanted: str  # names of files, where nobody knows where to get them

    def to_json(self) -> dict[str, Any]:
        downloads = [{"url": url, "put_at": str(path)} for url, path in self.downloads]
        texts = {"folder": self.folder and str(self.folder), "target": str(self.target)}
        return {**asdict(self), **texts, "state": self.state.value, "downloads": downloads}


@dataclass(frozen=True, slots=True)
class DataCheck:
    """What is wrong with the files of a data set; empty flaws: all are as they must be."""

    suite: str
    folder: Path
    checked: int
    flaws: dict[str, str]  # by path

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "folder": str(self.folder)}


def get_data(
    suite: str,
    listener: FetchListener | None = None,
    patience: DownloadPatience | None = None,
) -> FetchedData:
    """Download a benchmark's data from its authors' release, checked; nothing if it is there."""
    settings = config.load()
    source = source_of(suite)
    if not source.downloads:
        raise unknown_place(source, settings)
    kept = fetching.get(source, settings, listener, patience)
    return FetchedData(
        suite, kept.folder, kept.files, kept.size, kept.fresh, source.licence, source.citation
    )


def list_data(data: Path | None = None) -> list[ListedData]:
    """Of every benchmark: where its data is, or where it would come from."""
    settings = config.load(data)
    return [_listed(name, settings) for name in suites.names()]


def check_data(suite: str, data: Path | None = None) -> DataCheck:
    """Compare the files that are read now with what the authors published."""
    settings = config.load(data)
    source = source_of(suite)
    folder = _found(suite, settings) or fetching.folder_of(suite, settings)
    expected = fetching.expected_files(source, settings)
    if not folder.is_dir():
        raise MissingDataError(
            f"no {source.title} data on this machine", f"Run: libdrift data get {suite}", suite
        )
    if not expected:
        raise UserError(
            f"the files of {source.title} are unknown", "They are checked when they are loaded"
        )
    flaws = fetching.flaws_of(folder, expected)
    if len(flaws) == len(expected) and set(flaws.values()) == {"missing"}:
        raise UserError(
            f"{folder} has {source.title} in another layout than its authors' release",
            f"Only that layout can be checked; get it with: libdrift data get {suite}",
        )
    return DataCheck(suite, folder, len(expected), flaws)


def remove_data(suite: str) -> int:
    """Remove a data set from libdrift's cache, never from a folder of yours; bytes freed."""
    return fetching.remove(source_of(suite), config.load())


def kept_size(suite: str) -> int:
    """Bytes that ``remove_data`` would free."""
    return fetching.kept_size(source_of(suite), config.load())


def source_of(suite: str) -> DataSource:
    """Where a benchmark's data comes from; the caller's mistake if it has none."""
    found = fetching.known_sources().get(suite)
    if found is not None:
        return found
    if suite in suites.names():
        raise UserError(f"{suite} needs no data", f"Use it as it is: libdrift suites show {suite}")
    raise UserError(f"unknown suite {suite!r}", "`libdrift data list` lists them")


def unknown_place(source: DataSource, settings: Settings) -> UserError:
    """The line for data that only its authors can give."""
    return UserError(
        f"the address of {source.title} is unknown",
        f"Put {source.wanted} into {fetching.folder_of(source.suite, settings)}, "
        f"or into DIR/{source.suite} and pass --data DIR",
    )


def _found(name: str, settings: Settings) -> Path | None:
    find = suites.benchmark_of(Suite(name, "", "")).find_data
    try:
        return find(settings) if find else None
    except MissingDataError:
        return None


def _listed(name: str, settings: Settings) -> ListedData:
    source = fetching.known_sources().get(name) or DataSource(name, name, "", "")
    folder = _found(name, settings)
    target = fetching.folder_of(name, settings)
    workshop = fetching.downloads_of(source, settings)
    there = folder if folder is not None else target
    size = fetching.size_of(there) if there.is_dir() else source.size
    return ListedData(
        suite=name,
        title=source.title,
        state=_state(name, source, folder, settings),
        folder=folder,
        target=target,
        size=size,
        repository=source.repository,
        commit=source.commit,
        licence=source.licence,
        citation=source.citation,
        downloads=tuple((one.url, workshop / one.whole.path) for one in source.downloads),
        wanted=source.wanted,
    )


def _state(name: str, source: DataSource, folder: Path | None, settings: Settings) -> DataState:
    if suites.benchmark_of(Suite(name, "", "")).find_data is None:
        return DataState.SHIPPED
    target = fetching.folder_of(name, settings)
    if folder is not None and folder != target:
        return DataState.OWN
    expected = fetching.expected_files(source, settings)
    there = [path for path in expected if (target / path).is_file()]
    if there and len(there) == len(expected):
        return DataState.GOT
    if folder is not None and not there:
        return DataState.OWN
    if there or fetching.size_of(fetching.downloads_of(source, settings)):
        return DataState.PARTLY
    return DataState.MISSING if source.downloads else DataState.UNKNOWN
