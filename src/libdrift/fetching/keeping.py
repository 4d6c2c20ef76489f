"""Published data in the cache: got whole or not at all, checked, listed, removed.

``data/SUITE`` is what loaders read. Beside it: ``.downloads`` for what is on its way, ``.locks``,
and ``.recorded``, which says what was got and holds files without a pinned hash to what they were.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.fetching.downloading import DownloadPatience, FileDownloader
from libdrift.fetching.sources import DataSource, PinnedFile, SourceDownload, digest
from libdrift.fetching.unpacking import unpack
from libdrift.reading import read_small_file
from libdrift.version import __version__

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class RecordedData(BaseModel):
    """What was got of a data set, kept also when the data is removed."""

    model_config = ConfigDict(frozen=True)

    schema_version: Literal[1] = 1
    suite: str
    commit: str
    files: dict[str, tuple[int, str]]  # sizes and sha256, by path
    got: datetime
    libdrift: str


@dataclass(frozen=True, slots=True)
class KeptData:
    """A data set in the cache; ``fresh`` if it was got just now."""

    folder: Path
    files: int
    size: int
    fresh: bool


class FetchListener:
    """Hears how a download goes."""

    def waiting(self) -> None:
        """Another process gets the same data."""

    def begin(self, name: str, size: int | None) -> None:
        """A file is asked for."""

    def bytes_there(self, done: int) -> None:
        """So many bytes of it are there."""


def folder_of(suite: str, settings: Settings) -> Path:
    return settings.cache / "data" / suite


def downloads_of(source: DataSource, settings: Settings) -> Path:
    return settings.cache / "data" / ".downloads" / source.suite / (source.commit[:12] or "any")


def get(
    source: DataSource,
    settings: Settings,
    listener: FetchListener | None = None,
    patience: DownloadPatience | None = None,
) -> KeptData:
    """The data of ``source``, downloaded where it is not there already."""
    listener = listener or FetchListener()
    folder = folder_of(source.suite, settings)
    try:
        with _locked(source.suite, settings, listener.waiting):
            expected = expected_files(source, settings)
            if expected and not flaws_of(folder, expected):
                return _kept(folder, expected, fresh=False)
            _refuse_foreign(folder, expected, source)
            workshop = downloads_of(source, settings)
            tree = workshop / "unpacked"
            shutil.rmtree(tree, ignore_errors=True)  # of one that was killed
            _bring(source, workshop, listener, patience)
            found = _unpack_all(source, workshop, tree)
            _hold(found, source, settings)
            _record(found, source, settings)
            _put(tree, folder)
            shutil.rmtree(workshop.parent, ignore_errors=True)
            return _kept(folder, found, fresh=True)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        need = f"{source.size / 1e6:,.0f} MB" if source.size else "some space"
        raise InfrastructureError(
            f"the disk of {settings.cache} is full; downloaded parts are kept",
            f"Free {need} there, or set LIBDRIFT_CACHE to a folder elsewhere; then run it again",
        ) from error


def expected_files(source: DataSource, settings: Settings) -> dict[str, PinnedFile]:
    """What must be there: what is pinned, and what was there when it was first got."""
    expected = source.pinned
    recorded = read_record(source.suite, settings)
    if recorded is not None and recorded.commit == source.commit:
        for path, (size, sha256) in recorded.files.items():
            expected.setdefault(path, PinnedFile(path, size, sha256))
    return expected


def flaws_of(folder: Path, expected: dict[str, PinnedFile]) -> dict[str, str]:
    """What is wrong with the files of a folder, by path; nothing where all are as they must be."""
    found = {}
    for path, pin in expected.items():
        file = folder / path
        flaw = pin.flaw(file) if file.is_file() else "missing"
        if flaw:
            found[path] = flaw
    return found


def remove(source: DataSource, settings: Settings) -> int:
    """Remove what the cache has of a data set; how many bytes that were."""
    with _locked(source.suite, settings, lambda: None):
        folder = folder_of(source.suite, settings)
        workshop = downloads_of(source, settings).parent
        freed = kept_size(source, settings)
        if folder.exists():
            # Renamed first: a kill in the middle leaves no data set that looks whole.
            grave = workshop / "removed"
            shutil.rmtree(grave, ignore_errors=True)
            workshop.mkdir(parents=True, exist_ok=True)
            folder.rename(grave)
        shutil.rmtree(workshop, ignore_errors=True)
    return freed


def kept_size(source: DataSource, settings: Settings) -> int:
    """Bytes that the cache has of a data set, downloads that were not ended among them."""
    parts = (folder_of(source.suite, settings), downloads_of(source, settings).parent)
    return sum(map(size_of, parts))


def size_of(folder: Path) -> int:
    """Bytes of a folder's files, links not followed; a folder that is not there has none."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def record_path(suite: str, settings: Settings) -> Path:
    return settings.cache / "data" / ".recorded" / f"{suite}.json"


def read_record(suite: str, settings: Settings) -> RecordedData | None:
    path = record_path(suite, settings)
    try:
        return RecordedData.model_validate_json(read_small_file(path))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise UserError(
            f"{path} is not a record of this libdrift", "Remove it, and download the data again"
        ) from error


@contextmanager
def _locked(suite: str, settings: Settings, waiting: Callable[[], None]) -> Iterator[None]:
    path = settings.cache / "data" / ".locks" / f"{suite}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        waiting()
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _refuse_foreign(folder: Path, expected: dict[str, PinnedFile], source: DataSource) -> None:
    """A folder with somebody's own files is not ours to replace."""
    paths = (path for path in folder.rglob("*") if not path.is_dir())
    names = (path.relative_to(folder).as_posix() for path in paths)
    foreign = sorted(name for name in names if name not in expected)
    if foreign:
        raise UserError(
            f"{folder} has files that libdrift did not download ({foreign[0]})",
            f"Move them away, or remove them with: libdrift data rm {source.suite}",
        )


def _bring(
    source: DataSource,
    workshop: Path,
    listener: FetchListener,
    patience: DownloadPatience | None,
) -> None:
    downloader = FileDownloader(patience, listener.bytes_there)
    try:
        for number, download in enumerate(source.downloads, start=1):
            target = workshop / download.whole.path
            if target.exists():
                _accept(target, download)
                continue
            rest = len(source.downloads) - number
            others = f" ({rest} more: libdrift data list {source.suite})" if rest else ""
            listener.begin(download.whole.path, download.whole.size)
            downloader.get(download.url, target, download.whole, others)
    finally:
        downloader.close()


def _accept(target: Path, download: SourceDownload) -> None:
    """What is there under its full name was checked, or somebody put it there."""
    flaw = download.whole.flaw(target)
    if flaw:
        raise UserError(
            f"{target} is not the file that is pinned ({flaw})",
            f"Remove it, or get it again from {download.url}",
        )


def _unpack_all(source: DataSource, workshop: Path, tree: Path) -> dict[str, PinnedFile]:
    """All files in one tree, each checked; what they are."""
    found: dict[str, PinnedFile] = {}
    for download in source.downloads:
        arrived = workshop / download.whole.path
        if download.archive:
            try:
                paths = unpack(arrived, download, tree)
                found |= {path: _checked(path, tree, download) for path in paths}
            except InfrastructureError:
                arrived.unlink()  # the next attempt gets it anew
                raise
        else:
            path = download.whole.path
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(arrived, tree / path)
            found[path] = _checked(path, tree, download)
    return found


def _checked(path: str, tree: Path, download: SourceDownload) -> PinnedFile:
    file = tree / path
    pin = download.files.get(path)
    if pin is None:
        return PinnedFile(path, file.stat().st_size, digest(file, hashlib.sha256()))
    flaw = pin.flaw(file)
    if flaw:
        raise InfrastructureError(
            f"{path} of {download.url} is not the file that is pinned ({flaw})",
            "Nothing of it is used; try another network",
        )
    return pin


def _hold(found: dict[str, PinnedFile], source: DataSource, settings: Settings) -> None:
    """What was got before without a pin must be the same now."""
    before = read_record(source.suite, settings)
    if before is None or before.commit != source.commit:
        return
    changed = sorted(set(before.files.items()) ^ set(_facts(found).items()))
    if changed:
        raise InfrastructureError(
            f"{changed[0][0]} differs from the file downloaded before, at the same commit",
            "Nothing of it is used. If that is right, "
            f"remove {record_path(source.suite, settings)}",
        )


def _facts(found: dict[str, PinnedFile]) -> dict[str, tuple[int, str]]:
    return {path: (pin.size or 0, pin.sha256) for path, pin in sorted(found.items())}


def _record(found: dict[str, PinnedFile], source: DataSource, settings: Settings) -> None:
    record = RecordedData(
        suite=source.suite,
        commit=source.commit,
        files=_facts(found),
        got=datetime.now(UTC).replace(microsecond=0),
        libdrift=__version__,
    )
    path = record_path(source.suite, settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.new")
    aside.write_text(record.model_dump_json(indent=1), encoding="utf-8")
    aside.replace(path)


def _put(tree: Path, folder: Path) -> None:
    """The whole tree in one step; a folder that was there was checked to be ours alone."""
    if folder.exists():
        old = tree.with_name("replaced")
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
    tree.rename(folder)


def _kept(folder: Path, files: dict[str, PinnedFile], *, fresh: bool) -> KeptData:
    return KeptData(folder, len(files), sum(pin.size or 0 for pin in files.values()), fresh)
