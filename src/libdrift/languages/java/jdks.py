"""The JDKs of this machine, and which of them can compile for a release."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from libdrift.errors import InfrastructureError

_VERSION = re.compile(r'^JAVA_VERSION="?([^"\s]+)"?', re.MULTILINE)
# The oldest that `--release` accepts: a JDK from 12 on knows 7 to itself, one from 20 on 8.
_OLDEST = 8
_RELEASE_OPTION = 9  # the first JDK that has it


@dataclass(frozen=True, slots=True)
class Jdk:
    home: Path
    version: str  # 17.0.15
    feature: int  # 17

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"

    @property
    def javac(self) -> Path:
        return self.home / "bin" / "javac"

    @property
    def jdeprscan(self) -> Path:
        return self.home / "bin" / "jdeprscan"

    @property
    def folders(self) -> tuple[Path, ...]:
        """All that it needs to run: some systems keep its settings elsewhere, and link to them."""
        found = {self.home}
        for folder in (self.home, self.home / "lib", self.home / "conf"):
            for entry in folder.iterdir() if folder.is_dir() else ():
                target = entry.resolve()
                if entry.is_symlink() and target.exists() and self.home not in target.parents:
                    found.add(target if target.is_dir() else target.parent)
        return tuple(sorted(found))

    @property
    def releases(self) -> range:
        """What ``--release`` knows."""
        return range(_OLDEST, self.feature + 1)


@functools.cache
def discover() -> tuple[Jdk, ...]:
    """Every JDK of version 9 or newer, the newest first."""
    return find(os.environ)


def find(environ: Mapping[str, str]) -> tuple[Jdk, ...]:
    """As ``discover``: in JAVA_HOME, on PATH, and beside those, where systems put them all."""
    named = [home for home in _named(environ) if _jdk(home)]
    beside = [
        home for parent in dict.fromkeys(home.parent for home in named) for home in _in(parent)
    ]
    found = {home: _jdk(home) for home in (*named, *beside)}
    jdks = [jdk for jdk in found.values() if jdk]
    return tuple(sorted(jdks, key=_newness, reverse=True))


def newest() -> Jdk:
    found = discover()
    if not found:
        raise InfrastructureError("no JDK is found", _advice(21))
    return found[0]


def for_release(number: int) -> Jdk:
    """The newest JDK whose ``--release`` knows that number."""
    for jdk in discover():
        if number in jdk.releases:
            return jdk
    have = ", ".join(str(jdk.feature) for jdk in discover()) or "none"
    raise InfrastructureError(
        f"no JDK for Java {number} is found (here: {have})", _advice(max(number, 21))
    )


def feature(text: str) -> int | None:
    """A release as people write it: 8, 1.8, 17, 17.0.2."""
    parts = text.strip().split(".")
    number = parts[1] if parts[0] == "1" and len(parts) > 1 else parts[0]
    return int(number) if number.isdecimal() else None


def _advice(number: int) -> str:
    return (
        f"Install a JDK {number} or newer, such as the package openjdk-{number}-jdk, "
        "and set JAVA_HOME to its folder or put its javac on PATH"
    )


def _named(environ: Mapping[str, str]) -> Iterator[Path]:
    home = environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "javac").exists():
        yield (Path(home) / "bin" / "javac").resolve().parent.parent
    javac = shutil.which("javac", path=environ.get("PATH", ""))
    if javac:
        yield Path(javac).resolve().parent.parent


def _in(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return  # not ours to look into
    for entry in entries:
        if (entry / "bin" / "javac").exists():
            yield entry.resolve()


def _jdk(home: Path) -> Jdk | None:
    """The JDK in a folder, by what its ``release`` file says."""
    try:
        told = _VERSION.search((home / "release").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    if told is None or not (home / "lib" / "ct.sym").is_file():
        return None
    feature = told[1].split(".")[0]
    if not feature.isdecimal() or int(feature) < _RELEASE_OPTION:
        return None
    return Jdk(home, told[1], int(feature))


def _newness(jdk: Jdk) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", jdk.version))
