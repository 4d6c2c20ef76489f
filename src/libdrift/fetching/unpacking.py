"""The wanted files of an archive, and nothing else.

An archive comes from outside: names that lead elsewhere, links, devices, files that come twice and
files that unpack to more than they should are refused, and no path of an archive is ever opened
unless it is one that the loader reads.
"""

from __future__ import annotations

import gzip
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from libdrift.errors import InfrastructureError
from libdrift.fetching.downloading import LARGEST
from libdrift.fetching.sources import SourceDownload
from libdrift.reading import SmallHeader

_BLOCK = 1 << 20
_MOST = 10_000  # files of an archive whose files are not known
_TORN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    # Two names that cannot both be files.
    FileExistsError,
    NotADirectoryError,
    IsADirectoryError,
)
Unpacked = tuple[str, Callable[[], IO[bytes]]]


def unpack(archive: Path, download: SourceDownload, folder: Path) -> list[str]:
    """Write the wanted files below ``folder``, which is ours alone; return their paths."""
    reader = _zip_members if download.archive == "zip" else _tar_members
    written: dict[str, None] = {}
    room = LARGEST
    try:
        for path, opened in reader(archive, download):
            if path in written:
                raise _refused(archive, f"{path} is in it twice")
            if len(written) == _MOST:
                raise _refused(archive, f"it has more than {_MOST:,} files")
            pin = download.files.get(path)
            limit = room if pin is None or pin.size is None else pin.size
            room -= _write(opened, folder / path, limit, archive)
            written[path] = None
    except _TORN as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise _refused(archive, f"it cannot be unpacked ({why})") from error
    missing = sorted(set(download.files) - set(written))
    if missing:
        raise _refused(archive, f"it lacks {missing[0]}")
    if not written:
        raise _refused(archive, f"it has no file {download.pattern}")
    return list(written)


def _write(opened: Callable[[], IO[bytes]], target: Path, limit: int, archive: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with opened() as source, target.open("xb") as file:
        while block := source.read(_BLOCK):
            size += len(block)
            if size > limit:
                raise _refused(archive, f"{target.name} unpacks to more than {limit:,} bytes")
            file.write(block)
    return size


class _Bounded:
    """A stream that ends in an error where an archive goes on for ever."""

    def __init__(self, stream: gzip.GzipFile, archive: Path) -> None:
        self._stream = stream
        self._archive = archive
        self._room = LARGEST

    def read(self, size: int = -1) -> bytes:
        found = self._stream.read(size)
        self._room -= len(found)
        if self._room < 0:
            raise _refused(self._archive, f"it unpacks to more than {LARGEST:,} bytes")
        return found


def _tar_members(archive: Path, download: SourceDownload) -> Iterator[Unpacked]:
    with gzip.open(archive) as plain:
        # As a stream: what is not wanted is passed over and never kept.
        bounded = _Bounded(plain, archive)
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=SmallHeader) as members:  # type: ignore[call-overload]
            for member in members:
                path = _wanted(member.name, download)
                if path is None or member.isdir():
                    continue
                if not member.isreg():
                    raise _refused(archive, f"{path} is not a plain file")
                yield path, partial(_opened, members, member)
        while bounded.read(_BLOCK):  # its checksum stands at the end
            pass


def _opened(members: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    found = members.extractfile(member)
    if found is None:
        raise tarfile.ReadError(f"{member.name} is not a plain file")
    return found


def _zip_members(archive: Path, download: SourceDownload) -> Iterator[Unpacked]:
    with zipfile.ZipFile(archive) as members:
        for member in members.infolist():
            path = _wanted(member.filename, download)
            if path is None or member.is_dir():
                continue
            kind = stat.S_IFMT(member.external_attr >> 16)
            if kind not in {0, stat.S_IFREG}:
                raise _refused(archive, f"{path} is not a plain file")
            if member.flag_bits & 1:
                raise _refused(archive, f"{path} is encrypted")
            yield path, partial(members.open, member)


def _wanted(name: str, download: SourceDownload) -> str | None:
    """Where a member belongs below the folder; ``None`` where nobody asks for it."""
    parts = PurePosixPath(name).parts
    if download.top:
        parts = parts[1:]
    path = "/".join(parts)
    if download.files:
        return path if path in download.files else None
    if not parts or not fnmatchcase(parts[-1], download.pattern):
        return None
    # What some file systems add of their own, beside each file.
    if parts[-1].startswith(".") or parts[0] == "__MACOSX":
        return None
    if ".." in parts or name.startswith("/") or any(sign in name for sign in "\\:\0"):
        raise InfrastructureError(f"an archive has a file whose path leads outside: {name!r}")
    return path


def _refused(archive: Path, why: str) -> InfrastructureError:
    return InfrastructureError(f"{archive.name}: {why}", "Nothing of it is used")
