"""What any sandbox must hold, as programs that a backend is run through.

Each check is an answer with a test: the test passes where the sandbox holds. Checks with an
expected outcome other than a pass end at a limit instead. A new backend is done when
``check`` finds nothing.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from libdrift import version
from libdrift.environments import Ready
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox.backends import Backend, guest_environ
from libdrift.sandbox.guests import Program
from libdrift.sandbox.judge import judge, judge_warm
from libdrift.sandbox.limits import MIB, Limits
from libdrift.sandbox.processes import descendants
from libdrift.sandbox.servers import Warm

# Nothing but the interpreter that runs libdrift: there on every machine, without a network.
PLAIN = Environment("python", f"{sys.version_info.major}.{sys.version_info.minor}", ())

LIMITS = Limits(
    wall_seconds=20,
    cpu_seconds=10,
    memory_bytes=512 * MIB,
    processes=24,
    file_bytes=8 * MIB,
    disk_bytes=32 * MIB,
    open_files=64,
    output_bytes=2 * MIB,
)


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    answer: str
    tests: str
    expected: Outcome = Outcome.PASSED
    limits: Limits = LIMITS
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    ok: bool
    reason: str


_REFUSED = """
def refused(action, *arguments, **options):
    try:
        action(*arguments, **options)
    except (OSError, MemoryError):
        return True
    return False
"""
_WRITE = """
def write(path, size=1):
    with open(path, "wb") as file:
        file.write(b"x" * size)
"""
_FORK = """
import os, time
children = []
def fork_many():
    for _ in range(200):
        pid = os.fork()
        if pid == 0:
            time.sleep(30)
            os._exit(0)
        children.append(pid)
"""
_USERS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
gained = [name for name, call in (
    ("user namespace", lambda: libc.unshare(0x10000000)),
    ("mount", lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)),
    ("root", lambda: libc.setuid(0)),
) if call() == 0]
"""
_STATUS = """
lines = open("/proc/self/status").read().splitlines()
status = {line.partition(":")[0]: line.partition(":")[2].strip() for line in lines}
"""


def _checks(host: _Host, place: Ready) -> Iterator[Check]:
    yield Check("an honest answer passes", "def f():\n    return 3", "assert f() == 3")
    yield Check("a wrong answer fails", "def f():\n    return 3", "assert f() == 4", Outcome.FAILED)
    yield Check(
        "no network",
        f"import socket\n{_REFUSED}",
        f"assert refused(socket.create_connection, ('127.0.0.1', {host.port}), timeout=1)\n"
        "assert [name for _, name in socket.if_nameindex()] in (['lo'], [])",
    )
    folders = ["/", "/usr", "/etc", "/dev", str(place.folder), str(place.interpreter_prefix)]
    yield Check(
        "the file system is read-only",
        f"import os\n{_REFUSED}{_WRITE}",
        f"for folder in {folders!r}:\n    assert refused(write, os.path.join(folder, 'mark'))",
    )
    own = str(Path(version.__file__).parent / "suites")
    yield Check(
        "the host's files are out of sight",
        "import os",
        f"for path in {[str(host.file), own]!r}:\n"
        "    assert not os.path.isfile(path) and not (os.path.isdir(path) and os.listdir(path))",
    )
    names = [*guest_environ(place, "/tmp/home"), "LC_CTYPE", "PWD"]  # noqa: S108
    yield Check(
        "no environment variables of the host",
        "import os",
        f"assert set(os.environ) <= set({names!r})",
    )
    yield Check(
        "a private, writable /tmp",
        f"import os, tempfile\n{_WRITE}",
        "write(os.path.join(tempfile.gettempdir(), 'mine'), 1000)\n"
        f"assert not os.path.exists({str(host.file)!r})",
    )
    yield Check(
        "other processes are out of sight",
        "import os",
        "assert len([name for name in os.listdir('/proc') if name.isdigit()]) <= 4",
    )
    yield Check(
        "no rights",
        _STATUS + "import os",
        "assert int(status['CapEff'], 16) == 0 and status['NoNewPrivs'] == '1'\n"
        "assert os.getuid() != 0",
    )
    yield Check(
        "no way to more rights",
        _USERS,
        "assert gained == []",
    )
    yield from _limit_checks()


def _limit_checks() -> Iterator[Check]:
    yield Check("memory", _REFUSED, "assert refused(bytearray, 1 << 30)")
    yield Check("processes", _FORK + _REFUSED, "assert refused(fork_many) and len(children) < 64")
    yield Check(
        "file size",
        f"import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n{_REFUSED}{_WRITE}",
        "assert refused(write, 'big', 64 << 20)",
    )
    yield Check(
        "disk",
        f"{_REFUSED}{_WRITE}\ndef fill():\n    for n in range(40):\n"
        "        write('/tmp/f%d' % n, 4 << 20)\n",
        "assert refused(fill)",
    )
    yield Check(
        "shared memory",
        f"import os\n{_REFUSED}{_WRITE}\ndef fill():\n    for n in range(40):\n"
        "        write('/dev/shm/f%d' % n, 4 << 20)\n",
        "assert not os.path.isdir('/dev/shm') or refused(fill)",
    )
    yield Check(
        "open files",
        f"{_REFUSED}\ndef hold():\n    return [open('/dev/null') for _ in range(500)]",
        "assert refused(hold)",
    )
    yield Check("output", "print('x' * (8 << 20))", "assert True", Outcome.ERROR)
    loop = "while True:\n    pass"
    quick = Limits(wall_seconds=20, cpu_seconds=1)
    yield Check("processor time", loop, "assert True", Outcome.ERROR, quick, slow=True)
    short = Limits(wall_seconds=1)
    wait = "import time\ntime.sleep(100)"
    yield Check("time", wait, "assert True", Outcome.TIMEOUT, short, slow=True)
    daemon = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\n"
    yield Check("a daemon does not stay", daemon, "assert True")


class _Host:
    """Things of the host that a guest must not reach: a file, and a listening port."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="libdrift-host-")
        self.file = Path(self._folder.name) / "secret"
        self.file.write_text("of the host", encoding="utf-8")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def close(self) -> None:
        self._listener.close()
        self._folder.cleanup()


def check(
    backend: Backend, place: Ready, *, quick: bool = False, forked: bool = False
) -> list[Result]:
    """Run a backend through every check, each in a fresh sandbox or ``forked`` from a server.

    ``quick``: only those that need not wait for a limit.
    """
    if not backend.isolates:
        # The checks write, fork and mount for real: without a sandbox they would do it here.
        return [Result("isolation", ok=False, reason=f"{backend.name} isolates nothing")]
    host = _Host()
    results = []
    warm = Warm(backend)
    try:
        for item in _checks(host, place):
            if quick and item.slow:
                continue
            program = Program(item.answer, item.tests, TestStyle.SCRIPT)
            if forked:
                judgement = judge_warm(program, place, warm, item.limits)
            else:
                judgement = judge(program, place, backend, item.limits)
            ok = judgement is not None and judgement.outcome is item.expected
            reason = f"{judgement.outcome.value}: {judgement.reason}" if judgement else "no fork"
            reason = "" if ok else reason
            results.append(Result(item.name, ok, reason))
        warm.close()
        left = strangers()
        results.append(Result("nothing is left running", not left, ", ".join(map(str, left))))
    finally:
        warm.close()
        host.close()
    return results


def strangers() -> list[int]:
    """Living processes below this one in a process namespace other than ours.

    The judge adopts orphans, so whatever a guest leaves behind stays below us.
    """
    own = Path("/proc/self/ns/pid").readlink()
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            dead = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
            if not dead and Path(f"/proc/{pid}/ns/pid").readlink() != own:
                found.append(pid)
    return found


# What other programs of the same machine make all the time: tests, uv, pip and compilers.
_OF_OTHERS = ("pytest-", "tmp", ".", "uv-", "pymp-", "libdrift-", "pip-", "cc")


def traces() -> set[str]:
    """Files in the places of the host that a careless sandbox would let a guest write to."""
    shared = Path("/dev/shm")  # noqa: S108  (looked into, not written to)
    folders = [Path(tempfile.gettempdir()), Path.cwd(), Path.home(), shared]
    return {
        str(path)
        for folder in folders
        if os.access(folder, os.R_OK)
        for path in folder.iterdir()
        if not path.name.startswith(_OF_OTHERS)
    }
