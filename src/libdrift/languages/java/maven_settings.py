"""Which repositories Maven uses on this machine: its settings files, read as it reads them.

Where they name none, it is the one that Maven itself names, in the model that all projects inherit.
"""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.python.index_config import Credential, IndexSources

_MODEL = "org/apache/maven/model/pom-4.0.0.xml"
_VARIABLE = re.compile(r"\$\{env\.(\w+)\}")
_LOCAL = ("localhost", "127.0.0.1")


@dataclass(frozen=True, slots=True)
class Repositories:
    addresses: tuple[str, ...]  # the first is asked first
    credentials: tuple[Credential, ...] = field(default=(), repr=False)
    proxies: Mapping[str, str] = field(default_factory=dict, repr=False)  # by the address's scheme

    @property
    def sources(self) -> IndexSources:
        return IndexSources((), credentials=self.credentials)


@dataclass(frozen=True, slots=True)
class _Mirror:
    id: str
    url: str
    of: tuple[str, ...]
    blocked: bool

    def stands_for(self, repository: str, url: str) -> bool:
        if f"!{repository}" in self.of:
            return False
        host, scheme = urlsplit(url).hostname or "", urlsplit(url).scheme
        outside = scheme != "file" and host not in _LOCAL
        return (
            bool({"*", repository} & set(self.of))
            or ("external:*" in self.of and outside)
            or ("external:http:*" in self.of and outside and scheme == "http")
        )


def read(environ: Mapping[str, str]) -> Repositories:
    """The user's settings before those of the installation."""
    home = _maven_home(environ)
    files = [Path(environ.get("HOME", "~")).expanduser() / ".m2" / "settings.xml"]
    files += [home / "conf" / "settings.xml"] if home else []
    trees = [_tree(path, environ) for path in files if path.is_file()]
    repositories = dict(pair for tree in reversed(trees) for pair in _repositories(tree))
    if "central" not in repositories:
        repositories |= _built_in(home) if home else {}
    mirrors = [mirror for tree in trees for mirror in _mirrors(tree)]
    if not repositories and mirrors:
        repositories = {"central": ""}  # whatever that is, the mirror stands for it
    used = dict(_mirrored(repositories, mirrors))
    if not used:
        raise InfrastructureError(
            "no Maven repository is known: neither Maven nor its settings are found",
            "Install Maven, such as the package maven, or name a mirror in ~/.m2/settings.xml",
        )
    logins = {user.id: user for tree in reversed(trees) for user in _servers(tree)}
    credentials = [
        Credential(url, logins[name].user, logins[name].password)
        for name, url in used.items()
        if name in logins
    ]
    proxies = {k: v for tree in reversed(trees) for k, v in _proxies(tree).items()}
    return Repositories(tuple(used.values()), tuple(credentials), proxies)


def _maven_home(environ: Mapping[str, str]) -> Path | None:
    for name in ("MAVEN_HOME", "M2_HOME"):
        if environ.get(name) and (Path(environ[name]) / "lib").is_dir():
            return Path(environ[name])
    program = shutil.which("mvn", path=environ.get("PATH", ""))
    return Path(program).resolve().parent.parent if program else None


def _tree(path: Path, environ: Mapping[str, str]) -> ET.Element:
    text = path.read_text(encoding="utf-8", errors="replace")
    # Namespaces say nothing here, and are left out by many.
    text = re.sub(r"\sxmlns(?::\w+)?=\"[^\"]*\"|\sxsi:\w+=\"[^\"]*\"", "", text)
    text = _VARIABLE.sub(lambda found: environ.get(found[1], ""), text)
    try:
        return ET.fromstring(text)  # noqa: S314  (the user's own file)
    except ET.ParseError as error:
        raise UserError(f"{path} is not XML: {error}", "Fix it: Maven cannot read it either") from (
            error
        )


def _repositories(tree: ET.Element) -> Iterator[tuple[str, str]]:
    """Of the profiles that are active for every project."""
    active = {item.text for item in tree.findall("activeProfiles/activeProfile")}
    for profile in tree.findall("profiles/profile"):
        always = profile.findtext("activation/activeByDefault", "").strip() == "true"
        if always or profile.findtext("id") in active:
            for item in profile.findall("repositories/repository"):
                yield _text(item, "id"), _text(item, "url").rstrip("/")


def _built_in(home: Path) -> dict[str, str]:
    for path in sorted((home / "lib").glob("maven-model-builder*.jar")):
        try:
            with zipfile.ZipFile(path) as archive:
                text = archive.read(_MODEL).decode("utf-8", "replace")
        except (OSError, KeyError, zipfile.BadZipFile):
            continue  # no model in it: there may be another, and none at all is said above
        found = re.search(r"<repositories>.*?<url>\s*([^<\s]+)\s*</url>", text, re.DOTALL)
        if found:
            return {"central": found[1].rstrip("/")}
    return {}


def _mirrors(tree: ET.Element) -> Iterator[_Mirror]:
    for item in tree.findall("mirrors/mirror"):
        of = tuple(part.strip() for part in _text(item, "mirrorOf").split(","))
        blocked = _text(item, "blocked") == "true"
        yield _Mirror(_text(item, "id"), _text(item, "url").rstrip("/"), of, blocked)


def _mirrored(repositories: Mapping[str, str], mirrors: list[_Mirror]) -> Iterator[tuple[str, str]]:
    for name, url in repositories.items():
        mirror = next((item for item in mirrors if item.stands_for(name, url)), None)
        if mirror is None:
            yield name, url
        elif not mirror.blocked:
            yield mirror.id, mirror.url


@dataclass(frozen=True, slots=True)
class _Server:
    id: str
    user: str
    password: str = field(repr=False)


def _servers(tree: ET.Element) -> Iterator[_Server]:
    for item in tree.findall("servers/server"):
        user, password = _text(item, "username"), _text(item, "password")
        # One in braces is encrypted with a key that is Maven's alone.
        if user and password and not (password.startswith("{") and password.endswith("}")):
            yield _Server(_text(item, "id"), user, password)


def _proxies(tree: ET.Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in tree.findall("proxies/proxy"):
        host, port = _text(item, "host"), _text(item, "port") or "8080"
        if _text(item, "active") == "false" or not host:
            continue
        user, password = _text(item, "username"), _text(item, "password")
        login = f"{user}:{password}@" if user else ""
        address = f"http://{login}{host}:{port}"
        # Maven takes a proxy for whatever has none of its own.
        found.setdefault("http", address)
        found.setdefault("https", address)
        found[_text(item, "protocol") or "http"] = address
    return found


def _text(item: ET.Element, name: str) -> str:
    return (item.findtext(name) or "").strip()
