"""Artifacts of Maven repositories: their versions, their jars, and the surfaces of these."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO
from xml.sax.saxutils import unescape

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.languages.java import jdks, maven_settings, platforms
from libdrift.languages.java.jars import JarError, read_jar
from libdrift.languages.java.maven_settings import Repositories
from libdrift.languages.java.maven_versions import is_prerelease, order
from libdrift.languages.python.web import HttpResponse, HttpTimeouts, Web, host
from libdrift.records import Release, Surface

__all__ = ["Coordinate", "MavenRepository", "is_prerelease", "releases", "surfaces"]

PREFIX = "maven:"
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_VERSION = re.compile(r"<version>\s*([^<\s]+)\s*</version>")
_SAFE = re.compile(r"[A-Za-z0-9_.+~-]+")  # of versions: they become parts of addresses
_DIGESTS = ("sha256", "sha1")
_FIX = "Try again later, or check the mirrors and proxies of Maven's settings.xml"


@dataclass(frozen=True, slots=True)
class Coordinate:
    group: str
    artifact: str

    @classmethod
    def parse(cls, text: str) -> Coordinate:
        parts = text.removeprefix(PREFIX).split(":")
        if len(parts) != 2 or not all(_PART.fullmatch(part) for part in parts):  # noqa: PLR2004
            raise UserError(
                f"{text!r} is not a Maven artifact",
                "Write it as maven:com.google.guava:guava, and its versions after --versions",
            )
        return cls(*parts)

    @property
    def package(self) -> str:
        return f"{PREFIX}{self.group}:{self.artifact}"

    @property
    def folder(self) -> str:
        return f"{self.group.replace('.', '/')}/{self.artifact}"


class _MavenWeb(Web):
    def __init__(self, known: Repositories, patience: HttpTimeouts | None) -> None:
        super().__init__(known.sources, patience)
        self._session.proxies.update(known.proxies)


class MavenRepository:
    """The repositories that Maven is set to use, as one."""

    def __init__(self, known: Repositories, patience: HttpTimeouts | None = None) -> None:
        self._known = known
        self._web = _MavenWeb(known, patience)

    @classmethod
    def configured(cls, environ: Mapping[str, str]) -> MavenRepository:
        return cls(maven_settings.read(environ))

    def versions(self, coordinate: Coordinate) -> tuple[str, ...]:
        """All versions that any of the repositories lists, the oldest first."""
        found: set[str] = set()
        for base in self._known.addresses:
            answer = self._get(f"{base}/{coordinate.folder}/maven-metadata.xml")
            if answer is not None:
                text = answer.body.decode("utf-8", "replace")
                found.update(filter(_SAFE.fullmatch, map(unescape, _VERSION.findall(text))))
        if not found:
            places = ", ".join(host(base) for base in self._known.addresses)
            raise UserError(
                f"no artifact {coordinate.group}:{coordinate.artifact} in {places}",
                "Check the spelling of its group and name, or the mirrors of Maven's settings.xml",
            )
        return tuple(sorted(found, key=order))

    def surface(self, coordinate: Coordinate, version: str, scratch: Path) -> Surface:
        """The surface of one version's jar; ``JarError`` where that is none."""
        name = f"{coordinate.artifact}-{version}.jar"
        for base in self._known.addresses:
            url = f"{base}/{coordinate.folder}/{version}/{name}"
            with tempfile.TemporaryFile(dir=scratch) as file:
                answer = self._asked(functools.partial(self._web.download, url, file))
                if not answer.found:
                    continue
                digest = self._verified(url, file)
                release = Release("maven", coordinate.package, version, _date(answer.headers))
                read = read_jar(release, file)
                origin = replace(read.origin, artifact=name, digest=digest)
                return replace(read, origin=origin, outside=_outside(read))
        raise JarError(f"{coordinate.artifact} {version} has no jar: it has another packaging")

    def close(self) -> None:
        self._web.close()

    def _verified(self, url: str, file: IO[bytes]) -> str:
        """Held against the checksum beside the file; its own digest where there is none."""
        for kind in _DIGESTS:
            answer = self._get(f"{url}.{kind}")
            told = answer.body.decode("ascii", "replace").split() if answer is not None else []
            if told:
                seen = _digest(file, kind)
                if told[0].lower() != seen:
                    raise JarError(f"does not match its {kind} checksum: it was changed on the way")
                return f"{kind}:{seen}"
        return f"sha256:{_digest(file, 'sha256')}"

    def _get(self, url: str) -> HttpResponse | None:
        answer = self._asked(lambda: self._web.get(url, {}))
        return answer if answer.found else None

    @staticmethod
    def _asked(ask: Callable[[], HttpResponse]) -> HttpResponse:
        try:
            return ask()
        except LibdriftError as error:
            raise type(error)(error.message, _FIX) from error


def releases(artifact: str) -> tuple[Release, ...]:
    """Every release of ``com.google.guava:guava``, the oldest first; repositories tell no dates."""
    coordinate = Coordinate.parse(artifact)
    with closing(MavenRepository.configured(os.environ)) as repository:
        known = repository.versions(coordinate)
    return tuple(Release("maven", coordinate.package, version) for version in known)


def surfaces(
    artifact: str, versions: Iterable[str], settings: Settings
) -> Iterator[tuple[Release, Surface | str]]:
    """Each version's surface, or why there is none."""
    coordinate = Coordinate.parse(artifact)
    scratch = settings.cache / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    with closing(MavenRepository.configured(os.environ)) as repository:
        for version in versions:
            release = Release("maven", coordinate.package, version)
            try:
                surface = repository.surface(coordinate, version, scratch)
            except (JarError, InfrastructureError) as error:
                yield release, str(error)
            else:
                yield surface.release, surface


def _date(headers: Mapping[str, str]) -> date | None:
    try:
        return parsedate_to_datetime(headers.get("Last-Modified", "")).date()
    except ValueError:
        return None


def _digest(file: IO[bytes], kind: str) -> str:
    file.seek(0)
    return hashlib.file_digest(file, kind).hexdigest()  # type: ignore[arg-type]


def _outside(surface: Surface) -> dict[str, tuple[str, ...]]:
    """What classes of the JDK give to classes below them, where there is a JDK to ask."""
    platform = _platform()
    if platform is None:
        return {}
    bases = {base for s in surface.symbols.values() for base in s.bases if ":" not in base}
    found: dict[str, tuple[str, ...]] = {}
    for base in sorted(bases):
        symbol = platform.resolve(base)
        if symbol is not None:
            found[base] = tuple(platform.members(symbol.id))
    return found


@functools.cache
def _platform() -> Surface | None:
    found = jdks.discover()
    if not found:
        return None
    last = next(platforms.surfaces(found, [str(found[0].feature)]))[1]
    return last if isinstance(last, Surface) else None
