"""Crates' surfaces: rustdoc's JSON of each version.

A crate's build script and its procedural macros run while it is compiled. So that happens in the
sandbox, without a network, with sources that were fetched beforehand and that it can only read.

rustdoc writes JSON only where unstable options are allowed. A stable toolchain's rustdoc is told so
by a variable, which nothing else sees: many build scripts look out for a nightly compiler, and then
turn on code that no nightly of today compiles. Without a stable toolchain, a nightly does it all.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from libdrift import temporary
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, LibdriftError
from libdrift.languages.rust import crates, releases, rustdoc, toolchains
from libdrift.languages.rust.crates import Crate, CrateSources
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.reading import read_small_file, toml_of
from libdrift.records import Origin, Release, Surface
from libdrift.sandbox import Backend, Limits
from libdrift.sandbox.commands import Command, Ended, run
from libdrift.sandbox.limits import MIB

PREFIX = "crate:"
# Compilers need more of everything than the programs that they make.
_LIMITS = Limits(
    wall_seconds=1260,  # long: a busy machine must not look like a slow crate
    cpu_seconds=840,
    memory_bytes=6144 * MIB,
    processes=512,
    file_bytes=1024 * MIB,
    disk_bytes=2048 * MIB,
    open_files=4096,
)
# Features for std's own build, for a nightly of long ago, or that build a library of C.
_INNER = re.compile(
    r"rustc-.*|compiler_builtins|core|alloc|nightly.*|.*unstable.*|bench.*|_.*|vendored.*|bundled.*"
    r"|bindgen.*|.*openssl-src"
)
_TRIES = 16  # choices of features for one version
_LIBRARY = re.compile(r"system library `([^`]+)`|Could not find directory of (\w+)")
_ERROR = re.compile(r"^error(?:\[\w+\])?: (?P<text>.+)$", re.MULTILINE)
_BROKEN = re.compile(r"could not (?:compile|document) `(?P<name>[^`]+)`")


@dataclass(frozen=True, slots=True)
class _Written:
    """What rustdoc wrote for a crate with some of its features."""

    features: tuple[str, ...]
    json: bytes


class _Stopped(Exception):  # noqa: N818  (nothing is wrong: it is how a search ends)
    """No further choice of features is worth a try."""


def surfaces(
    name: str, versions: Collection[str], settings: Settings, backend: Backend
) -> Iterator[tuple[Release, Surface | str]]:
    """Each version asked for (all that are not yanked, if none): its surface, or why not."""
    known = crates.versions(name)
    if versions:
        asked = {crates.pick(known, version) for version in versions}
    else:
        asked = {crate for crate in known if not crate.yanked}
    yield from read([crate for crate in known if crate in asked], settings, backend)


def read(
    asked: Sequence[Crate], settings: Settings, backend: Backend
) -> Iterator[tuple[Release, Surface | str]]:
    """Versions of one crate: what their dependencies' compilation gives is theirs together."""
    toolchain = _toolchain()
    home = settings.cache / "rust"
    home.mkdir(parents=True, exist_ok=True)
    with temporary.folder(within=home, shared=True) as folder:
        room = _Room(toolchain, folder, settings, backend)
        for crate in asked:
            try:
                yield _release(crate), room.surface(crate)
            except LibdriftError as error:
                yield _release(crate), str(error)


def _toolchain() -> Toolchain:
    for toolchain in toolchains.discover():
        if toolchain.cargo and toolchain.rustc and toolchain.rustdoc:
            return toolchain
    raise InfrastructureError(
        "reading a crate's API needs rustdoc, and there is no Rust toolchain", toolchains.GET_STABLE
    )


def _release(crate: Crate) -> Release:
    return Release("crates", f"{PREFIX}{crate.name}", crate.version, crate.date)


class _Room:
    """Where versions of one crate are compiled, one after the other."""

    def __init__(
        self, toolchain: Toolchain, folder: Path, settings: Settings, backend: Backend
    ) -> None:
        self.toolchain, self.settings, self.backend = toolchain, settings, backend
        self.links, self.build, self.tools = (
            folder / name for name in ("vendor", "build", "tools")
        )
        self.build.mkdir()
        self.tools.mkdir()
        self.rustdoc = self.tools / "rustdoc"
        quoted = shlex.quote(str(toolchain.rustdoc))
        self.rustdoc.write_text(f'#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec {quoted} "$@"\n', "utf-8")
        self.rustdoc.chmod(0o755)
        self.bad: set[str] = set()  # features that failed in a version before

    def surface(self, crate: Crate) -> Surface | str:
        wide = tuple(item for item in crate.features if not _INNER.fullmatch(item))
        found = crates.sources(crate, wide, self.settings)
        manifest = _manifest(found.folder)
        library = _library(crate, manifest, found.folder)
        if not library:
            return f"{crate.name} {crate.version} is a program: it has no library"
        self._link(found)
        search = _Search(self, found, library)
        try:
            best = search.widest(tuple(item for item in wide if item not in self.bad))
        except _Stopped:
            best = search.best
        self.bad |= search.bad
        if best is None:
            return search.reason
        return self._read(found, best, [item for item in wide if item not in best.features], search)

    def _read(
        self, found: CrateSources, written: _Written, off: Sequence[str], search: _Search
    ) -> Surface | str:
        """``off`` are features that are not on, so that what needs them is not seen."""
        crate = found.crate
        try:
            surface = rustdoc.read(written.json, _release(crate))
        except rustdoc.UnknownLayoutError as error:
            return f"{error}. {toolchains.GET_STABLE}"
        chosen = f"all features but {', '.join(off)}" if off else "all features"
        gaps: tuple[str, ...] = ()
        if off and not written.features:
            chosen = "default features"
            # Unlike a few that exclude each other, all of them may well be what is missing.
            modules = (scope for scope in surface.scopes if ":" not in scope)
            gaps = tuple(f"{module}: its features are off: {search.reason}" for module in modules)
        origin = Origin(
            artifact=f"{crate.name}-{crate.version}.crate ({chosen})"
            + (", yanked" if crate.yanked else ""),
            digest=crate.checksum,
            files=_files(found.folder),
            gaps=(*surface.origin.gaps, *gaps),
        )
        return releases.attach(replace(surface, origin=origin), releases.find(found.folder))

    def _link(self, found: CrateSources) -> None:
        shutil.rmtree(self.links, ignore_errors=True)
        self.links.mkdir()
        for name, place in found.places.items():
            (self.links / name).symlink_to(place)

    def compile(self, found: CrateSources, features: Sequence[str], library: str) -> Ended:
        crate, tools = found.crate, self.toolchain
        arguments = ("rustdoc", "--offline", "--quiet", "--lib", "--package", crate.name)
        command = Command(
            argv=(str(tools.cargo), *arguments, "--", *_JSON),
            environ={
                "RUSTC": str(tools.rustc),
                "RUSTDOC": str(self.rustdoc),
                "CARGO_HOME": str(self.build / "home"),
                "CARGO_TERM_COLOR": "never",
                "CARGO_INCREMENTAL": "0",
                "CARGO_BUILD_BUILD_DIR": str(self.build / "target"),
            },
            read=(tools.sysroot, crates.store(self.settings), self.links, self.tools),
            write=(self.build,),
            files={
                "Cargo.toml": crates.manifest(crates.requirement(crate, features)),
                "Cargo.lock": found.lock,
                "src/lib.rs": "",
                ".cargo/config.toml": _config(self.links),
            },
            keep=(f"target/doc/{library}.json",),
        )
        return run(command, self.backend, _LIMITS)


class _Search:
    """The most features that compile together: some exclude each other, some are of long ago."""

    def __init__(self, room: _Room, found: CrateSources, library: str) -> None:
        self.room, self.found, self.library = room, found, library
        self.bad: set[str] = set()
        self.best: _Written | None = None
        self.reason = ""  # of the first failure
        self._tries = 0

    def widest(self, wanted: tuple[str, ...]) -> _Written | None:
        """All of them, or as many as can be found in a few tries."""
        if self._compiles(wanted) or not wanted:
            return self.best
        if not self._compiles(()):
            raise _Stopped  # not even without any
        plain, families = _families(wanted)
        self._add(plain)
        for family in families:
            if not self._compiles((*self._known, *family)) and not self._compiles(
                (*self._known, family[0])
            ):
                self.bad |= {family[0]}
            self.bad |= {*family} - {*self._known}
        return self.best

    @property
    def _known(self) -> tuple[str, ...]:
        return self.best.features if self.best else ()

    def _add(self, wanted: tuple[str, ...]) -> None:
        if not wanted or self._compiles((*self._known, *wanted)):
            return
        if len(wanted) == 1:
            self.bad |= {*wanted}
            return
        half = len(wanted) // 2
        self._add(wanted[:half])
        self._add(wanted[half:])

    def _compiles(self, features: tuple[str, ...]) -> bool:
        self._tries += 1
        if self._tries > _TRIES:
            raise _Stopped
        ended = self.room.compile(self.found, features, self.library)
        written = ended.kept.get(f"target/doc/{self.library}.json")
        if written is not None and ended.status == 0:
            self.best = _Written(features, written)
            return True
        self.reason = self.reason or _why(self.found.crate, ended, self.room.toolchain)
        if ended.trouble or ended.stopped_by:
            # A fault of the moment, it may be: less than all is kept only where that is what
            # compiles, not where there was no time for more.
            self.best, self.reason = None, _why(self.found.crate, ended, self.room.toolchain)
            raise _Stopped
        return False


_JSON = ("-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow")


def _config(links: Path) -> str:
    place = str(links).replace("\\", "\\\\").replace('"', '\\"')
    return (
        '[source.crates-io]\nreplace-with = "fetched"\n'
        f'[source.fetched]\ndirectory = "{place}"\n[net]\noffline = true\n'
    )


# --- what a crate says of itself


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        return toml_of(read_small_file(folder / "Cargo.toml").decode())
    except (OSError, ValueError):
        return {}  # cargo will say what is wrong with it


def _library(crate: Crate, manifest: dict[str, Any], folder: Path) -> str:
    told = manifest.get("lib", {})
    if not told and not (folder / "src" / "lib.rs").is_file():
        return ""
    return str(told.get("name") or crate.name).replace("-", "_")


def _families(features: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Features apart from those like ``max_level_off``, of which a program may have one only."""
    groups: dict[str, list[str]] = {}
    for item in features:
        groups.setdefault(re.split(r"[_-]", item[::-1], maxsplit=1)[-1], []).append(item)
    families = [tuple(group) for group in groups.values() if len(group) > 2]  # noqa: PLR2004
    members = {item for family in families for item in family}
    return tuple(item for item in features if item not in members), families


def _files(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*.rs") if path.is_file())


def _why(crate: Crate, ended: Ended, toolchain: Toolchain) -> str:
    """One line of what the compiler said first."""
    what = f"{crate.name} {crate.version}"
    if ended.trouble:
        return f"{what}: {ended.trouble}"
    if ended.stopped_by:
        return f"{what}: the documentation took too much {ended.stopped_by}"
    library = _LIBRARY.search(ended.stderr)
    if library:
        name = next(filter(None, library.groups()))
        return f"{what} needs the system library {name}. Install its development package"
    said = _ERROR.search(ended.stderr)
    broken = _BROKEN.search(ended.stderr)
    other = f" (in {broken['name']})" if broken and broken["name"] != crate.name else ""
    text = said["text"] if said else (ended.stderr.strip().splitlines() or ["no reason given"])[-1]
    return f"{what} does not compile with Rust {toolchain.version}: {text[:300]}{other}"
