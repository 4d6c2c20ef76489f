"""Jars: the classes in them, as a user of the newest Java sees them."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from typing import IO

from libdrift.errors import LibdriftError
from libdrift.languages.java.assembly import assemble
from libdrift.languages.java.classfile import ModuleInfo, parse
from libdrift.languages.java.pieces import Piece, piece
from libdrift.records import Origin, Release, Surface

_MANIFEST = "META-INF/MANIFEST.MF"
_VERSIONED = re.compile(r"META-INF/versions/(\d{1,9})/(.+)")
_MANY = re.compile(rb"^Multi-Release:\s*true\s*$", re.MULTILINE | re.IGNORECASE)
_LARGEST = 16 << 20  # of a class file
_MOST = 2 << 30  # of all of them, unpacked
# A class file's own is a ValueError; a RuntimeError is of a file that is encrypted.
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    ValueError,
    EOFError,
    OSError,
)


class JarError(LibdriftError):
    """A jar that cannot be read."""


def read_jar(release: Release, file: IO[bytes]) -> Surface:
    try:
        with zipfile.ZipFile(file) as jar:
            return _read(release, jar)
    except (zipfile.BadZipFile, EOFError) as error:
        raise JarError(f"is not a jar: {error}") from error


def _read(release: Release, jar: zipfile.ZipFile) -> Surface:
    sizes = {info.filename: info.file_size for info in jar.infolist()}
    if sum(size for name, size in sizes.items() if name.endswith(".class")) > _MOST:
        raise JarError(f"unpacks to more than {_MOST >> 30} GB")
    unread: list[str] = []
    pieces: list[Piece] = []
    modules: list[ModuleInfo] = []
    for name in _chosen(jar, sizes):
        if sizes[name] > _LARGEST:
            unread.append(f"{name}: it is too large")
            continue
        try:
            found = parse(jar.read(name))
            if isinstance(found, ModuleInfo):
                modules.append(found)
            else:
                pieces.append(piece(found))
        except _UNREADABLE as error:
            unread.append(f"{name}: {error}")
    if unread and not pieces:
        raise JarError(f"has no class that can be read: {unread[0]}")
    exported = {package for module in modules for package in module.exports} if modules else None
    origin = Origin(files=len(pieces), unread=tuple(unread))
    return assemble(release, pieces, exported, origin)


def _chosen(jar: zipfile.ZipFile, sizes: dict[str, int]) -> list[str]:
    """One entry for each class: that for the newest Java, where a jar has several."""
    manifest = jar.read(_MANIFEST) if sizes.get(_MANIFEST, _LARGEST) < _LARGEST else b""
    several = bool(_MANY.search(manifest))
    newest: dict[str, tuple[int, str]] = {}
    for name in sizes:
        if not name.endswith(".class"):
            continue
        found = _VERSIONED.fullmatch(name)
        if found and several:
            place = (int(found[1]), name)
            newest[found[2]] = max(newest.get(found[2], place), place)
        elif not name.startswith("META-INF/"):
            newest.setdefault(name, (0, name))
    return [name for _, name in newest.values()]
