"""Which Python interpreters this machine has. Nothing here names a place by hand."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from libdrift.environments import uv
from libdrift.errors import InfrastructureError

_PROBE = (
    "import sys, platform;"
    "print(platform.python_implementation() + ' ' + '.'.join(map(str, sys.version_info[:3])));"
    "print(sys.base_prefix if hasattr(sys, 'base_prefix') else sys.prefix);"
    "print(sys.prefix)"
)
_PROBE_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: Path
    version: str
    prefix: Path

    @property
    def minor(self) -> str:
        return ".".join(self.version.split(".")[:2])

    @property
    def is_old(self) -> bool:
        """Whether it is a Python 2, which uv neither makes environments for nor fetches."""
        return self.version.startswith("2.")


@functools.cache
def discover(*, old: bool = False) -> tuple[Interpreter, ...]:
    """Every CPython found on PATH, under pyenv or kept by uv; newest patch of each first.

    ``old`` ones too, that is Python 2: to be had by name, and never meant by "every Python".
    """
    if not old:
        return tuple(interpreter for interpreter in discover(old=True) if not interpreter.is_old)
    found: dict[Path, Interpreter] = {}
    for path in _candidates():
        interpreter = _probe(path)
        if interpreter is not None:
            found.setdefault(interpreter.prefix, interpreter)
    return tuple(sorted(found.values(), key=lambda i: Version(i.version), reverse=True))


def find(runtime: str) -> Interpreter:
    """The newest interpreter of ``runtime`` ("3.11" or "3.11.7"); fetched by uv if it can be."""
    interpreter = _match(runtime)
    old = runtime.startswith("2.")
    if interpreter is None and not old:
        fetched = uv.run(["python", "install", "--no-bin", runtime])
        discover.cache_clear()
        interpreter = _match(runtime) if fetched.returncode == 0 else None
    if interpreter is None:
        way = f"pyenv install {runtime}"
        raise InfrastructureError(
            f"Python {runtime} is not on this machine and could not be fetched",
            f"Install it with: {way if old else f'uv python install {runtime}   (or: {way})'}",
        )
    return interpreter


def _match(runtime: str) -> Interpreter | None:
    for interpreter in discover(old=True):
        if runtime in (interpreter.version, interpreter.minor):
            return interpreter
    return None


def _candidates() -> Iterator[Path]:
    for root in filter(None, (_pyenv_root(), _uv_root())):
        yield from _below(root, "*/bin/python")
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.path.isdir(folder):  # noqa: PTH112  (PATH entries may be odd strings)
            yield from _below(Path(folder), "python[23]*")
            yield from _below(Path(folder), "python")


def _below(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:  # another user's folder, left in the variables by su or sudo
        return []


def _pyenv_root() -> Path | None:
    root = os.environ.get("PYENV_ROOT")
    if root is None and shutil.which("pyenv"):
        asked = subprocess.run(
            ["pyenv", "root"], capture_output=True, text=True, errors="surrogateescape", check=False
        )
        root = asked.stdout.strip() if asked.returncode == 0 else None
    return Path(root) / "versions" if root else None


def _uv_root() -> Path | None:
    asked = uv.run(["python", "dir"])
    return Path(asked.stdout.strip()) if asked.returncode == 0 else None


def _probe(path: Path) -> Interpreter | None:
    if "config" in path.name or "shims" in path.parts or not os.access(path, os.X_OK):
        return None
    try:
        asked = subprocess.run(
            [str(path), "-E", "-s", "-c", _PROBE],
            capture_output=True,
            text=True,
            errors="surrogateescape",  # it prints where it is
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = asked.stdout.splitlines()
    if asked.returncode != 0 or len(lines) != 3 or not lines[0].startswith("CPython "):  # noqa: PLR2004
        return None
    base, prefix = Path(lines[1]), Path(lines[2])
    if base != prefix:
        return None  # a virtual environment: its base is what builds others
    return Interpreter(path=path.resolve(), version=lines[0].split()[1], prefix=base)
