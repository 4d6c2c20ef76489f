"""Wheels and zip sdists, from a file or by parts from a server."""

from __future__ import annotations

import bisect
import stat
import zipfile
from collections.abc import Callable, Collection
from typing import IO

from libdrift.languages.python.contents import (
    ArchiveError,
    ArchiveLimits,
    ArchiveMember,
    checked,
    damage,
    within,
)
from libdrift.languages.python.ranges import RangeFile, coalesce

_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1


class ZipContents:
    def __init__(
        self, file: IO[bytes] | RangeFile, wanted: Callable[[str], bool], limits: ArchiveLimits
    ) -> None:
        self._file = file
        self._limits = limits
        with damage():
            self._zip = zipfile.ZipFile(file)
            entries = self._zip.infolist()
        if len(entries) > limits.members:
            raise ArchiveError(f"is refused: it has {len(entries)} members")
        self._starts = sorted({entry.header_offset for entry in entries} | {self._zip.start_dir})
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self.members: dict[str, ArchiveMember] = {}
        self.refused: dict[str, str] = {}
        for entry in entries:
            name = checked(entry.filename)
            if entry.is_dir() or not wanted(name):
                continue
            reason = self._refusal(entry)
            if reason:
                self.refused[name] = reason
            else:
                self._entries[name] = entry
                self.members[name] = ArchiveMember(name, entry.file_size, entry.CRC)
        if isinstance(file, RangeFile):
            file.sealed = True

    def close(self) -> None:
        self._zip.close()

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        entries = {name: self._entries[name] for name in names}
        within([entry.file_size for entry in entries.values()], self._limits)
        for name, entry in entries.items():
            self._check(name, entry)
        if not isinstance(self._file, RangeFile):
            return {name: self._one(entry) for name, entry in entries.items()}
        found: dict[str, bytes] = {}
        ordered = sorted(entries, key=lambda name: entries[name].header_offset)
        for start, end in coalesce(self._span(entry) for entry in entries.values()):
            self._file.fetch(start, end)
            while ordered and entries[ordered[0]].header_offset < end:
                name = ordered.pop(0)
                found[name] = self._one(entries[name])
        return found

    def _refusal(self, entry: zipfile.ZipInfo) -> str:
        mode = entry.external_attr >> 16
        if stat.S_ISLNK(mode):
            return "a link"
        if entry.flag_bits & _ENCRYPTED:
            return "encrypted"
        if entry.compress_type not in _METHODS:
            return f"compressed in a way that is not read ({entry.compress_type})"
        return ""

    def _check(self, name: str, entry: zipfile.ZipInfo) -> None:
        limits = self._limits
        start, end = self._span(entry)
        if entry.compress_size > end - start:
            raise ArchiveError(f"is refused: {name} overlaps other members")
        bomb = entry.file_size > limits.plain and (
            entry.file_size > limits.ratio * entry.compress_size
        )
        if bomb or entry.file_size > limits.member:
            size = f"{entry.file_size} bytes from {entry.compress_size}"
            raise ArchiveError(f"is refused: {name} would unpack to {size}")

    def _span(self, entry: zipfile.ZipInfo) -> tuple[int, int]:
        """From a member's own header to whatever comes next."""
        after = bisect.bisect_right(self._starts, entry.header_offset)
        end = self._starts[after] if after < len(self._starts) else self._zip.start_dir
        return entry.header_offset, end

    def _one(self, entry: zipfile.ZipInfo) -> bytes:
        with damage(), self._zip.open(entry) as stream:
            data = stream.read(entry.file_size + 1)
            if len(data) != entry.file_size:
                raise EOFError(f"{entry.filename} is cut short")
            return data
