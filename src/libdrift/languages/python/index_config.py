"""Which package indexes this machine uses: the settings of pip and of uv, read as they read them.

Where both say something, uv's word counts. Credentials are taken out of the addresses at once, so
that no address that is kept, logged or shown has them.
"""

from __future__ import annotations

import configparser
import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from pypi_simple import PYPI_SIMPLE_ENDPOINT

from libdrift.errors import UserError

_TRUE = frozenset({"1", "true", "yes", "on", "y", "t"})
_PIP_SECTIONS = ("global", "download", "install")  # the later, the stronger
_SYSTEM = Path("/etc")


@dataclass(frozen=True, slots=True)
class Credential:
    """A name and a password for addresses that begin with ``url``."""

    url: str
    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IndexSources:
    """Where releases are looked for. Indexes are addresses or folders of the simple layout."""

    indexes: tuple[str, ...]
    links: tuple[str, ...] = ()  # folders of archives, or pages that link to archives
    credentials: tuple[Credential, ...] = field(default=(), repr=False)
    certificates: str = ""  # a file or folder of authorities; empty: those of requests


@dataclass(slots=True)
class _Said:
    """What one tool says; None where it says nothing."""

    index: str | None = None
    extra: list[str] | None = None
    links: list[str] | None = None
    no_index: bool | None = None


def read(
    environ: Mapping[str, str], *, system: Path = _SYSTEM, prefix: Path | None = None
) -> IndexSources:
    """The sources that pip and uv would use in this environment.

    ``system`` is the folder of the machine's settings, ``prefix`` that of the Python environment.
    """
    pip = _pip_values(environ, system, prefix or Path(environ.get("VIRTUAL_ENV") or sys.prefix))
    uv = _uv_said(environ, system)
    pips = _Said(
        index=pip.get("index-url"),
        extra=_words(pip.get("extra-index-url")),
        links=_words(pip.get("find-links")),
        no_index=_truth(pip.get("no-index")),
    )
    said = _Said(
        index=uv.index or pips.index,
        extra=pips.extra if uv.extra is None else uv.extra,
        links=pips.links if uv.links is None else uv.links,
        no_index=pips.no_index if uv.no_index is None else uv.no_index,
    )
    main = said.index or PYPI_SIMPLE_ENDPOINT
    indexes = [] if said.no_index else [main, *(said.extra or [])]
    home = Path(environ.get("HOME") or Path.home())
    clean: list[Credential] = []
    return IndexSources(
        indexes=tuple(dict.fromkeys(_place(text, home, clean) for text in indexes)),
        links=tuple(dict.fromkeys(_place(text, home, clean) for text in said.links or [])),
        credentials=tuple(clean),
        certificates=_certificates(environ, pip),
    )


def _place(text: str, home: Path, credentials: list[Credential]) -> str:
    """An address without its credentials, or the path of a folder."""
    parts = urlsplit(text)
    if parts.scheme == "file":
        return unquote(parts.path)
    if parts.scheme not in {"http", "https"}:
        return str(home / text[2:]) if text.startswith("~/") else str(Path(text).absolute())
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        credentials.append(Credential(url, user, password))
    return url


def _certificates(environ: Mapping[str, str], pip: Mapping[str, str]) -> str:
    said = [("pip's cert", pip.get("cert"))]
    said += [
        (name, environ.get(name))
        for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
    ]
    for name, value in said:
        if value:
            if not Path(value).exists():
                raise UserError(
                    f"{name} names a file that is not there: {value}", "Correct it or unset it"
                )
            return value
    return ""


# pip


def _pip_values(environ: Mapping[str, str], system: Path, prefix: Path) -> dict[str, str]:
    found: dict[str, dict[str, str]] = {section: {} for section in _PIP_SECTIONS}
    for path in _pip_files(environ, system, prefix):
        for section, values in _pip_file(path).items():
            found[section].update(values)
    merged: dict[str, str] = {}
    for section in _PIP_SECTIONS:
        merged.update(found[section])
    for name, value in environ.items():
        if name.startswith("PIP_") and value:
            merged[name[len("PIP_") :].lower().replace("_", "-")] = value
    return merged


def _pip_files(environ: Mapping[str, str], system: Path, prefix: Path) -> list[Path]:
    own = environ.get("PIP_CONFIG_FILE")
    if own == os.devnull:  # pip's way to say: no files at all
        return []
    home = Path(environ.get("HOME") or Path.home())
    user = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    folders = environ.get("XDG_CONFIG_DIRS") or str(system / "xdg")
    files = [Path(folder) / "pip" / "pip.conf" for folder in folders.split(os.pathsep)]
    files.append(system / "pip.conf")
    if not (own and Path(own).exists()):
        files += [home / ".pip" / "pip.conf", user / "pip" / "pip.conf"]
    files.append(prefix / "pip.conf")
    return [*files, Path(own)] if own else files


def _pip_file(path: Path) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser()
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(
            f"{path} cannot be read: {reason}", "Correct it; see pip's documentation"
        ) from error
    return {
        section: {
            key.removeprefix("--").replace("_", "-"): value
            for key, value in parser[section].items()
        }
        for section in _PIP_SECTIONS
        if parser.has_section(section)
    }


# uv


def _uv_said(environ: Mapping[str, str], system: Path) -> _Said:
    said = _Said()
    for path in _uv_files(environ, system):
        _uv_file(path, environ, said)
    named = [_named(text, environ) for text in _words(environ.get("UV_INDEX")) or []]
    extra = _words(environ.get("UV_EXTRA_INDEX_URL")) or []
    if named or extra:
        said.extra = [*named, *extra, *(said.extra or [])]
    main = environ.get("UV_DEFAULT_INDEX") or environ.get("UV_INDEX_URL")
    if main:
        said.index = _named(main, environ)
    if environ.get("UV_FIND_LINKS"):
        links = environ["UV_FIND_LINKS"].split(",")
        said.links = [text.strip() for text in links if text.strip()]
    truth = _truth(environ.get("UV_NO_INDEX"))
    if truth is not None:
        said.no_index = truth
    return said


def _uv_files(environ: Mapping[str, str], system: Path) -> list[Path]:
    """The weakest first."""
    if _truth(environ.get("UV_NO_CONFIG")):
        return []
    if environ.get("UV_CONFIG_FILE"):
        return [Path(environ["UV_CONFIG_FILE"])]
    home = Path(environ.get("HOME") or Path.home())
    user = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    folders = environ.get("XDG_CONFIG_DIRS") or str(system / "xdg")
    files = [system / "uv" / "uv.toml"]
    files += [Path(folder) / "uv" / "uv.toml" for folder in folders.split(os.pathsep)]
    return [*files, user / "uv" / "uv.toml"]


def _uv_file(path: Path, environ: Mapping[str, str], said: _Said) -> None:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(
            f"{path} cannot be read: {reason}", "Correct it; see uv's documentation"
        ) from error
    pip = data.get("pip")
    values: dict[str, Any] = {**data, **(pip if isinstance(pip, dict) else {})}
    extra, links = [], []
    for item in values.get("index") or []:
        if not isinstance(item, dict) or item.get("explicit") or not item.get("url"):
            continue
        url = _authorised(_beside(str(item["url"]), path), str(item.get("name") or ""), environ)
        if item.get("format") == "flat":
            links.append(url)
        elif item.get("default"):
            said.index = url
        else:
            extra.append(url)
    if values.get("index-url"):
        said.index = _beside(str(values["index-url"]), path)
    extra += [_beside(text, path) for text in _texts(values.get("extra-index-url"))]
    links += [_beside(text, path) for text in _texts(values.get("find-links"))]
    said.extra = extra or said.extra
    said.links = links or said.links
    if isinstance(values.get("no-index"), bool):
        said.no_index = values["no-index"]


def _beside(text: str, path: Path) -> str:
    """A folder that a file names is relative to that file."""
    return text if "://" in text or text.startswith("~") else str(path.parent / text)


def _named(text: str, environ: Mapping[str, str]) -> str:
    """The address in uv's ``name=address``, with the credentials that the name has."""
    match = re.match(r"([\w.-]+)=(.+)", text)
    return _authorised(match[2], match[1], environ) if match else text


def _authorised(url: str, name: str, environ: Mapping[str, str]) -> str:
    label = re.sub(r"[^A-Z0-9]", "_", name.upper())
    user = environ.get(f"UV_INDEX_{label}_USERNAME", "") if name else ""
    password = environ.get(f"UV_INDEX_{label}_PASSWORD", "") if name else ""
    parts = urlsplit(url)
    if not (user or password) or parts.scheme not in {"http", "https"}:
        return url
    login = f"{quote(user, safe='')}:{quote(password, safe='')}"
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))


def _words(value: str | None) -> list[str] | None:
    return value.split() or None if value else None


def _texts(value: Any) -> Sequence[str]:  # noqa: ANN401  (whatever TOML can hold)
    return [str(item) for item in value] if isinstance(value, list) else []


def _truth(value: str | None) -> bool | None:
    return value.strip().lower() in _TRUE if value else None
