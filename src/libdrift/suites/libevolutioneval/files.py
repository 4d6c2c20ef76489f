"""Finding and reading the data: folders of files, or the archives that they come in.

Examples are ``eval_examples/<set>/<version>.jsonl``. Archives are read as they are: nothing is
unpacked to disk. The authors' release has its data one folder further in, and an archive per
library.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.reading import SmallHeader
from libdrift.suites import finding

NAME = "libevolutioneval"
TITLE = "LibEvolutionEval"
EXAMPLES = "eval_examples"
_ENDING = ".jsonl"
_ARCHIVES = (".tar.xz", ".tar.gz", ".tar.bz2", ".tar")
_BLOCK = 1 << 20
_LARGEST = 1 << 30  # bytes of a member, ten times as many as the largest that was published
_END = 1024  # bytes of zeros behind the last member
_TORN = (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError)


@dataclass(frozen=True, slots=True)
class PublishedSheet:
    """One file: the set or library that it belongs to, its version, and its lines."""

    group: str
    version: str  # as the file's name has it: v_1_10_0
    lines: list[bytes]

    @property
    def place(self) -> str:
        return f"{self.group}/{self.version}"


def find(settings: Settings) -> Path:
    return finding.find(settings, NAME, TITLE, lambda folder: any(_sources(folder, EXAMPLES)))


def sheets(folder: Path, kind: str) -> Iterator[PublishedSheet]:
    """The files of a kind; of two of one place, the first."""
    seen: set[tuple[str, str]] = set()
    for source in _sources(folder, kind):
        reader = _unpacked if source.is_dir() else _packed
        for sheet in reader(source):
            if (sheet.group, sheet.version) not in seen:
                seen.add((sheet.group, sheet.version))
                yield sheet


def _sources(folder: Path, kind: str) -> Iterator[Path]:
    """Folders before archives, which may be what they were unpacked from."""
    places = [place for place in (folder, folder / "data") if place.is_dir()]
    for place in places:
        yield from sorted(path for path in place.glob(f"*{kind}") if path.is_dir())
    for place in places:
        for ending in _ARCHIVES:
            yield from sorted(path for path in place.glob(f"*{kind}{ending}") if path.is_file())


def _unpacked(source: Path) -> Iterator[PublishedSheet]:
    for path in sorted(source.rglob(f"*{_ENDING}")):
        named = _named(PurePosixPath(path.as_posix()))
        if named is not None:
            try:
                yield PublishedSheet(*named, path.read_bytes().split(b"\n"))
            except OSError as error:
                raise _unreadable(path, error) from error


def _packed(source: Path) -> Iterator[PublishedSheet]:
    try:
        # As a stream: to look for a member would decompress all that is before it, each time.
        # Decompressed by its own module: tarfile takes a file that was cut between two members
        # for a whole one, and half of the examples for all.
        with (
            _stream(source) as content,
            tarfile.open(fileobj=content, mode="r|", tarinfo=SmallHeader) as archive,
        ):
            for member in archive:
                named = _named(PurePosixPath(member.name)) if member.isfile() else None
                file = archive.extractfile(member) if named else None
                if file and member.size > _LARGEST:
                    raise tarfile.ReadError(f"{member.name} would unpack to {member.size} bytes")
                if named and file:
                    yield PublishedSheet(*named, file.read().split(b"\n"))
            while content.read(_BLOCK):
                pass
    except _TORN as error:
        raise _unreadable(source, error) from error


def _stream(source: Path) -> BinaryIO:
    match source.suffix:
        case ".xz":
            return cast("BinaryIO", lzma.open(source))
        case ".gz":
            return cast("BinaryIO", gzip.open(source))
        case ".bz2":
            return cast("BinaryIO", bz2.open(source))
    file = source.open("rb")
    # Nothing else tells where a plain archive ends.
    file.seek(max(0, source.stat().st_size - _END))
    if file.read() != bytes(_END):
        file.close()
        raise EOFError("it is cut short")
    file.seek(0)
    return file


def _named(path: PurePosixPath) -> tuple[str, str] | None:
    """Group and version of a file; ``None`` for some file system's own (``._3_8_3.jsonl``)."""
    if path.name.startswith(".") or path.suffix != _ENDING:
        return None
    return path.parent.name, path.stem


def _unreadable(path: Path, error: Exception) -> UserError:
    why = str(error).split("\n")[0] or type(error).__name__
    return UserError(f"cannot read {path} ({why})", "Get the file again from the authors' release")
