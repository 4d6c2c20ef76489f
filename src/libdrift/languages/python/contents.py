"""What archives of every format share: members, limits, and the refusal of hostile ones."""

from __future__ import annotations

import contextlib
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from libdrift.errors import LibdriftError


class ArchiveError(LibdriftError):
    """An archive that is damaged, hostile or of no use. The message begins with the verb."""


class OtherBytesError(ArchiveError):
    """What came is not what the index promises: that may be the way's fault, and another try do."""


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One file of an archive. ``crc`` and ``size`` together are a key to its content."""

    path: str  # relative to site-packages
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    member: int = 64 << 20  # bytes of one source
    sources: int = 1 << 30  # bytes of all sources
    members: int = 400_000
    ratio: int = 250  # unpacked to packed, where that matters: above ``plain`` bytes
    plain: int = 4 << 20
    unpacked: int = 8 << 30  # bytes that a tar is followed through


class ArchiveContents(Protocol):
    """The wanted members of an archive, under their own names."""

    @property
    def members(self) -> Mapping[str, ArchiveMember]: ...

    @property
    def refused(self) -> Mapping[str, str]: ...  # name to reason

    def close(self) -> None: ...

    def read(self, names: Collection[str]) -> dict[str, bytes]: ...


def checked(name: str) -> str:
    """A member's name, with plain slashes; one that leads out of the archive condemns it."""
    plain = name.replace("\\", "/")
    parts = plain.split("/")
    if plain.startswith("/") or ".." in parts or parts[0][1:2] == ":" or "\0" in plain:
        raise ArchiveError(f"is refused: its member {name!r} leads outside of it")
    return "/".join(part for part in parts if part not in {"", "."})


def within(sizes: Collection[int], limits: ArchiveLimits) -> None:
    if sum(sizes) > limits.sources:
        raise ArchiveError(f"is refused: it has more than {limits.sources >> 20} MB of sources")


@contextlib.contextmanager
def damage() -> Iterator[None]:
    """Whatever the standard library says of a broken archive, said as one line."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        lzma.LZMAError,
        struct.error,
        EOFError,
        ValueError,
        NotImplementedError,
        OverflowError,
        LookupError,
        RuntimeError,
    ) as error:
        raise ArchiveError(f"is damaged: {_first_line(error)}") from error
    except OSError as error:
        if error.errno is not None:  # the machine's trouble
            raise
        raise ArchiveError(f"is damaged: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
