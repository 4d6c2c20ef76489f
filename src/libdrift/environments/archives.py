"""Environments as files, for other machines: packed by key, checked by hash, unpacked with care.

An archive is written by somebody else. Nothing in it is trusted but what the caller's own recipe
says: it must hold the environment of its key, and files that stay inside it. Links to interpreters
are not packed: each machine has its own.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import itertools
import logging
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from libdrift.config import Settings
from libdrift.environments import interpreters, store
from libdrift.environments.recipes import recipe_for
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.reading import SmallHeader, read_small_file
from libdrift.records import Environment

logger = logging.getLogger(__name__)

_PYTHON = "venv/bin/python"
_CONFIG = "venv/pyvenv.cfg"
_BLOCK = 1 << 20
_MOST = 1_000_000  # members: those without content cost an archive next to nothing
_OURS = (store.RECORD, "venv", "venv/bin", _CONFIG)  # what is written to: never through a link
_LEVEL = 1  # of compression: most of it is compressed well by the lightest, and time counts


class ArchiveManifest(BaseModel):
    """What is written beside an archive."""

    model_config = ConfigDict(frozen=True)

    schema_version: Literal[1] = 1
    key: str = Field(pattern=r"^[0-9a-f]{20}$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)  # of the archive
    unpacked: int = Field(ge=0)  # bytes of all files in it


class ArchiveRefusedError(LibdriftError):
    """An archive that is not what it should be; nothing of it is kept."""


@dataclass(frozen=True, slots=True)
class ImportedArchive:
    """What became of an archive; ``fresh``: it was not there before."""

    key: str
    fresh: bool
    trouble: str = ""


def _archive(folder: Path, key: str) -> Path:
    return folder / f"{key}.tar.gz"


def _manifest(folder: Path, key: str) -> Path:
    return folder / f"{key}.json"


def find_keys(settings: Settings, named: Sequence[str]) -> list[str]:
    """The keys of environments on disk, by their beginnings, as ``env list`` shows them."""
    known = [entry.key for entry in store.entries(settings) if entry.status == "ready"]
    found: dict[str, None] = {}
    for text in named:
        meant = [key for key in known if key.startswith(text)]
        if len(meant) != 1 or not text:
            count = "no environment" if not meant else f"{len(meant)} environments"
            raise UserError(
                f"{text!r} matches {count}",
                "List them with: libdrift env list --json",
            )
        found[meant[0]] = None
    return list(found)


def export(key: str, out: Path, settings: Settings) -> ArchiveManifest:
    """Pack an environment into a folder: whole, or not at all."""
    source = settings.environments / key
    out.mkdir(parents=True, exist_ok=True)
    with (
        FileLock(_lock(settings, key)),
        tempfile.NamedTemporaryFile(dir=out, prefix=f".{key}-", delete=False) as file,
    ):
        scratch = Path(file.name)
        try:
            unpacked = _pack(source, file.file)
            file.flush()
            digest = _digest(scratch)
            manifest = ArchiveManifest(
                key=key, sha256=digest, bytes=scratch.stat().st_size, unpacked=unpacked
            )
            scratch.chmod(0o644)
            scratch.replace(_archive(out, key))
        finally:
            scratch.unlink(missing_ok=True)
    # Last: an archive without a manifest is not looked at.
    aside = _manifest(out, key).with_suffix(".part")
    aside.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
    aside.replace(_manifest(out, key))
    return manifest


def _pack(source: Path, file: IO[bytes]) -> int:
    total = 0
    with (
        gzip.GzipFile(fileobj=file, mode="wb", compresslevel=_LEVEL, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(source.rglob("*")):
            name = path.relative_to(source).as_posix()
            if name == _PYTHON:
                continue
            # Files are shared with uv's cache by hard links, and would be packed as links.
            tar.inodes = {}  # type: ignore[attr-defined]
            info = tar.gettarinfo(path, name)
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime = int(info.mtime)  # as compiled files have it
            if info.isreg():
                total += info.size
                with path.open("rb") as content:
                    tar.addfile(info, content)
            elif info.isdir() or info.issym():
                tar.addfile(info)
    return total


def import_folder(folder: Path, settings: Settings) -> Iterator[ImportedArchive]:
    """Unpack every archive of a folder; one that is refused does not keep the others out."""
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}", "Give a folder written by `env export`")
    keys = sorted(
        path.stem for path in folder.glob("*.json") if re.fullmatch(r"[0-9a-f]{20}", path.stem)
    )
    if not keys:
        raise UserError(
            f"{folder} has no archives", "Write some with: libdrift env export KEY --out DIR"
        )
    for key in keys:
        home = settings.environments / key
        with FileLock(_lock(settings, key)):
            entry = store.read(home)
            if entry is not None and (home / _PYTHON).exists():
                yield ImportedArchive(key, fresh=False)
                continue
            try:
                unpack(folder, key, settings)
            except (LibdriftError, OSError) as error:
                yield ImportedArchive(key, fresh=False, trouble=str(error))
            else:
                yield ImportedArchive(key, fresh=True)


def unpack(folder: Path, key: str, settings: Settings) -> bool:
    """Unpack the archive of a key; ``False`` if there is none. The caller has the key's lock."""
    try:
        text = read_small_file(_manifest(folder, key))
    except FileNotFoundError:
        return False
    try:
        manifest = ArchiveManifest.model_validate_json(text)
    except ValidationError as error:
        raise _refused(
            key, f"its manifest cannot be read ({error.error_count()} errors)"
        ) from error
    if manifest.key != key:
        raise _refused(key, f"its manifest is of {manifest.key}")
    archive = _archive(folder, key)
    staging = settings.environments / store.BUILDING / f"{key}-{os.getpid()}"
    store.remove(staging)
    staging.mkdir(parents=True)
    try:
        _check_place(key, archive, staging, manifest.unpacked)
        with archive.open("rb") as file:
            if _digest_of(file) != manifest.sha256:
                raise _refused(key, "its sha256 differs from its manifest")
            file.seek(0)
            _extract(key, file, staging, manifest.unpacked)
        _settle(key, staging)
        final = settings.environments / key
        store.remove(final)
        staging.rename(final)
    except FileNotFoundError as error:
        raise _refused(key, f"a file is missing: {error.filename}") from error
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, ValueError, OverflowError) as error:
        raise _refused(key, f"it cannot be read: {error}") from error
    finally:
        store.remove(staging)
    logger.info("unpacked %s from %s", key, archive)
    return True


def _check_place(key: str, archive: Path, staging: Path, unpacked: int) -> None:
    """Whether it is a file at all, and whether there is room for what it is said to hold."""
    if archive.exists() and not archive.is_file():
        raise _refused(key, "it is not a file")
    free = shutil.disk_usage(staging).free
    if unpacked > free:
        raise _refused(key, f"it unpacks to {unpacked:,} bytes, and {free:,} are free")


def _lock(settings: Settings, key: str) -> Path:
    lock = settings.environments / store.LOCKS / f"{key}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    return lock


def _refused(key: str, why: str) -> ArchiveRefusedError:
    return ArchiveRefusedError(f"the archive {key} is refused: {why}", "Export it again")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return _digest_of(file)


def _digest_of(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := file.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()


# --- unpacking what others have packed


def _extract(key: str, file: IO[bytes], root: Path, most: int) -> None:
    """Files and folders first, links last: nothing is ever written through a link."""
    links: dict[str, str] = {}
    seen: set[str] = set()
    with tarfile.open(fileobj=file, mode="r|gz", tarinfo=SmallHeader) as tar:
        for member in tar:
            name = _inside(key, member.name)
            if name in seen:
                raise _refused(key, f"{name} is in it twice")
            seen.add(name)
            if len(seen) > _MOST:
                raise _refused(key, f"it has more than {_MOST:,} files")
            path = root / name
            if member.isdir():
                path.mkdir(parents=True, exist_ok=True)
            elif member.issym():
                links[name] = _target(key, name, member.linkname)
            elif member.isreg():
                most -= member.size
                if most < 0:
                    raise _refused(key, "it contains more than its manifest lists")
                content = tar.extractfile(member)
                assert content is not None  # noqa: S101  (a regular file)
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(path, content, executable=bool(member.mode & 0o100))
                os.utime(path, (member.mtime, member.mtime))
            else:
                raise _refused(key, f"{name} is neither a file, a folder nor a link")
    for name in seen:
        if any(parent.as_posix() in links for parent in PurePosixPath(name).parents):
            raise _refused(key, f"{name!r} is behind a link")
    for name, target in links.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def _inside(key: str, name: str) -> str:
    """A member's path, which must be below the root as it is written."""
    parts = name.split("/")
    if not name or name.startswith("/") or "\\" in name or not {"", ".", ".."}.isdisjoint(parts):
        raise _refused(key, f"{name!r} leads out of it")
    if name == _PYTHON:
        raise _refused(key, "it brings an interpreter")
    return name


def _target(key: str, name: str, target: str) -> str:
    """Where a link leads: relative, and inside, whatever other links it leads through.

    It goes up first, if at all: behind another link, up is not where it seems to be.
    """
    if name in _OURS:
        raise _refused(key, f"{name} is a link")
    parts = target.split("/")
    ups = sum(1 for _ in itertools.takewhile(lambda part: part == "..", parts))
    if target.startswith("/") or ".." in parts[ups:] or ups > name.count("/"):
        raise _refused(key, f"the link {name!r} leads out of it")
    return target


def _write(path: Path, content: IO[bytes], *, executable: bool) -> None:
    # Fails if it already exists, be it as a link.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    number = os.open(path, flags, 0o755 if executable else 0o644)
    with os.fdopen(number, "wb") as file:
        while block := content.read(_BLOCK):
            file.write(block)


def _settle(key: str, root: Path) -> None:
    """Give what was unpacked this machine's interpreter, if it is what its key says."""
    entry = store.read(root)
    if entry is None or entry.status != "ready" or entry.key != key:
        raise _refused(key, "it does not say that it is this environment")
    environment = Environment(entry.language, entry.runtime, entry.requirements, entry.as_of)
    if recipe_for(environment).key != key:
        raise _refused(key, f"it is made for {environment}, by another recipe")
    interpreter = interpreters.find(entry.runtime)
    if interpreter.minor != ".".join(entry.interpreter.split(".")[:2]):
        raise InfrastructureError(
            f"the archive {key} needs Python {entry.interpreter}",
            f"Install it with: uv python install {entry.interpreter}",
        )
    python = root / _PYTHON
    python.parent.mkdir(parents=True, exist_ok=True)
    python.symlink_to(interpreter.path)
    config = root / _CONFIG
    with contextlib.suppress(FileNotFoundError):
        text = read_small_file(config).decode()
        home = f"home = {interpreter.path.parent}"
        config.write_text(
            re.sub(r"(?m)^home = .*$", lambda _: home, text, count=1), encoding="utf-8"
        )
    own = entry.model_copy(
        update={
            "interpreter": interpreter.version,
            "interpreter_prefix": str(interpreter.prefix),
        }
    )
    (root / store.RECORD).write_text(own.model_dump_json(indent=1), encoding="utf-8")
