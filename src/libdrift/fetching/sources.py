"""Where each benchmark's data is published, at which commit, and what every file must be."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file, and what is known of its bytes; what is not known is empty."""

    path: str  # below the data set's folder; of an archive, its own name
    size: int | None = None
    sha256: str = ""
    git_blob: str = ""  # the file's name within a git commit: sha1 of its length and its bytes

    def flaw(self, found: Path) -> str:
        """What is wrong with a file on disk; empty where it is as it must be."""
        size = found.stat().st_size
        if self.size is not None and size != self.size:
            return f"{size:,} bytes, not {self.size:,}"
        if self.sha256 and digest(found, hashlib.sha256()) != self.sha256:
            return "its sha256 is another"
        if self.git_blob:
            start = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
            if digest(found, start) != self.git_blob:
                return "its git hash is another"
        return ""


@dataclass(frozen=True, slots=True)
class SourceDownload:
    """What is got from one address: a file, or an archive of which some files are unpacked."""

    url: str
    whole: PinnedFile  # what comes over the wire
    archive: str = ""  # tar.gz, zip, or empty for a file
    top: bool = False  # an archive's files stand below one folder, which is left out
    files: Mapping[str, PinnedFile] = field(default_factory=dict)  # by path; empty: not known
    pattern: str = ""  # of the names of files, where their paths are not known


@dataclass(frozen=True, slots=True)
class DataSource:
    """The published data of one benchmark. Without downloads, nobody knows where it is."""

    suite: str
    title: str
    licence: str
    citation: str
    repository: str = ""
    commit: str = ""
    released: date | None = None
    wanted: str = ""  # names of files, where nobody knows where to get them
    downloads: tuple[SourceDownload, ...] = ()

    @property
    def pinned(self) -> dict[str, PinnedFile]:
        """The files whose bytes are known, by their paths."""
        return {path: file for one in self.downloads for path, file in one.files.items()}

    @property
    def size(self) -> int | None:
        """Bytes of all files together, where all are known."""
        sizes = [file.size for file in self.pinned.values()]
        known = [size for size in sizes if size is not None]
        complete = len(known) == len(sizes) and all(one.files for one in self.downloads)
        return sum(known) if known and complete else None


def digest(path: Path, algorithm: hashlib._Hash) -> str:
    """The hash of a file's bytes, going on from what ``algorithm`` has seen."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            algorithm.update(block)
    return algorithm.hexdigest()


@cache
def known_sources() -> Mapping[str, DataSource]:
    """The table of sources, by the names of suites."""
    table = resources.files(__package__).joinpath("sources.toml")
    return read_sources(table.read_text(encoding="utf-8"))


def read_sources(text: str) -> dict[str, DataSource]:
    """A table of sources as ``sources.toml`` has it."""
    return {name: _source(name, entry) for name, entry in tomllib.loads(text).items()}


def _source(name: str, entry: dict[str, Any]) -> DataSource:
    downloads = entry.pop("downloads", [])
    commit = entry.get("commit", "")
    made = tuple(_download(one, commit) for one in downloads)
    return DataSource(suite=name, downloads=made, **entry)


def _download(entry: dict[str, Any], commit: str) -> SourceDownload:
    url = entry.pop("url").replace("{commit}", commit)
    files = {path: _pinned(path, line) for path, line in entry.pop("files", {}).items()}
    blob = entry.pop("git_blob", "")
    if entry.get("archive"):
        name = PurePosixPath(unquote(urlsplit(url).path)).name
        ending = f".{entry['archive']}"
        whole = PinnedFile(name if name.endswith(ending) else name + ending, git_blob=blob)
    else:
        (whole,) = files.values()
    return SourceDownload(url, whole, files=files, **entry)


def _pinned(path: str, line: str) -> PinnedFile:
    size, sha256 = line.split()
    return PinnedFile(path, int(size), sha256)
