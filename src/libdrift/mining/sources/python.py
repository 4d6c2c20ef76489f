"""The standard library as a package: one release for each Python of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.config import Settings
from libdrift.environments import Failed, Interpreter, build, discover
from libdrift.languages.python import merging, runtime, static
from libdrift.languages.python.archives import ArchiveMember
from libdrift.mining.sources.base import Offered, Offers, Pair, Reading, Source, outcomes
from libdrift.records import Environment, Release, Surface
from libdrift.sandbox import Backend, choose
from libdrift.sandbox.probes import ProbeQuestion, probe

_ASK = (
    "import json, sys, sysconfig;"
    "print(json.dumps([sysconfig.get_path('stdlib'), sys.builtin_module_names]))"
)
_SECONDS = 60
# Not offered to programs: tests, an editor, demonstrations, what prints or opens when imported.
_LEFT_OUT = frozenset(
    "site-packages dist-packages __pycache__ test tests idlelib turtledemo _bundled "
    "antigravity.py this.py __phello__ __phello__.py __phello__.foo.py __hello__.py".split()
)
_COMPILED = "lib-dynload"


class PythonSource(Source):
    where = "on this machine"

    def __init__(self, package: str, settings: Settings) -> None:
        super().__init__(package)
        self._settings = settings

    def offers(self, package: str) -> Offers:
        found = newest(discover())
        return Offers(package, tuple(Offered(_release(one), one.minor) for one in found))

    def read(self, wanted: Sequence[Release]) -> Reading:
        backend = choose("bubblewrap", self._settings)
        asked = [one.version for one in wanted]
        return outcomes(standard_library(self._settings, backend, asked), transient=True)


def standard_library(
    settings: Settings, backend: Backend, versions: Collection[str]
) -> Iterator[Pair]:
    """Each Python found of those asked for: its release, and its surface or why not."""
    for interpreter in newest(discover()):
        if interpreter.version in versions:
            release = _release(interpreter)
            yield release, _surface(release, interpreter, settings, backend)


def _release(interpreter: Interpreter) -> Release:
    return Release("python", "python", interpreter.version)


def newest(found: Collection[Interpreter]) -> list[Interpreter]:
    """The newest patch of each minor, oldest first; ``found`` has newer ones first."""
    kept: dict[str, Interpreter] = {}
    for interpreter in found:
        kept.setdefault(interpreter.minor, interpreter)
    return list(reversed(kept.values()))


def _surface(
    release: Release, interpreter: Interpreter, settings: Settings, backend: Backend
) -> Surface | str:
    asked = subprocess.run(
        [str(interpreter.path), "-I", "-S", "-c", _ASK],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=_SECONDS,
    )
    if asked.returncode != 0:
        return f"{interpreter.path} does not tell where its library is"
    folder, builtin = json.loads(asked.stdout)
    library = PythonVersions(Path(folder))
    major, minor = (int(part) for part in interpreter.minor.split("."))
    read = static.extract(release, library.members(), library.read, python=(major, minor))
    built = build(Environment("python", interpreter.version, ()), settings)
    if isinstance(built, Failed):
        return built.reason
    roots = tuple(sorted({*read.roots, *(name for name in builtin if not name.startswith("_"))}))
    owned = {*roots, *builtin, *library.tops()}
    claims = {scope: tuple(names) for scope, names in read.scopes.items()}
    told = probe(ProbeQuestion(roots, tuple(sorted(owned)), claims), built, backend)
    if isinstance(told, str):
        return told
    origin = replace(read.origin, artifact=f"CPython {interpreter.version}")
    return merging.merge(replace(read, roots=roots, origin=origin), runtime.read(release, told))


@dataclass(frozen=True, slots=True)
class PythonVersions:
    """The files of a standard library, as if they were an archive's."""

    folder: Path

    def members(self) -> dict[str, ArchiveMember]:
        found = {}
        for parent, folders, files in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
            for name in sorted(files):
                path = Path(parent, name)
                if name in _LEFT_OUT or path.suffix not in (".py", ".so"):
                    continue
                # Compiled modules have a folder of their own, but no package.
                inner = path.relative_to(self.folder).as_posix().removeprefix(f"{_COMPILED}/")
                content = path.read_bytes() if path.suffix == ".py" else b""
                found[inner] = ArchiveMember(inner, len(content), zlib.crc32(content))
        return found

    def read(self, paths: Collection[str]) -> Mapping[str, bytes]:
        return {path: (self.folder / path).read_bytes() for path in paths}

    def tops(self) -> set[str]:
        return {path.partition("/")[0].partition(".")[0] for path in self.members()}
