"""Crates: which versions there are, and their sources, both through cargo alone.

cargo knows the registry, its mirrors and its proxies; libdrift reads what cargo keeps of the index,
so what was asked for once is known without a network too. Nothing of a crate is run here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from libdrift import temporary
from libdrift.children import ending_with_us
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.languages.rust import toolchains

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_NONE = "=999999.0.0"  # cargo has to ask the index, and then has nothing to fetch
_SECONDS = 600
_OFFLINE = ("network error", "failed to download", "Could not resolve", "Couldn't resolve")


@dataclass(frozen=True, slots=True)
class Crate:
    """One version of a crate, as the index tells."""

    name: str
    version: str
    yanked: bool = False
    date: date | None = None
    checksum: str = ""
    rust_version: str = ""
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrateSources:
    """A crate and all that it needs, unpacked."""

    crate: Crate
    lock: str  # Cargo.lock of a project that has the crate as its only dependency
    places: Mapping[str, Path]  # name-version: where it is unpacked

    @property
    def folder(self) -> Path:
        return self.places[f"{self.crate.name}-{self.crate.version}"]


def versions(name: str) -> tuple[Crate, ...]:
    """All versions of a crate, oldest first; those of the last asking where there is no network."""
    if not _NAME.fullmatch(name):
        raise UserError(f"{name!r} is not a crate's name", "Write it as on the registry: bitflags")
    with temporary.folder() as project:
        write_project(project, f'{name} = "{_NONE}"')
        asked = cargo(["generate-lockfile"], project)
    found = _cached(name)
    if "no matching package" in asked.stderr:
        raise UserError(f"there is no crate {name}", _meant(asked.stderr))
    if not found:
        raise _trouble(asked.stderr, f"the versions of {name} could not be had")
    return found


def find(name: str, version: str) -> Crate:
    """Exactly this version, yanked or not."""
    return pick(versions(name), version)


def pick(known: Sequence[Crate], version: str) -> Crate:
    """One of a crate's versions; a refusal names its neighbours."""
    for crate in known:
        if version in {crate.version, crate.version.partition("+")[0]}:
            return crate
    key = order(version)
    below = [crate.version for crate in known if order(crate.version) < key][-1:]
    above = [crate.version for crate in known if order(crate.version) > key][:1]
    near = " and ".join([*below, *above])
    raise UserError(f"{known[0].name} has no version {version}", f"The nearest there are: {near}")


def order(version: str) -> tuple[Any, ...]:
    """A key to sort by, as semantic versioning has it; what is no version comes first."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return (-1, version)
    numbers = tuple(int(match[at]) for at in (1, 2, 3))
    if not match[4]:
        return (*numbers, 1)
    parts = [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in match[4].split(".")]
    return (*numbers, 0, parts)


def sources(crate: Crate, features: Sequence[str], settings: Settings) -> CrateSources:
    """Fetch and unpack a crate with all that it needs; what already exists is not unpacked again.

    ``features`` decide which optional dependencies come along.
    """
    home = store(settings)
    home.mkdir(parents=True, exist_ok=True)
    with temporary.folder(within=home) as project:
        _lock(crate, features, project)
        done = _fetch(["vendor", "--quiet", "--versioned-dirs", "vendored"], project)
        if done.returncode != 0:
            raise _trouble(done.stderr, f"the sources of {crate.name} {crate.version}")
        places = {}
        for path in sorted((project / "vendored").iterdir()):
            places[path.name] = _keep(path, home)
        lock = (project / "Cargo.lock").read_text("utf-8")
    return CrateSources(crate, lock, places)


def store(settings: Settings) -> Path:
    """Where unpacked crates are, each by its name, version and checksum."""
    return settings.cache / "rust" / "sources"


def requirement(crate: Crate, features: Sequence[str], *, defaults: bool = True) -> str:
    """The line of a manifest that asks for exactly this version."""
    listed = ", ".join(json.dumps(item) for item in features)
    plain = crate.version.partition("+")[0]
    more = "" if defaults else ", default-features = false"
    return f'{crate.name} = {{ version = "={plain}", features = [{listed}]{more} }}'


def manifest(*requirements: str) -> str:
    lines = ("[package]", 'name = "libdrift-probe"', 'version = "0.0.0"', 'edition = "2021"')
    return "\n".join((*lines, "[workspace]", "[dependencies]", *requirements, ""))


def write_project(folder: Path, *requirements: str) -> None:
    """A project that only depends: cargo asks for some target of its own."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "lib.rs").write_text("", "utf-8")
    (folder / "Cargo.toml").write_text(manifest(*requirements), "utf-8")


def cargo(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """cargo on the host: for what reads and fetches only, never for what builds."""
    toolchain = next(iter(toolchains.discover()), None) or toolchains.newest()
    if toolchain.cargo is None:
        raise InfrastructureError(f"{toolchain.name} has no cargo", toolchains.GET_STABLE)
    environ = {**os.environ, "CARGO_TERM_COLOR": "never", "CARGO_NET_RETRY": "1"}
    try:
        return subprocess.run(
            ending_with_us([str(toolchain.cargo), *arguments]),
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=_SECONDS,
            env=environ,
        )
    except subprocess.TimeoutExpired as error:
        raise InfrastructureError(
            f"cargo {arguments[0]} took more than {_SECONDS} s", "Check the network and try again"
        ) from error


# --- the index


def _cached(name: str) -> tuple[Crate, ...]:
    """The newest of what cargo keeps of the index for this crate."""
    folders = (_home() / "registry" / "index").glob("*/.cache")
    files = [path for folder in folders if (path := folder / _place(name)).is_file()]
    if not files:
        return ()
    newest = max(files, key=lambda path: path.stat().st_mtime)
    found = (_crate(line) for line in newest.read_bytes().split(b"\0") if line.startswith(b"{"))
    return tuple(sorted(filter(None, found), key=lambda crate: order(crate.version)))


def _home() -> Path:
    given = os.environ.get("CARGO_HOME")
    return Path(given) if given else Path.home() / ".cargo"  # cargo's own default


def _place(name: str) -> str:
    """Where an index has a crate: ``1/a``, ``2/ab``, ``3/a/abc``, ``ab/cd/abcd…``."""
    low = name.lower()
    if len(low) <= 2:  # noqa: PLR2004
        return f"{len(low)}/{low}"
    return f"3/{low[0]}/{low}" if len(low) == 3 else f"{low[:2]}/{low[2:4]}/{low}"  # noqa: PLR2004


def _crate(line: bytes) -> Crate | None:
    try:
        told = json.loads(line)
        offered = {**told.get("features", {}), **(told.get("features2") or {})}
        named = {item for items in offered.values() for item in items}
        # An optional dependency is a feature of its name, unless one says `dep:` of it.
        implied = {
            dep["name"]
            for dep in told["deps"]
            if dep.get("optional") and f"dep:{dep['name']}" not in named
        }
        published = str(told.get("pubtime") or "")[:10]
        return Crate(
            told["name"],
            told["vers"],
            bool(told["yanked"]),
            date.fromisoformat(published) if published else None,
            told["cksum"],
            told.get("rust_version") or "",
            tuple(sorted({*offered, *implied} - {"default"})),
        )
    except (ValueError, KeyError, TypeError):
        return None  # of an index newer than this reader: the other versions are still good


def _meant(told: str) -> str:
    match = re.search(r"perhaps you meant:\s+(\S+)", told)
    return f"Perhaps you meant: {match[1]}" if match else "Check its name on the registry"


# --- sources


def _lock(crate: Crate, features: Sequence[str], project: Path) -> None:
    if crate.yanked:
        # A fresh choice never takes a yanked version; an explicit one may.
        write_project(project, f'{crate.name} = ">=0.0.0-0"')
        done = _fetch(["update", crate.name, "--precise", crate.version], project)
        if done.returncode != 0:
            raise _trouble(done.stderr, f"{crate.name} {crate.version} was yanked and")
    write_project(project, requirement(crate, features))
    done = _fetch(["update", "--workspace"] if crate.yanked else ["generate-lockfile"], project)
    if done.returncode != 0:
        raise _trouble(done.stderr, f"the dependencies of {crate.name} {crate.version}")


def _fetch(arguments: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    """cargo with the network; without one, with what it has kept."""
    done = cargo(arguments, project)
    if done.returncode != 0 and any(word in done.stderr for word in _OFFLINE):
        again = cargo([*arguments, "--offline"], project)
        return again if again.returncode == 0 else done
    return done


def _keep(path: Path, home: Path) -> Path:
    """An unpacked crate at its place, by its checksum; put there by one rename."""
    told = json.loads((path / ".cargo-checksum.json").read_text("utf-8"))
    place = home / f"{path.name}-{told['package'][:16]}"
    if not place.is_dir():
        # Archives have modes of their own, and who reads them in the sandbox is nobody.
        for parent, folders, files in os.walk(path):
            for name in (*folders, *files):
                inner = Path(parent, name)
                if not inner.is_symlink():
                    inner.chmod(inner.stat().st_mode | (0o755 if inner.is_dir() else 0o444))
        try:
            path.rename(place)
        except OSError:
            if not place.is_dir():  # else another process was first
                raise
    return place


def _trouble(told: str, what: str) -> LibdriftError:
    """One line of cargo's many."""
    if any(word in told for word in _OFFLINE):
        fix = "Check the network (cargo's own settings for proxies and mirrors count), try again"
        return InfrastructureError(f"{what}: no network, and cargo has no copy of it", fix)
    lines = [line.removeprefix("error: ").strip() for line in told.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Updating", "warning", "|"))]
    causes = [line for line in said if not line.endswith(":")][:3]
    return InfrastructureError(f"{what}: {'; '.join(causes) or 'cargo gave no reason'}", "")
