"""Which Rust toolchains this machine has. Nothing here names a place by hand."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from libdrift.errors import InfrastructureError

_SECONDS = 20
_LISTED = re.compile(r"^(?P<name>\S+)(?: \([^)]*\))?\s+(?P<sysroot>\S.*)$")  # a line of rustup
# To ask is not to install: rustup fetches what it is asked about, unless it is told not to.
_SETTINGS = {"RUSTUP_AUTO_INSTALL": "0"}
GET_STABLE = "Install it with: rustup toolchain install stable"


@dataclass(frozen=True, slots=True)
class Toolchain:
    name: str  # as rustup calls it; the version where there is no rustup
    version: str  # 1.84.0, or 1.97.0-nightly
    nightly: bool
    sysroot: Path

    @property
    def rustc(self) -> Path | None:
        return self._tool("rustc")

    @property
    def cargo(self) -> Path | None:
        return self._tool("cargo")

    @property
    def rustdoc(self) -> Path | None:
        return self._tool("rustdoc")

    @property
    def clippy_driver(self) -> Path | None:
        return self._tool("clippy-driver")

    def _tool(self, name: str) -> Path | None:
        path = self.sysroot / "bin" / name
        return path if os.access(path, os.X_OK) else None


@functools.cache
def discover() -> tuple[Toolchain, ...]:
    """Every toolchain of rustup's, and the one on PATH: stable before nightly, newest first."""
    found: dict[Path, Toolchain] = {}
    for name, sysroot in _candidates():
        toolchain = _probe(name, sysroot)
        if toolchain is not None:
            found.setdefault(toolchain.sysroot, toolchain)
    return tuple(sorted(found.values(), key=_rank))


def find(version: str) -> Toolchain | None:
    """The toolchain of exactly this version."""
    return next((item for item in discover() if item.version == version), None)


def newest() -> Toolchain:
    """The newest stable one."""
    for toolchain in discover():
        if not toolchain.nightly:
            return toolchain
    raise InfrastructureError("no stable Rust toolchain is on this machine", GET_STABLE)


def _rank(toolchain: Toolchain) -> tuple[bool, tuple[int, ...], str]:
    numbers = Version(toolchain.version.partition("-")[0]).release
    return toolchain.nightly, tuple(-number for number in numbers), toolchain.name


def _candidates() -> Iterator[tuple[str, Path]]:
    rustup = _command("rustup")
    for line in _ask([rustup, "toolchain", "list", "-v"]) if rustup else ():
        match = _LISTED.match(line)
        if match:
            yield match["name"], Path(match["sysroot"])
    home = os.environ.get("RUSTUP_HOME")
    if home and not rustup:
        for sysroot in sorted(Path(home, "toolchains").glob("*")):
            yield sysroot.name, sysroot
    rustc = _command("rustc")
    for line in _ask([rustc, "--print", "sysroot"]) if rustc else ():
        yield "", Path(line)


def _command(name: str) -> str | None:
    """On PATH, or where cargo's home is said to be."""
    home = os.environ.get("CARGO_HOME")
    return shutil.which(name) or (shutil.which(name, path=f"{home}/bin") if home else None)


def _probe(name: str, sysroot: Path) -> Toolchain | None:
    rustc = sysroot / "bin" / "rustc"
    told = dict(line.split(": ", 1) for line in _ask([str(rustc), "-vV"]) if ": " in line)
    release = told.get("release", "")
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", release):
        return None
    if "-beta" in release:
        return None  # neither a release nor with unstable features
    return Toolchain(name or release, release, "-" in release, sysroot.resolve())


def _ask(argv: list[str]) -> list[str]:
    """What a tool prints, by lines; nothing where it does not work: then it is not a toolchain."""
    try:
        asked = subprocess.run(
            argv,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
            env={**os.environ, **_SETTINGS},
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return asked.stdout.splitlines() if asked.returncode == 0 else []
