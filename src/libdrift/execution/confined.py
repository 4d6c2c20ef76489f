"""The room that a command-line assistant works in.

An assistant is trusted with the machine's network, the caller's variables (its keys are there) and
its own configuration, but not with the answers: bubblewrap shows it the system read-only, its home
as a copy that is thrown away, a private ``/tmp`` and one folder to work in, and empty folders where
solutions lie. Copies of those in places that libdrift does not know are the caller's to ``hide``.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift import version
from libdrift.children import ending_with_us
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.sandbox.backends import Launch, find_bwrap, why_not_started
from libdrift.sandbox.memory_files import memory_file

_log = logging.getLogger(__name__)

_WORK = Path("/tmp/work")  # noqa: S108  (inside the sandbox, where /tmp is private)
# Sockets in /run reach services that would read or run anything outside, for whoever asks.
_PRIVATE = (Path("/tmp"), Path("/var/tmp"), Path("/run"), Path("/var/run"))  # noqa: S108
_TMP_BYTES = 2 << 30  # of memory, for each private folder


@dataclass(frozen=True, slots=True)
class ConfinedLaunch:
    """An assistant that is about to start, and a file that tells whether it did."""

    launch: Launch
    status: int

    def started(self) -> bool:
        """Whether the program itself ran to an end, not only what should have started it."""
        lines = os.pread(self.status, 65536, 0).splitlines()
        return any("exit-code" in json.loads(line) for line in lines if line)


@dataclass(frozen=True, slots=True)
class Confined:
    binary: str
    hide: tuple[Path, ...]  # none below another
    allow: tuple[Path, ...] = ()

    def work(self, folder: Path) -> Path:  # noqa: ARG002  (the same for every folder)
        """Where the assistant finds ``folder``."""
        return _WORK

    def sees(self, path: Path) -> bool:
        """Whether a file of this machine is there for the assistant, under the same name."""
        if _within(path, self.hide):
            return False
        return not _within(path, _PRIVATE) or _within(path, (_home(), *self.allow))

    @contextlib.contextmanager
    def launch(self, command: Sequence[str], folder: Path) -> Iterator[ConfinedLaunch]:
        with memory_file() as info, memory_file() as status:
            argv = [self.binary, "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
            argv += ["--new-session", "--cap-drop", "ALL", *self._files(folder)]
            argv += ["--info-fd", str(info), "--json-status-fd", str(status)]
            argv += ["--chdir", str(_WORK), "--setenv", "TMPDIR", "/tmp"]  # noqa: S108
            launch = Launch(
                [*argv, "--", *command],
                dict(os.environ),
                str(_WORK),
                descriptors=(info, status),
                info=info,
            )
            yield ConfinedLaunch(launch, status)

    def _files(self, folder: Path) -> list[str]:
        options = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        # A caller who is root stays that user, whose kernel settings these are, without rights.
        options += ["--ro-bind", "/proc/sys", "/proc/sys"]
        for private in _PRIVATE:
            if private.is_dir() and not private.is_symlink():
                size = ["--size", str(_TMP_BYTES), "--perms", "1777"]
                options += [*size, "--tmpfs", str(private)]
        # Where names are resolved by a local service, its file is all that programs need of it.
        resolver = Path("/etc/resolv.conf").resolve()
        if _within(resolver, _PRIVATE) and resolver.is_file():
            options += ["--ro-bind", str(resolver), str(resolver)]
        home = _home()
        if home != Path("/") and home.is_dir():
            options += _home_options(self.binary, home)
        for writable in self.allow:
            options += ["--bind", str(writable), str(writable)]
        for mask in self.hide:
            shown = not _within(mask, _PRIVATE) or _within(mask, (home, *self.allow))
            if shown and mask.is_dir():
                options += ["--perms", "0755", "--tmpfs", str(mask), "--remount-ro", str(mask)]
            elif shown and mask.is_file():  # of tasks, with their references
                options += ["--ro-bind", "/dev/null", str(mask)]
        return [*options, "--bind", str(folder), str(_WORK)]


@dataclass(frozen=True, slots=True)
class Unconfined:
    """No protection: time-outs only. For machines that cannot run bubblewrap."""

    def work(self, folder: Path) -> Path:
        return folder

    def sees(self, path: Path) -> bool:  # noqa: ARG002  (it sees everything)
        return True

    @contextlib.contextmanager
    def launch(self, command: Sequence[str], folder: Path) -> Iterator[ConfinedLaunch]:
        # In a folder: machines without bubblewrap may have no files in memory either.
        with tempfile.TemporaryFile() as status:
            # Nothing else would end what an assistant starts, or the assistant when we are killed.
            argv = ending_with_us(command, str(folder), status.fileno())
            launch = Launch(argv, dict(os.environ), str(folder), descriptors=(status.fileno(),))
            yield ConfinedLaunch(launch, status.fileno())


def confine(
    name: str, settings: Settings, *, hide: Iterable[Path] = (), allow: Iterable[Path] = ()
) -> Confined | Unconfined:
    """The sandbox of that name, with libdrift's data hidden, and also ``hide`` (a run's folder).

    Folders in ``allow`` can be written, and stay written. What is hidden stays hidden in them.
    """
    if name == "none":
        return Unconfined()
    if name != "bubblewrap":
        raise UserError(f"unknown sandbox {name!r}", "Use --sandbox bubblewrap or --sandbox none")
    hidden = _outermost([*_solutions(settings), *hide])
    for folder in hidden:
        if _within(_home(), [folder]) or _within(_WORK, [folder]):
            raise UserError(
                f"{folder} must be hidden from assistants, but it contains other files "
                f"that they need",
                "Keep data and runs in a separate folder",
            )
    writable = []
    for folder in (path.expanduser().absolute() for path in allow):
        if not folder.is_dir():
            raise UserError(f"no folder {folder} to allow", f"Make it with: mkdir -p {folder}")
        writable.append(folder.resolve())
        if _within(folder.resolve(), hidden):
            raise UserError(
                f"{folder} cannot be allowed: it contains solutions, data or runs",
                "Allow a folder outside of libdrift's data and runs",
            )
    return Confined(find_bwrap(settings.bwrap), hidden, tuple(writable))


def _solutions(settings: Settings) -> list[Path]:
    starter = Path(version.__file__).parent / "suites" / "starter" / "tasks"
    found = [settings.cache, starter]
    if settings.data and settings.data.is_dir():
        # A suite's folder may be a link to where its files really are.
        found += [settings.data, *settings.data.iterdir()]
    return found


def _outermost(folders: Iterable[Path]) -> tuple[Path, ...]:
    # What is below a hidden folder cannot be mounted any more, and need not be.
    kept: list[Path] = []
    distinct = {folder.expanduser().resolve() for folder in folders}
    for folder in sorted(distinct, key=lambda path: len(path.parts)):
        if not _within(folder, kept):
            kept.append(folder)
    return tuple(kept)


def _within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _home() -> Path:
    try:
        return Path.home().resolve()
    except RuntimeError:  # no HOME, and a user that the system does not know
        return Path("/")


@functools.cache
def _home_options(binary: str, home: Path) -> tuple[str, ...]:
    """The home folder: a copy on write where bubblewrap and the kernel can, else read-only."""
    overlay = ("--overlay-src", str(home), "--tmp-overlay", str(home))
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        if why_not_started([binary, "--ro-bind", "/", "/", *overlay, "true"]) is None:
            return overlay
    _log.warning(
        "no copy on write here (it needs bubblewrap 0.11): assistants see %s read-only. "
        "Allow writing to a folder in it with -S allow=FOLDER",
        home,
    )
    return ("--ro-bind", str(home), str(home))
