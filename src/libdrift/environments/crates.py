"""Exact-version crate sets: fetched by cargo on the host, compiled where nothing can be reached.

A requirement is a crate's name, ``=``, a version, and in brackets the features that are wanted:
``bitflags=2.4.0``, ``tempfile=3``, ``tokio=1.40.0[rt,macros]``. A whole version is exactly that
one; anything else is read as cargo reads it. The crates that are pinned exactly get all their
features, if they compile so: tests use whatever there is.

Build scripts and macros of crates are programs of strangers. So cargo only downloads here; it is
the caller's ``build``, a sandbox without a network, that runs them. What they leave is renamed into
place when it is whole, and never written to again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from libdrift.children import ending_with_us
from libdrift.config import Settings
from libdrift.environments import store
from libdrift.environments.crate_records import FORMAT, RECORD, read_record
from libdrift.environments.crate_troubles import Unavailable, refusal, why, yanked
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.records import Environment

logger = logging.getLogger(__name__)

_FETCH_SECONDS = 600
_REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"  # as lock files name it
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z][\w-]*)\s*=\s*(?P<version>[^\[\]]+?)\s*(?:\[(?P<features>[^\]]*)\])?"
)
_WHOLE = re.compile(r"\d+\.\d+\.\d+(?:[-+][\w.+-]+)?")
# Features that need another compiler, or are for building the standard library itself.
_NOT_FOR_US = re.compile(
    r"nightly|unstable|rustc-dep-of-std|compiler_builtins|docs?rs|^docs?$|bench|^core$|^alloc$|fuzz"
    r"|wasm|js$|^no[-_]|windows|libc_errno|use-explicitly-provided-auxv|linux_latest|fips"
)


@dataclass(frozen=True, slots=True)
class Crates:
    """Compiled crates, and how a compiler is told of them."""

    names: frozenset[str] = frozenset()
    arguments: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended in the caller's sandbox; ``trouble`` is the machine's, not its own."""

    status: int | None
    stdout: str
    stderr: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class CrateBuild:
    """A command for the caller's sandbox: what it reads and what it may write to."""

    argv: tuple[str, ...]
    environ: Mapping[str, str]
    read: tuple[Path, ...]
    write: tuple[Path, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    version: str  # as cargo reads it
    features: tuple[str, ...] | None  # None: as many as there are, of a crate that is pinned

    @property
    def pinned(self) -> bool:
        return self.version.startswith("=")


def parse(text: str) -> Requirement | None:
    """A requirement as it is written; ``None`` for what is none."""
    match = _REQUIREMENT.fullmatch(text.strip())
    if match is None or re.search(r"[\"\\\n]", text):
        return None
    version = match["version"].strip()
    features = match["features"]
    return Requirement(
        match["name"],
        f"={version}" if _WHOLE.fullmatch(version) else version,
        None if features is None else tuple(f.strip() for f in features.split(",") if f.strip()),
    )


@functools.cache
def crate_names(environment: Environment) -> frozenset[str]:
    """The crates of an environment, as a program names them."""
    found = (parse(requirement) for requirement in environment.requirements)
    return frozenset(item.name.replace("-", "_") for item in found if item)


def provide(
    environment: Environment,
    toolchain: Toolchain,
    settings: Settings,
    build: Callable[[CrateBuild], CommandResult],
) -> Crates | Unavailable:
    """The crates of an environment, compiled by a toolchain; built if they are not there yet."""
    wanted = []
    for text in environment.requirements:
        requirement = parse(text)
        if requirement is None:
            return Unavailable(f"not a crate and its version: {text!r}, as in bitflags=2.4.0")
        wanted.append(requirement)
    names = [one.name.replace("_", "-") for one in wanted]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        return Unavailable(f"{twice} is asked for twice: keep one version of it")
    if toolchain.cargo is None:
        return Unavailable(
            f"Rust {toolchain.version} has no cargo here. Install it with: rustup toolchain install"
        )
    root = settings.cache / "crates"
    key = f"{toolchain.version} {sorted(environment.requirements)}"
    key += f" {FORMAT}" if FORMAT > 1 else ""  # what another libdrift made stays where it is
    home = root / hashlib.sha256(key.encode()).hexdigest()[:20]
    try:
        (root / store.LOCKS).mkdir(parents=True, exist_ok=True)
        with FileLock(root / store.LOCKS / f"{home.name}.lock"):
            ready = _existing(home)
            if ready:
                os.utime(home / RECORD)  # the last use, for pruning
                return ready
            staging = root / store.BUILDING / f"{home.name}-{os.getpid()}"
            store.remove(staging)
            try:
                built = _Builder(wanted, toolchain, staging, build).build()
                if isinstance(built, Unavailable):
                    return built
                (staging / RECORD).write_text(json.dumps(built), encoding="utf-8")
                store.remove(home)  # only ever a damaged one: `_existing` refused it
                staging.rename(home)
            finally:
                store.remove(staging)
    except OSError as error:
        return Unavailable(f"cannot keep crates in {root}: {error}")
    return _existing(home) or Unavailable(f"cannot read {home / RECORD}")


def prune(settings: Settings, *, days: float, dry_run: bool = False) -> Iterator[str]:
    """Drop crates that were not used for ``days``, and what killed builds left."""
    root = settings.cache / "crates"
    limit = store.unused_since(days)
    for record in sorted(root.glob(f"*/{RECORD}")):
        home = record.parent
        if record.stat().st_mtime <= limit:
            if not dry_run:
                with FileLock(root / store.LOCKS / f"{home.name}.lock"):
                    # Renamed first: a kill in the middle leaves no crates that look whole.
                    grave = root / store.BUILDING / f"{home.name}-dead"
                    grave.parent.mkdir(exist_ok=True)
                    home.rename(grave)
                    store.remove(grave)
            yield home.name
    if not dry_run:
        store.sweep(root / store.BUILDING)


def _existing(home: Path) -> Crates | None:
    try:
        record = read_record((home / RECORD).read_bytes())
    except (OSError, ValueError):
        return None
    deps = home / "target" / "debug" / "deps"
    arguments = [f"-Ldependency={deps}"]
    arguments += [f"--extern={name}={home / file}" for name, file in record.externs.items()]
    arguments += [f"-L{place.replace(store.BUILDING, str(home))}" for place in record.native]
    return Crates(frozenset(record.externs), tuple(arguments), (home,))


class _Builder:
    """One attempt to get a set of crates, in a folder of its own."""

    def __init__(
        self,
        wanted: Sequence[Requirement],
        toolchain: Toolchain,
        staging: Path,
        build: Callable[[CrateBuild], CommandResult],
    ) -> None:
        self._wanted = wanted
        self._toolchain = toolchain
        self._staging = staging
        self._project = staging / "project"
        self._build = build
        self._yanked: dict[str, str] = {}  # names and versions that cargo is to take all the same

    def build(self) -> dict[str, Any] | Unavailable:
        (self._project / "src").mkdir(parents=True)
        (self._project / "src" / "lib.rs").touch()
        self._write({})
        seen = self._metadata()
        if isinstance(seen, Unavailable):
            return seen
        features = self._all_features(seen)
        built = self._try(features) if features else None
        if isinstance(built, Unavailable) and not built.transient:
            logger.info("not with all features: %s", built.reason)
            built = None
        # A fault of the moment is no reason for less: what is built now is kept.
        return self._try({}) if built is None else built

    def _try(self, features: Mapping[str, Sequence[str]]) -> dict[str, Any] | Unavailable:
        self._write(features)
        for name in ("vendor", ".cargo", "target"):
            store.remove(self._project / name)
        store.remove(self._staging / "target")
        vendored = self._resolve("vendor", "--versioned-dirs", "vendor")
        if vendored.returncode:
            return refusal(vendored.stderr)
        _show(self._project / "vendor")
        (self._project / ".cargo").mkdir()
        config = self._project / ".cargo" / "config.toml"
        config.write_text(vendored.stdout or _NO_CRATES, encoding="utf-8")
        seen = self._metadata("--offline")
        if isinstance(seen, Unavailable):
            return seen
        return self._compile(seen)

    def _compile(self, seen: dict[str, Any]) -> dict[str, Any] | Unavailable:
        target = self._staging / "target"
        target.mkdir()
        ran = self._build(
            CrateBuild(
                argv=(
                    *(str(self._toolchain.cargo), "build", "--lib", "--frozen"),
                    "--message-format=json",
                ),
                environ={
                    "CARGO_HOME": str(target / "home"),
                    "CARGO_TARGET_DIR": str(target),
                    "CARGO_PROFILE_DEV_DEBUG": "0",
                    "CARGO_INCREMENTAL": "0",
                    "RUSTC": str(self._toolchain.rustc),
                },
                read=(self._toolchain.sysroot, self._project),
                write=(target,),
                folder=self._project,
            )
        )
        if ran.trouble or ran.status is None:
            reason = ran.trouble or "compiling its crates took too long"
            return Unavailable(reason, ran.stderr, transient=True)
        told = list(_json_lines(ran.stdout))
        if ran.status:
            return why(told, ran.stderr, self._toolchain.version)
        return self._record(seen, told)

    def _record(self, seen: dict[str, Any], told: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Where the crates asked for are, relative to the folder that all will be in."""
        made: dict[str, str] = {}
        native: list[str] = []
        for message in told:
            if message.get("reason") == "compiler-artifact":
                files = [f for f in message["filenames"] if f.endswith((".rlib", ".so"))]
                if files and not {"custom-build", "bin"} & set(message["target"]["kind"]):
                    made[message["package_id"]] = os.path.relpath(files[0], self._staging)
            elif message.get("reason") == "build-script-executed":
                native += message["linked_paths"]
        root = seen["resolve"]["root"]
        node = next(node for node in seen["resolve"]["nodes"] if node["id"] == root)
        externs = {dep["name"]: made[dep["pkg"]] for dep in node["deps"] if dep["pkg"] in made}
        staging = str(self._staging)
        return {
            "format": FORMAT,
            "externs": externs,
            "native": [place.replace(staging, store.BUILDING) for place in native],
        }

    def _write(self, features: Mapping[str, Sequence[str]]) -> None:
        lines = [
            "[package]",
            'name = "libdrift-crates"',
            'version = "0.0.0"',
            'edition = "2021"',
            f'rust-version = "{self._toolchain.version.partition("-")[0]}"',
            "[workspace]",
            "[dependencies]",
        ]
        for item in self._wanted:
            asked = list(features.get(item.name, item.features or ()))
            lines.append(
                f'{item.name} = {{ version = "{item.version}", features = {json.dumps(asked)} }}'
            )
        (self._project / "Cargo.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._lock()

    def _lock(self) -> None:
        """A beginning of a lock file: cargo takes a yanked version only from there."""
        lock = self._project / "Cargo.lock"
        lock.unlink(missing_ok=True)
        if self._yanked:
            packages = [
                f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = "{_REGISTRY}"\n'
                for name, version in self._yanked.items()
            ]
            lock.write_text("\n".join(["version = 3\n", *packages]), encoding="utf-8")

    def _all_features(self, seen: dict[str, Any]) -> dict[str, list[str]]:
        """Of each crate that is pinned and whose features nobody named."""
        open_ended = {i.name for i in self._wanted if i.pinned and i.features is None}
        found = {}
        for package in seen["packages"]:
            names = [name for name in package["features"] if not _NOT_FOR_US.search(name)]
            if package["name"] in open_ended and set(names) - {"default"}:
                found[package["name"]] = sorted(names)
        return found

    def _metadata(self, *options: str) -> dict[str, Any] | Unavailable:
        asked = self._resolve("metadata", "--format-version=1", *options)
        if asked.returncode:
            return refusal(asked.stderr)
        told: dict[str, Any] = json.loads(asked.stdout)
        return told

    def _resolve(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Let cargo choose versions; one that is asked for exactly may have been yanked since."""
        open_ended = {item.name for item in self._wanted if not item.pinned}
        while True:
            asked = self._cargo(*arguments)
            found = yanked(asked.stderr) if asked.returncode else None
            if found is None or found[0] in self._yanked or found[0] in open_ended:
                return asked
            name, version = found
            logger.info("%s %s was yanked, and is taken all the same", name, version)
            self._yanked[name] = version
            self._lock()

    def _cargo(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Ask cargo on the host, which downloads and resolves, but runs nothing of any crate."""
        argv = [str(self._toolchain.cargo), *arguments]
        environ = {
            **os.environ,
            "RUSTC": str(self._toolchain.rustc),
            "CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS": "fallback",
            "CARGO_TERM_COLOR": "never",
        }
        try:
            return subprocess.run(
                ending_with_us(argv),
                cwd=self._project,
                env=environ,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
                timeout=_FETCH_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(argv, 1, "", "timed out")


_NO_CRATES = "# no crates of others\n"


def _show(folder: Path) -> None:
    """Let everybody read what was unpacked: the sandbox is another user, and checks every file."""
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | (0o555 if path.is_dir() else 0o444))


def _json_lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("{"):
            told = json.loads(line)
            if isinstance(told, dict):
                yield told
