"""Wheels and sdists, read without unpacking anything to disk."""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import platform
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, cast

from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from libdrift.languages.python import places
from libdrift.languages.python.contents import (
    ArchiveContents,
    ArchiveError,
    ArchiveLimits,
    ArchiveMember,
    OtherBytesError,
)
from libdrift.languages.python.index import IndexFile, Listing
from libdrift.languages.python.ranges import RangeFile
from libdrift.languages.python.tars import TarContents
from libdrift.languages.python.web import Web
from libdrift.languages.python.zips import ZipContents

__all__ = [
    "Archive",
    "ArchiveError",
    "ArchiveLimits",
    "ArchiveMember",
    "OtherBytesError",
    "choose",
    "open_archive",
    "read_pages",
]

SMALL = 8 << 20  # bytes of a wheel that is not worth being fetched by parts
_CHUNK = 1 << 20
_RECORD = ".dist-info/RECORD"
_PAGES = (".rst", ".md", ".txt")
_DOCUMENTATION = {"doc", "docs", "documentation"}
_BY_PARTS = "members by crc32 and the wheel's own RECORD"


READ_FOR = (3, 11)  # the Python whose wheels are chosen, and for which conditions are read


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive; ``members`` by their paths relative to site-packages."""

    name: str
    digest: str  # sha256 of the whole file, or how its members are verified
    members: Mapping[str, ArchiveMember]
    refused: tuple[str, ...]  # file: why
    _contents: ArchiveContents = field(repr=False)
    _names: Mapping[str, str] = field(repr=False)  # path to the name in the archive
    _sums: Mapping[str, str] = field(repr=False)  # name to the checksum that RECORD has

    def read(self, paths: Collection[str]) -> dict[str, bytes]:
        found = self._contents.read([self._names[path] for path in paths])
        for name, content in found.items():
            expected = self._sums.get(name)
            if expected is not None and expected != _record_sum(content):
                raise ArchiveError(f"is damaged: {name} is not what its RECORD says")
        return {path: found[self._names[path]] for path in paths}


def choose(listing: Listing, pythons: Collection[str] = ()) -> IndexFile:
    """The archive that shows a release best: pure, else made for a machine like this one.

    ``pythons`` are those of this machine (``3.12``): what fits one of them can be imported too.
    """
    files = [file for file in listing.files if not file.yanked] or list(listing.files)
    if not files:
        raise ArchiveError("has neither a wheel nor an sdist")
    return max(files, key=lambda file: _merit(file, pythons))


@contextlib.contextmanager
def open_archive(
    file: IndexFile, package: str, web: Web, scratch: Path, limits: ArchiveLimits | None = None
) -> Iterator[Archive]:
    """An archive of ``package``, fetched by parts where that is less; nothing of it stays."""
    limits = limits or ArchiveLimits()
    try:
        with contextlib.ExitStack() as stack:
            source, digest = _fetched(file, web, scratch, stack)
            contents: ArchiveContents
            if file.wheel or file.name.endswith(".zip"):
                contents = ZipContents(source, _wanted, limits)
            else:
                contents = TarContents(cast("IO[bytes]", source), _wanted, limits, scratch)
            stack.callback(contents.close)
            sums = _record(contents) if digest == _BY_PARTS else {}
            names, refused = _placed(file, contents, package)
            members = {
                path: ArchiveMember(path, contents.members[name].size, contents.members[name].crc)
                for path, name in names.items()
            }
            yield Archive(file.name, digest, members, refused, contents, names, sums)
    except ArchiveError as error:
        raise type(error)(f"{file.name} {error.message}") from error


def read_pages(
    file: IndexFile, web: Web, scratch: Path, limits: ArchiveLimits | None = None
) -> dict[str, bytes]:
    """The pages of documentation that an sdist has, by their names in it."""
    limits = limits or ArchiveLimits()
    try:
        with contextlib.ExitStack() as stack:
            source, _ = _fetched(file, web, scratch, stack)
            contents: ArchiveContents
            if file.name.endswith(".zip"):
                contents = ZipContents(source, _is_page, limits)
            else:
                contents = TarContents(cast("IO[bytes]", source), _is_page, limits, scratch)
            stack.callback(contents.close)
            return contents.read(list(contents.members))
    except ArchiveError as error:
        raise type(error)(f"{file.name} {error.message}") from error


def _is_page(name: str) -> bool:
    *folders, base = name.split("/")
    return base.endswith(_PAGES) and not _DOCUMENTATION.isdisjoint(folders)


def _wanted(name: str) -> bool:
    return places.kept(name) or places.hint(name) or name.endswith(_RECORD)


def _fetched(
    file: IndexFile, web: Web, scratch: Path, stack: contextlib.ExitStack
) -> tuple[IO[bytes] | RangeFile, str]:
    if file.local:
        local = stack.enter_context(Path(file.location).open("rb"))  # noqa: SIM115  (it is)
        return local, _verified(local, file)
    if file.wheel and (file.size is None or file.size >= SMALL):
        ranged = RangeFile.ask(web, file.location, file.size)
        if ranged is not None and ranged.size >= SMALL:
            return ranged, _BY_PARTS
    scratch.mkdir(parents=True, exist_ok=True)
    # Without a name: a kill leaves nothing behind.
    target = stack.enter_context(tempfile.TemporaryFile(dir=scratch))  # noqa: SIM115  (it is)
    answer = web.download(file.location, cast("BinaryIO", target))
    if not answer.found:
        raise ArchiveError("is listed by the index but is not there")
    return target, _verified(target, file)


def _verified(stream: IO[bytes], file: IndexFile) -> str:
    """The sha256 of a whole file, once the index's checksum was found to be right."""
    kind, _, expected = file.digest.partition(":")
    own, other = hashlib.sha256(), hashlib.new(kind or "sha256", usedforsecurity=False)
    stream.seek(0)
    while data := stream.read(_CHUNK):
        own.update(data)
        if kind not in {"", "sha256"}:
            other.update(data)
    found = own if kind in {"", "sha256"} else other
    if expected and found.hexdigest() != expected:
        raise OtherBytesError(f"is refused: its {kind} is {found.hexdigest()}, not {expected}")
    stream.seek(0)
    return f"sha256:{own.hexdigest()}"


def _placed(
    file: IndexFile, contents: ArchiveContents, package: str
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Paths in site-packages to names in the archive, and what is not read of it."""
    names = [*contents.members, *contents.refused]
    if file.wheel:
        found = {name: path for name in names if (path := places.wheel_path(name))}
    else:
        hints = [name for name in contents.members if places.hint(name)]
        found = places.sdist_paths(names, contents.read(hints), package)
    if not found:
        raise ArchiveError("has no Python modules")
    refused = [
        f"{path}: {contents.refused[name]}"
        for name, path in found.items()
        if name in contents.refused
    ]
    return {path: name for name, path in found.items() if name in contents.members}, tuple(refused)


def _record(contents: ArchiveContents) -> dict[str, str]:
    """Checksums of a wheel's members as its own RECORD has them."""
    names = [name for name in contents.members if name.endswith(_RECORD) and name.count("/") == 1]
    text = "".join(data.decode("utf-8", "replace") for data in contents.read(names).values())
    try:
        rows = [row for row in csv.reader(text.splitlines()) if len(row) > 1]
    except csv.Error as error:
        raise ArchiveError(f"is damaged: its RECORD cannot be read ({error})") from error
    return {row[0]: row[1] for row in rows if row[1].startswith("sha256=")}


def _record_sum(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.decode().rstrip('=')}"


def _merit(
    file: IndexFile, pythons: Collection[str]
) -> tuple[int, bool, bool, bool, tuple[int, ...], bool, str]:
    if not file.wheel:
        return (0, False, False, False, (), file.name.endswith(".tar.gz"), file.name)
    try:
        tags = parse_wheel_filename(file.name)[3]
    except InvalidWheelFilename:
        return (1, False, False, False, (), False, file.name)
    machine = platform.machine()
    rank = 1
    if any(tag.platform == "any" for tag in tags):
        rank = 3
    elif any("linux" in tag.platform and tag.platform.endswith(machine) for tag in tags):
        rank = 2
    newest = max(_python(tag) for tag in tags)
    # One Python for all releases that have it: else its own changes would seem the package's.
    usual = newest == READ_FOR
    fits = ".".join(map(str, newest)) in pythons
    plain = not any("musl" in tag.platform or tag.abi.endswith("t") for tag in tags)
    return (rank, newest[0] > 2, usual or fits, usual, newest, plain, file.name)  # noqa: PLR2004  (Python 3)


def _python(tag: Tag) -> tuple[int, ...]:
    """cp313 is (3, 13), py3 is (3,); other interpreters come last."""
    digits = tag.interpreter.lstrip("cpy")
    if not tag.interpreter.startswith(("cp", "py")) or not digits.isdecimal():
        return (0,)
    return (int(digits[0]), int(digits[1:])) if digits[1:] else (int(digits[0]),)
