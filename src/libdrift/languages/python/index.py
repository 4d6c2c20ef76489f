"""Releases of a package, from the indexes and folders that pip and uv are told to use."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from packaging.utils import InvalidName, canonicalize_name
from packaging.version import InvalidVersion, Version
from pypi_simple import (
    ACCEPT_ANY,
    DistributionPackage,
    ProjectPage,
    UnparsableFilenameError,
    UnsupportedRepoVersionError,
    parse_filename,
)

from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.languages.python import index_config
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import HttpResponse, HttpTimeouts, Web, host
from libdrift.records import Release

_LOG = logging.getLogger(__name__)
_JSON = "application/vnd.pypi.simple.v1+json"
_DIGESTS = ("sha256", "sha512", "sha384", "sha224", "sha1", "md5")  # the wanted one first


@dataclass(frozen=True, slots=True)
class IndexFile:
    """One archive of a release."""

    name: str
    location: str  # an address, or the path of a local file
    wheel: bool
    digest: str = ""  # as the index says: sha256:…
    size: int | None = None
    uploaded: datetime | None = None
    yanked: bool = False

    @property
    def local(self) -> bool:
        return "://" not in self.location


@dataclass(frozen=True, slots=True)
class Listing:
    """One release and its archives."""

    release: Release
    files: tuple[IndexFile, ...]
    yanked: bool = False
    prerelease: bool = False

    @property
    def version(self) -> Version:
        return Version(self.release.version)


@dataclass(frozen=True, slots=True)
class Project:
    """All releases, the oldest version first, and the files whose names say no version."""

    name: str
    listings: tuple[Listing, ...]
    skipped: tuple[str, ...] = ()


class PackageIndex:
    def __init__(self, sources: IndexSources, patience: HttpTimeouts | None = None) -> None:
        self.sources = sources
        self.patience = patience or HttpTimeouts()
        self.web = Web(sources, self.patience)

    @classmethod
    def configured(cls, environ: Mapping[str, str]) -> PackageIndex:
        """The indexes that pip and uv use in this environment."""
        return cls(index_config.read(environ))

    def releases(self, package: str) -> tuple[Listing, ...]:
        return self.project(package).listings

    def project(self, package: str) -> Project:
        """Every release that any of the sources has; of two files of one name, the first seen."""
        try:
            # It becomes a part of addresses: `numpy#x` would be read as numpy.
            name = canonicalize_name(package, validate=True)
        except InvalidName as error:
            raise UserError(f"no package {package!r}: no name", "Write it like numpy") from error
        found: dict[str, DistributionPackage] = {}
        for source in (
            *self._linked(name),
            *(self._page(url, name) for url in self.sources.indexes),
        ):
            for file in source:
                found.setdefault(file.filename, file)
        if not found:
            places = ", ".join(_shown(url) for url in (*self.sources.indexes, *self.sources.links))
            raise UserError(
                f"no package {package!r} in {places or 'any source: pip or uv forbid the index'}",
                "Check the spelling, or the index settings of pip and uv",
            )
        return _project(name, found.values())

    def close(self) -> None:
        self.web.close()

    def _linked(self, name: str) -> Iterable[list[DistributionPackage]]:
        for place in self.sources.links:
            if "://" in place:
                answer = self.web.get(place, {"Accept": "text/html"})
                page = self._parsed(answer, name) if answer.found else []
            else:
                page = _folder(Path(place))
            yield [file for file in page if canonicalize_name(file.project or "") == name]

    def _page(self, index: str, name: str) -> list[DistributionPackage]:
        if "://" not in index:
            return _simple_folder(Path(index) / name, name)
        base = index.rstrip("/") + "/"
        answer = self.web.get(f"{base}{name}/", {"Accept": ACCEPT_ANY})
        if not answer.found:
            return []
        files = self._parsed(answer, name)
        if files and all(file.upload_time is None for file in files):
            self._date(files, urljoin(base, f"../pypi/{name}/json"))
        return files

    def _parsed(self, answer: HttpResponse, name: str) -> list[DistributionPackage]:
        kind = Message()
        kind["Content-Type"] = answer.headers.get("Content-Type") or "text/html"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # a newer index, markup that is odd: read all the same
                if kind.get_content_type() == _JSON:
                    page = ProjectPage.from_json_data(json.loads(answer.body), answer.url)
                    return _remote(page.packages)
                if kind.get_content_type().endswith("html"):
                    charset = kind.get_content_charset()
                    page = ProjectPage.from_html(name, answer.body, answer.url, charset)
                    return _remote(page.packages)
        except (ValueError, UnsupportedRepoVersionError) as error:
            _LOG.info("%s: %s", host(answer.url), error)
        raise InfrastructureError(
            f"{host(answer.url)} does not answer for {name} as a package index does",
            "Check the index settings of pip and uv",
        )

    def _date(self, files: list[DistributionPackage], url: str) -> None:
        """Times and sizes from the project's own JSON, for indexes whose pages have none."""
        try:
            answer = self.web.get(url, {"Accept": "application/json"})
            data = json.loads(answer.body) if answer.found else {}
        except (LibdriftError, ValueError) as error:
            _LOG.info("no dates: %s", error)
            return
        known = {item["filename"]: item for item in _json_files(data)}
        for file in files:
            item = known.get(file.filename, {})
            file.upload_time = _time(item.get("upload_time_iso_8601") or item.get("upload_time"))
            size = item.get("size")
            file.size = size if isinstance(size, int) and file.size is None else file.size


def _project(name: str, files: Iterable[DistributionPackage]) -> Project:
    grouped: dict[Version, list[IndexFile]] = {}
    skipped = []
    for file in files:
        try:
            version = Version(file.version or "")
        except InvalidVersion:
            skipped.append(file.filename)
            continue
        group = grouped.setdefault(version, [])
        if file.package_type in {"wheel", "sdist"}:
            group.append(_file(file))
    listings = [_listing(name, version, grouped[version]) for version in sorted(grouped)]
    return Project(name, tuple(listings), tuple(skipped))


def _listing(name: str, version: Version, files: Sequence[IndexFile]) -> Listing:
    times = [file.uploaded for file in files if file.uploaded]
    return Listing(
        Release("pypi", name, str(version), min(times).date() if times else None),
        tuple(files),
        yanked=bool(files) and all(file.yanked for file in files),
        prerelease=version.is_prerelease,
    )


def _file(file: DistributionPackage) -> IndexFile:
    digest = next((f"{kind}:{file.digests[kind]}" for kind in _DIGESTS if kind in file.digests), "")
    parts = urlsplit(file.url)
    return IndexFile(
        name=file.filename,
        location=unquote(parts.path) if parts.scheme == "file" else file.url,
        wheel=file.package_type == "wheel",
        digest=digest.lower(),
        size=file.size,
        uploaded=file.upload_time,
        yanked=file.is_yanked,
    )


def _remote(files: Iterable[DistributionPackage]) -> list[DistributionPackage]:
    """Without links to this machine's own files: a server has no say over those."""
    return [file for file in files if urlsplit(file.url).scheme in {"http", "https"}]


def _simple_folder(folder: Path, name: str) -> list[DistributionPackage]:
    """A package's folder in a local copy of an index: with its page, or the files alone."""
    page = folder / "index.html"
    if page.is_file():
        text = page.read_bytes()
        return ProjectPage.from_html(name, text, f"{folder.absolute().as_uri()}/").packages
    return [replace(file, project=name) for file in _folder(folder, name)]


def _folder(folder: Path, hint: str | None = None) -> list[DistributionPackage]:
    if not folder.is_dir():
        _LOG.info("%s is not a folder", folder)
        return []
    found = []
    for path in sorted(folder.iterdir()):
        try:
            project, version, kind = parse_filename(path.name, hint)
        except UnparsableFilenameError:
            continue
        if path.is_file():
            found.append(
                DistributionPackage(
                    filename=path.name,
                    url=path.absolute().as_uri(),
                    project=project,
                    version=version,
                    package_type=kind,
                    digests={},
                    requires_python=None,
                    has_sig=None,
                    size=path.stat().st_size,
                )
            )
    return found


def _json_files(data: Any) -> Iterable[dict[str, Any]]:  # noqa: ANN401  (whatever a server says)
    releases = data.get("releases") if isinstance(data, dict) else None
    for items in releases.values() if isinstance(releases, dict) else ():
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("filename"), str):
                yield item


def _time(text: Any) -> datetime | None:  # noqa: ANN401
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _shown(place: str) -> str:
    return host(place) if "://" in place else place
