"""A project's own command, run in exact environments on a copy of the project, sandboxed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import threading
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from libdrift import temporary
from libdrift.advisor.pins import usual
from libdrift.advisor.requirements import project_requirements
from libdrift.advisor.versions import PYTHON, VersionStep
from libdrift.config import Settings
from libdrift.environments import Failed, Ready, build, discover
from libdrift.errors import InfrastructureError, UserError
from libdrift.records import Environment
from libdrift.sandbox import Backend, Limits
from libdrift.sandbox.commands import Command, run

_LEFT_OUT = (".git", ".hg", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", "*.pyc")
_LEFT_OUT_CACHES = (".mypy_cache", ".ruff_cache", ".pytest_cache")
_RUNNERS = ("pytest", "nose2", "ward", "behave")
_REPORT = ".libdrift-report.xml"
_RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)?")
_ABSENT = re.compile(r"(?:Because |and )([\w.-]+) was not found in the package registry")
_MOST_PYTHONS = 4  # that are tried until both environments can be built
_LARGEST = 500_000_000  # bytes of a project that is copied
_LOOK = 0.5  # seconds between looks at what a command has written
_LARGEST_REPORT = 64_000_000  # bytes of a report that is read


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """How a command ended; ``passed`` are its tests by name, where pytest ran them."""

    status: int | None
    passed: frozenset[str] | None = None
    failed: frozenset[str] = frozenset()
    log: str = ""
    trouble: str = ""

    @property
    def is_fine(self) -> bool:
        return self.status == 0

    def keeps(self, earlier: TrialOutcome) -> bool:
        """Whether nothing that passed in an earlier run fails in this one."""
        if earlier.passed is not None and self.passed is not None:
            return earlier.passed <= self.passed
        return self.is_fine or not earlier.is_fine


@dataclass(frozen=True, slots=True)
class TrialPlaces:
    """``old`` is None where the old versions cannot be had: ``notes`` tell why."""

    old: Ready | None
    new: Ready
    notes: tuple[str, ...] = ()


# --- environments


def trial_places(
    root: Path, command: str, steps: Sequence[VersionStep], settings: Settings
) -> TrialPlaces:
    """Both environments: the project's requirements, with the versions before and after.

    Of one Python if some Python has both sides; else each of the likeliest that has its own. Old
    versions that cannot be had any more are no reason not to try the new ones.
    """
    needed = [word for word in command.replace("=", " ").split() if word in _RUNNERS]
    listed = [*project_requirements(root), *needed]
    sides = [{s.package: s.old for s in steps}, {s.package: s.new for s in steps}]
    runtimes = [_runtimes(root, pins) for pins in sides]
    builder = _SideBuilder(listed, sides, settings)
    for runtime in [one for one in runtimes[0] if one in runtimes[1]][:_MOST_PYTHONS]:
        old, new = builder.place(0, runtime), builder.place(1, runtime)
        if isinstance(old, Ready) and isinstance(new, Ready):
            return TrialPlaces(old, new, builder.notes())
    nearby = [*runtimes[0], *_nearest(runtimes[0])][:_MOST_PYTHONS]
    old_alone, new_alone = builder.first(0, nearby), builder.first(1, runtimes[1])
    if new_alone is None:
        raise InfrastructureError(
            f"no environment to run {command!r} in ({builder.reasons(1)[:600]})",
            "Run without --verify",
        )
    notes = builder.notes()
    if old_alone is None:
        notes += (f"the old versions cannot be installed, and are not run: {builder.reasons(0)}",)
    return TrialPlaces(old_alone, new_alone, notes)


@dataclass(slots=True)
class _SideBuilder:
    """Environments of both sides, each built once; ``absent`` are requirements nobody has."""

    listed: Sequence[str]
    sides: Sequence[Mapping[str, str]]
    settings: Settings
    absent: set[str] = field(default_factory=set)
    _built: dict[tuple[int, str], Ready | Failed] = field(default_factory=dict)

    def place(self, side: int, runtime: str) -> Ready | Failed:
        if (side, runtime) not in self._built:
            self._built[side, runtime] = self._made(self.sides[side], runtime)
        return self._built[side, runtime]

    def first(self, side: int, runtimes: Sequence[str]) -> Ready | None:
        tried = (self.place(side, runtime) for runtime in runtimes)
        return next((one for one in tried if isinstance(one, Ready)), None)

    def reasons(self, side: int) -> str:
        failed = [one for key, one in self._built.items() if key[0] == side]
        return "; ".join(dict.fromkeys(one.reason for one in failed if isinstance(one, Failed)))

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{name} is required, and in no index: left out" for name in self.absent)

    def _made(self, pins: Mapping[str, str], runtime: str) -> Ready | Failed:
        """Others as they are pinned, else (where that cannot be together) as they may be."""
        own = {name: version for name, version in pins.items() if name != PYTHON}
        exact = [f"{name}=={version}" for name, version in own.items()]
        made = self._without_absent(exact, set(own), runtime, is_loose=False)
        if isinstance(made, Ready):
            return made
        return self._without_absent(exact, set(own), runtime, is_loose=True)

    def _without_absent(
        self, exact: Sequence[str], own: Collection[str], runtime: str, *, is_loose: bool
    ) -> Ready | Failed:
        while True:
            others = [one for one in map(Requirement, self.listed) if usual(one.name) not in own]
            there = [one for one in others if usual(one.name) not in self.absent]
            rest = [one.name if is_loose else str(one) for one in there]
            made = build(
                Environment("python", runtime, (*exact, *rest)), self.settings, wheels_only=True
            )
            told = _ABSENT.findall(made.reason) if isinstance(made, Failed) else []
            gone = {usual(name) for name in told} & {usual(one.name) for one in there}
            if not gone:
                return made
            self.absent |= gone


def _runtimes(root: Path, pins: Mapping[str, str]) -> list[str]:
    """Pythons to try, the likeliest first; one alone where that is what changes."""
    if PYTHON in pins:
        return [".".join(pins[PYTHON].split(".")[:2])]
    fixed = root / ".python-version"
    named = fixed.read_text("utf-8", "replace").split()[:1] if fixed.is_file() else []
    named = [one for one in named if _RELEASE.fullmatch(one)]  # no path, no option
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    known = [one.minor for one in discover()]
    asked = _requires_python(root)
    return [one for one in dict.fromkeys([*named, here, *known]) if _allows(asked, one)]


def _nearest(asked: Sequence[str]) -> list[str]:
    """Other Pythons of this machine, those next to the one asked for first."""
    if len(asked) != 1:
        return []
    wanted = Version(asked[0])
    known = {one.minor for one in discover()} - set(asked)
    known = {one for one in known if Version(one).major == wanted.major}
    return sorted(known, key=lambda one: (abs(Version(one).minor - wanted.minor), one))


def _requires_python(root: Path) -> str:
    path = root / "pyproject.toml"
    if not path.is_file():
        return ""
    try:
        return str(tomllib.loads(path.read_text("utf-8"))["project"]["requires-python"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _allows(asked: str, runtime: str) -> bool:
    try:
        return SpecifierSet(asked).contains(f"{runtime}.99" if runtime.count(".") < 2 else runtime)  # noqa: PLR2004
    except InvalidSpecifier:
        return True


# --- runs


@dataclass(slots=True)
class CommandTrial:
    """A project and a command; ``run`` tries a set of edited files in one environment."""

    root: Path
    command: str
    backend: Backend
    limits: Limits = field(default_factory=Limits)
    most_written: int = 2_000_000_000  # bytes that the command may add to the copy

    def run(self, place: Ready, files: Mapping[Path, bytes]) -> TrialOutcome:
        """``files``: contents by full path, in place of the project's own."""
        # The sandbox's user is another one, and must get through.
        with temporary.folder(shared=True) as above:
            folder = above / "project"
            self._copy(folder)
            for path, content in files.items():
                real = path.resolve()
                if not real.is_relative_to(self.root):
                    raise UserError(
                        f"{path} is outside of {self.root}, which --verify copies",
                        "Name files of one project",
                    )
                target = folder / real.relative_to(self.root)
                target.parent.mkdir(parents=True, exist_ok=True)  # of a folder that is left out
                target.write_bytes(content)
            return self._run(place, folder)

    def _copy(self, folder: Path) -> None:
        size = sum(
            os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118  (many files)
            for parent, _, names in _walk(self.root)
            for name in names
        )
        if size > _LARGEST:
            raise UserError(f"{self.root} is too large to copy for --verify")
        try:
            shutil.copytree(self.root, folder, symlinks=True, ignore=_ignored)
        except shutil.Error as error:
            first = error.args[0][0]
            raise UserError(f"{first[0]} cannot be copied for --verify: {first[2]}") from error

    def _run(self, place: Ready, folder: Path) -> TrialOutcome:
        source = folder / "src"
        paths = [str(folder), *([str(source)] if source.is_dir() else [])]
        command = Command(
            argv=("/bin/sh", "-c", self.command),
            environ={
                "PATH": f"{place.python.parent}:/usr/bin:/bin",
                "HOME": str(folder),
                "PYTHONPATH": os.pathsep.join(paths),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONHASHSEED": "0",
                "LANG": "C.UTF-8",
                "MPLBACKEND": "Agg",
                "OMP_NUM_THREADS": "1",
                "OPENBLAS_NUM_THREADS": "1",
                "MALLOC_ARENA_MAX": "2",
                "PYTEST_ADDOPTS": f"-p no:cacheprovider --junitxml={folder / _REPORT}",
            },
            read=(
                place.folder,
                place.interpreter_prefix,
                place.interpreter_prefix.resolve(),
                place.python.resolve().parent.parent,
            ),
            write=(folder,),
            folder=folder,
        )
        with _bounded(folder, self.most_written) as stop:
            ended = run(command, self.backend, self.limits, stop)
        if ended.trouble:
            raise InfrastructureError(f"{self.command!r} could not be run: {ended.trouble}")
        passed, failed = _report(folder / _REPORT)
        log = f"{ended.stdout}\n{ended.stderr}".strip()[-4000:]
        stopped_by = "disk" if stop.is_set() else ended.stopped_by
        return TrialOutcome(ended.status, passed, failed, log, stopped_by)


@contextlib.contextmanager
def _bounded(folder: Path, most: int) -> Iterator[threading.Event]:
    """An event that is set when a folder has grown by more: it is on the host's own disk."""
    full, done = threading.Event(), threading.Event()
    start = _used(folder)

    def watch() -> None:
        while not done.wait(_LOOK):
            if _used(folder) - start > most:
                full.set()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield full
    finally:
        done.set()
        watcher.join()


def _used(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # gone meanwhile
                total += Path(parent, name).lstat().st_blocks * 512
    return total


def _ignored(parent: str, names: list[str]) -> set[str]:
    """What is made anew, and what cannot be copied: pipes, sockets, devices."""
    left_out = shutil.ignore_patterns(*_LEFT_OUT, *_LEFT_OUT_CACHES)(parent, names)
    for name in names:
        mode = Path(parent, name).lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            left_out.add(name)
    return left_out


def _walk(root: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        yield parent, folders, names


def _report(path: Path) -> tuple[frozenset[str] | None, frozenset[str]]:
    """Names of tests that passed and that did not, where pytest left its report."""
    try:
        about = path.lstat()
        # The command could have put anything there: a pipe, or a link to what has no end.
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST_REPORT:
            return None, frozenset()
        cases = list(ET.parse(path).getroot().iter("testcase"))  # noqa: S314  (of our own run)
    except (OSError, ET.ParseError, ValueError, LookupError):
        return None, frozenset()
    passed, failed = set(), set()
    for case in cases:
        name = f"{case.get('classname')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed.add(name)
        elif "skipped" not in kinds:
            passed.add(name)
    return frozenset(passed - failed), frozenset(failed)


def with_limits(limits: Limits, seconds: float) -> Limits:
    """Of a project's whole tests: more of everything than one answer may use."""
    return replace(
        limits.with_time(seconds),
        processes=512,
        open_files=1024,
        cpu_seconds=int(4 * seconds),
        memory_bytes=2 * limits.memory_bytes,
    )
