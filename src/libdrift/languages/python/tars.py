"""Tar sdists: followed through once, with their sources kept aside."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO, cast

from libdrift.languages.python.contents import (
    ArchiveError,
    ArchiveLimits,
    ArchiveMember,
    checked,
    damage,
)

_STEP = 1 << 18
_IN_MEMORY = 64 << 20
_TEXTS = (".py", ".pyi", ".txt", ".cfg", ".toml", ".rst", ".md")


class TarContents:
    def __init__(
        self, file: IO[bytes], wanted: Callable[[str], bool], limits: ArchiveLimits, scratch: Path
    ) -> None:
        self._limits = limits
        self._wanted = wanted
        # Without a name on disk: nothing of an archive is ever unpacked to where it could be run.
        self._kept = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, dir=str(scratch))  # noqa: SIM115
        self._places: dict[str, int] = {}
        self._total = 0
        self.members: dict[str, ArchiveMember] = {}
        self.refused: dict[str, str] = {}
        try:
            with damage():
                self._follow(_Stream(file, limits))
        except BaseException:
            self.close()
            raise

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        found = {}
        for name in names:
            self._kept.seek(self._places[name])
            found[name] = self._kept.read(self.members[name].size)
        return found

    def close(self) -> None:
        self._kept.close()

    def _follow(self, stream: _Stream) -> None:
        # Compression is ours, so that tarfile only sees a stream that is bounded.
        with tarfile.TarFile(fileobj=cast("IO[bytes]", stream), mode="r") as tar:
            for number, info in enumerate(tar):
                if number >= self._limits.members:
                    raise ArchiveError(f"is refused: it has over {number} members")
                self._take(tar, info)
        if stream.rest():
            raise tarfile.ReadError("more data follows its end")

    def _take(self, tar: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        name = checked(info.name)
        if info.isdir() or not self._wanted(name):
            return
        if info.issym() or info.islnk():
            self.refused[name] = "a link"
            return
        if not info.isreg() or info.issparse():
            self.refused[name] = "not a plain file"
            return
        if not name.endswith(_TEXTS):
            self.members[name] = ArchiveMember(name, info.size, 0)  # only its name says something
            return
        self._total += info.size
        if info.size > self._limits.member or self._total > self._limits.sources:
            raise ArchiveError(f"is refused: {name} would unpack to {info.size} bytes")
        stream = tar.extractfile(info)
        data = stream.read() if stream else b""
        if len(data) != info.size:
            raise EOFError(f"{name} is cut short")
        self._places[name] = self._kept.seek(0, io.SEEK_END)
        self._kept.write(data)
        self.members[name] = ArchiveMember(name, info.size, zlib.crc32(data))


class _Stream:
    """The unpacked tar, read forward only, and no further than the limits."""

    def __init__(self, file: IO[bytes], limits: ArchiveLimits) -> None:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        self._source = _unpacked(file)
        self._limits = limits
        self._most = min(limits.unpacked, max(limits.plain, limits.ratio * size))
        self._place = 0

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._limits.member:
            raise ArchiveError("is refused: it wants too much memory")
        data = self._source.read(size)
        self._place += len(data)
        if self._place > self._most:
            raise ArchiveError(f"is refused: it unpacks to more than {self._most >> 20} MB")
        return data

    def seek(self, place: int) -> int:
        while self._place < place and self.read(min(_STEP, place - self._place)):
            pass
        if self._place > place:
            raise tarfile.ReadError("its members are out of order")
        return self._place

    def tell(self) -> int:
        return self._place

    def rest(self) -> bool:
        """Read to the end, where checksums are compared. Is there more than padding?"""
        more = False
        while data := self.read(_STEP):
            more = more or data.count(0) != len(data)
        return more


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    start = file.read(6)
    file.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if start.startswith(b"BZh"):
        return cast("IO[bytes]", bz2.BZ2File(file))
    if start.startswith((b"\xfd7zXZ", b"\x5d\x00\x00")):
        return cast("IO[bytes]", lzma.LZMAFile(file))
    return file
