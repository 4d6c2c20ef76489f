"""The surface of a release, read from its files. Nothing of the release is run."""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import msgspec

from libdrift.languages.python import modules as layout
from libdrift.languages.python.archives import READ_FOR, ArchiveMember
from libdrift.languages.python.assembly import Assembly
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.parsed import ParsedFile
from libdrift.languages.python.parsing import parse
from libdrift.records import Origin, Release, Surface

Read = Callable[[Collection[str]], Mapping[str, bytes]]
Key = tuple[int, int, str]  # CRC32, size, suffix


class ParsedFiles(Protocol):
    """What was read in files before, by their content."""

    def get(self, keys: Collection[Key]) -> dict[Key, bytes]: ...

    def put(self, records: Mapping[Key, bytes]) -> None: ...


def _version() -> str:
    """Of cached records: whatever changes how a file is read makes them stale."""
    folder = Path(__file__).parent
    readers = (
        "parsed parsing classes conditions deprecations expressions fields functions grammar lazy"
    )
    readers += " borrowing making module_names raising shims wording"
    sources = b"".join((folder / f"{name}.py").read_bytes() for name in readers.split())
    return f"static-{zlib.crc32(sources):08x}-{sys.version_info[1]}"


VERSION = _version()


@functools.cache
def reader() -> str:
    """Of surfaces: whatever changes what is read in a release. Two readers' are not compared."""
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return f"{zlib.crc32(sources):08x}"


_DECODER = msgspec.msgpack.Decoder(ParsedFile)
_ENCODER = msgspec.msgpack.Encoder()


def extract(
    release: Release,
    members: Mapping[str, ArchiveMember],
    read: Read,
    *,
    cache: ParsedFiles | None = None,
    python: tuple[int, int] = READ_FOR,
) -> Surface:
    """Read the public surface of an archive's files; what cannot be read is named in its origin."""
    with _without_collector():
        return _extract(release, members, read, cache, python)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Trees have no circles: looking for some would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _extract(
    release: Release,
    members: Mapping[str, ArchiveMember],
    read: Read,
    cache: ParsedFiles | None,
    python: tuple[int, int],
) -> Surface:
    modules = layout.read(members)
    files = _Files(modules, members, python, cache)
    files.fetch(read)
    stubs = Linker(modules, lambda module: files.of(module, stub=True))
    code = Linker(modules, lambda module: files.of(module, stub=False), stubs)
    surface = Assembly(release, modules, code, stubs).build()
    files.keep()
    origin = Origin(
        python=".".join(map(str, python)),
        files=len(files.parsed),
        unread=tuple(f"{path}: {why}" for path, why in sorted(files.unread.items())),
        gaps=surface.origin.gaps,
        reader=reader(),
    )
    return replace(surface, origin=origin)


def of_sources(sources: Mapping[str, str], version: str = "1.0", package: str = "") -> Surface:
    """The surface of sources given as texts."""
    data = {path: text.encode() for path, text in sources.items()}
    members = {path: ArchiveMember(path, len(b), zlib.crc32(b)) for path, b in data.items()}
    name = package or min(path.partition("/")[0].removesuffix(".py") for path in sources)
    return extract(
        Release("pypi", name, version), members, lambda paths: {path: data[path] for path in paths}
    )


class _Files:
    """The files of a release: read at once, parsed when they are first asked for."""

    def __init__(
        self,
        modules: layout.Modules,
        members: Mapping[str, ArchiveMember],
        python: tuple[int, int],
        cache: ParsedFiles | None,
    ) -> None:
        self._modules = modules
        self._members = members
        self._python = python
        self._cache = cache
        self._known: dict[Key, bytes] = {}
        self._sources: Mapping[str, bytes] = {}
        self._new: dict[Key, bytes] = {}
        self.parsed: dict[str, ParsedFile | None] = {}
        self.unread: dict[str, str] = {}

    def fetch(self, read: Read) -> None:
        paths = [p for m in self._modules.all.values() for p in (m.code, m.stub) if p]
        if self._cache is not None:
            self._known = self._cache.get([self._key(path) for path in paths])
        self._sources = read([path for path in paths if self._key(path) not in self._known])

    def keep(self) -> None:
        """Remember what was parsed, for other releases."""
        if self._cache is not None and self._new:
            self._cache.put(self._new)

    def _key(self, path: str) -> Key:
        member = self._members[path]
        suffix = path[path.rindex(".") :] + ".".join(map(str, self._python))
        return member.crc, member.size, suffix

    def of(self, module: str, *, stub: bool) -> ParsedFile | None:
        known = self._modules.all.get(module)
        if known is None:
            return None
        path = (known.stub or known.code) if stub else (known.code or known.stub)
        if not path:
            return None
        if path not in self.parsed:
            self.parsed[path] = self._parse(path)
        return self.parsed[path]

    def _parse(self, path: str) -> ParsedFile | None:
        key = self._key(path)
        if key in self._known:
            return _DECODER.decode(self._known[key])
        try:
            source = self._sources[path]
            found = parse(source, stub=path.endswith(".pyi"), python=self._python)
        except SyntaxError as error:
            self.unread[path] = f"line {error.lineno}: {error.msg}" if error.lineno else error.msg
            return None
        except KeyError:
            self.unread[path] = "not in the archive"
            return None
        if self._cache is not None:
            self._new[key] = _ENCODER.encode(found)
        return found
