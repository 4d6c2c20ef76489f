"""The faults: what happens to a command, when, and how it is undone.

A fault has two parts: ``before`` spoils what is at rest, or how the command is started; ``during``
strikes while it runs, and says whether there was anything to strike. What either takes is given
back once the command has ended.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.soak import damage
from benchmarks.soak.index import COMPILES
from benchmarks.soak.workloads import Workload
from benchmarks.soak.world import World
from libdrift.sandbox.processes import descendants, processor_seconds

_PIDS = Path("/sys/fs/cgroup/pids")
_TICK = 0.02
_LOOK = 0.08  # between looks at all processes, which cost


@dataclass(slots=True)
class Strike:
    """One fault upon one command."""

    world: World
    workload: Workload
    place: Path
    chance: random.Random
    environ: dict[str, str]
    pid: int = 0
    running: Callable[[], bool] = lambda: False
    cpu: float = 1.0  # seconds of processors that the command usually takes
    wrap: Callable[[list[str]], list[str]] = list  # how the command is started
    undo: list[Callable[[], None]] = field(default_factory=list)

    def wait(self, most: float = 0.8) -> bool:
        """Let it do a random part of its usual work: by the processor, for machines get busy."""
        goal = self.chance.uniform(0.05, most) * self.cpu
        while self.running() and processor_seconds(self.pid) < goal:
            time.sleep(_LOOK)
        return self.running()

    def find(self, wanted: Callable[[str], bool]) -> list[int]:
        """Processes below the command, of which ``wanted`` likes the command line."""
        return [pid for pid in descendants(self.pid) if wanted(_line(pid))]

    def hunt(self, wanted: Callable[[str], bool]) -> int:
        """A process below the command, as soon as there is one after a random while; or 0."""
        self.wait(0.6)
        while self.running():
            found = self.find(wanted)
            if found:
                return self.chance.choice(found)
            time.sleep(_LOOK)
        return 0


Part = Callable[[Strike], bool]


def _nothing(_strike: Strike) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Fault:
    kind: str
    before: Part = _nothing
    during: Part = _nothing
    needs: Callable[[Workload], bool] = lambda _workload: True
    able: Callable[[World], str] = lambda _world: ""  # why this machine cannot have it


def _line(pid: int) -> str:
    try:
        return (
            Path(f"/proc/{pid}/cmdline")
            .read_bytes()
            .replace(b"\0", b" ")
            .decode("utf-8", "replace")
        )
    except OSError:
        return ""


def _is_sandbox(line: str) -> bool:
    return "bwrap" in line.partition(" ")[0]


def _is_guest(line: str) -> bool:
    return "/run/libdrift/" in line and not _is_sandbox(line)


def _is_uv(line: str) -> bool:
    return line.partition(" ")[0].endswith("/uv")


def _is_worker(line: str) -> bool:
    return "multiprocessing" in line or " libdrift mcp" in line


def _signals(number: signal.Signals) -> Part:
    """The command itself gets a signal. An agent's server is the command that counts."""

    def strike(it: Strike) -> bool:
        if not it.wait():
            return False
        servers = it.find(lambda line: line.rstrip().endswith("libdrift mcp"))
        return _send(servers[0] if servers else it.pid, number)

    return strike


def _kills(wanted: Callable[[str], bool]) -> Part:
    def strike(it: Strike) -> bool:
        found = it.hunt(wanted)
        return bool(found) and _send(found, signal.SIGKILL)

    return strike


def _end_while_it_compiles(it: Strike) -> bool:
    """A release is built from source, and libdrift is ended in the middle, one way or another."""
    while it.running():
        if it.find(lambda line: COMPILES in line):
            ways = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
            return _send(it.pid, it.chance.choice(ways))
        time.sleep(_LOOK)
    return False


def _kill_all(it: Strike) -> bool:
    """As when a container is stopped: everything at once."""
    if not it.wait():
        return False
    for pid in (it.pid, *descendants(it.pid)):
        _send(pid, signal.SIGKILL)
    return True


def _stop(it: Strike) -> bool:
    if not it.wait():
        return False
    pids = [it.pid, *descendants(it.pid)]
    pid = it.chance.choice(pids)
    if not _send(pid, signal.SIGSTOP):
        return False
    time.sleep(it.chance.uniform(0.2, 1.5))
    _send(pid, signal.SIGCONT)
    return True


def _send(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _drop_environments(it: Strike) -> bool:
    shutil.rmtree(it.world.cache / "environments", ignore_errors=True)
    return True


def _drop_builds(it: Strike) -> bool:
    shutil.rmtree(it.world.root / "uv", ignore_errors=True)
    return _drop_environments(it)


def _fill(it: Strike) -> bool:
    """The disk is full for a while, but for a few pages."""
    if not it.wait():
        return False
    filler = it.world.root / "filler"
    it.undo.append(lambda: filler.unlink(missing_ok=True))
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * (1 << 20))
    with filler.open("rb+") as file:
        size = filler.stat().st_size
        file.truncate(max(0, size - it.chance.choice((0, 0, 4096, 40_960))))
    _while_running(it, it.chance.uniform(1, 5))
    return True


def _limit(kind: int, values: Sequence[int]) -> Part:
    """A limit of the system, for all processes of the command, for a while."""

    def strike(it: Strike) -> bool:
        if not it.wait(0.7):
            return False
        value = it.chance.choice(values)
        for pid in (it.pid, *descendants(it.pid)):
            with contextlib.suppress(OSError):
                _, hard = resource.prlimit(pid, kind)
                resource.prlimit(pid, kind, (value, hard))
        return True

    return strike


def _no_processes(it: Strike) -> bool:
    group = _PIDS / f"libdrift-soak-{os.getpid()}"
    group.mkdir(exist_ok=True)
    it.undo.append(lambda: _leave(group))
    if not it.wait(0.7):
        return False
    for pid in (it.pid, *descendants(it.pid)):
        with contextlib.suppress(OSError):
            (group / "cgroup.procs").write_text(str(pid))
    now = int((group / "pids.current").read_text())
    (group / "pids.max").write_text(str(now + it.chance.choice((0, 1, 3))))
    _while_running(it, it.chance.uniform(1, 5))
    (group / "pids.max").write_text("max")
    return True


def _leave(group: Path) -> None:
    for pid in (group / "cgroup.procs").read_text().split():
        with contextlib.suppress(OSError):
            (group.parent / "cgroup.procs").write_text(pid)
    with contextlib.suppress(OSError):
        group.rmdir()


def _read_only(it: Strike) -> bool:
    """The run's folder, or the cache, cannot be written to for a while."""
    if not it.wait(0.7):
        return False
    folder = it.chance.choice((it.place, it.world.cache))
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    it.undo.append(lambda: _unmount(folder))
    subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
    _while_running(it, it.chance.uniform(1, 5))
    return True


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _drop_index(it: Strike) -> bool:
    _drop_builds(it)
    it.world.index.mode = it.chance.choice(("refuses", "cuts", "hangs", "lies"))
    it.undo.append(lambda: setattr(it.world.index, "mode", "well"))
    return True


def _drop_provider(it: Strike) -> bool:
    it.world.provider.mode = it.chance.choice(("errs", "limits", "hangs", "cuts", "empty"))
    it.undo.append(lambda: setattr(it.world.provider, "mode", "well"))
    return True


def _for_a_while(it: Strike) -> bool:
    _while_running(it, it.chance.uniform(2, 8))
    it.world.index.mode = it.world.provider.mode = "well"
    return True


def _while_running(it: Strike, seconds: float) -> None:
    end = time.monotonic() + seconds
    while it.running() and time.monotonic() < end:
        time.sleep(_TICK)


def _at_another_time(command: list[str], days: float) -> list[str]:
    """A command of libdrift whose own process has another date; how time passes is the same."""
    if command[1:3] != ["-m", "libdrift"]:
        return command
    start = (
        "import datetime, runpy, time_machine;"
        f"moved = datetime.datetime.now(datetime.UTC) + datetime.timedelta({days});"
        "time_machine.travel(moved).start();"
        "runpy.run_module('libdrift', run_name='__main__', alter_sys=True)"
    )
    return [command[0], "-c", start, *command[3:]]


def _move_clock(it: Strike) -> bool:
    it.wrap = partial(_at_another_time, days=it.chance.choice((-400, 400, -3650, 1 / 24)))
    return True


def _needs(*names: str) -> Callable[[Workload], bool]:
    return lambda workload: all(getattr(workload, name) for name in names)


def _root(world: World) -> str:
    return "" if world.mounted else "no file system can be mounted here"


def _groups(_world: World) -> str:
    return "" if os.access(_PIDS, os.W_OK) else "no group of processes can be made here"


def _kept(workload: Workload) -> bool:
    return bool(workload.files)


FAULTS = (
    Fault("kill libdrift", during=_signals(signal.SIGKILL)),
    Fault("kill everything", during=_kill_all),
    Fault("terminate", during=_signals(signal.SIGTERM)),
    Fault("interrupt", during=_signals(signal.SIGINT)),
    Fault("hang up", during=_signals(signal.SIGHUP)),
    Fault("stop for a while", during=_stop),
    Fault("kill a fork server", during=_kills(_is_sandbox), needs=_needs("guests")),
    Fault("kill a guest", during=_kills(_is_guest), needs=_needs("guests")),
    Fault("kill uv", before=_drop_environments, during=_kills(_is_uv), needs=_needs("builds")),
    Fault(
        "ended while compiling",
        before=_drop_builds,
        during=_end_while_it_compiles,
        needs=_needs("builds"),
    ),
    Fault(
        "kill a worker", during=_kills(_is_worker), needs=lambda one: one.name in ("mine", "mcp")
    ),
    Fault("full disk", during=_fill, able=_root),
    Fault("limit of file size", during=_limit(resource.RLIMIT_FSIZE, (0, 1000, 5000))),
    Fault("no descriptors", during=_limit(resource.RLIMIT_NOFILE, (3, 8, 16, 24))),
    Fault("no processes", during=_no_processes, able=_groups),
    Fault("read-only folder", during=_read_only, able=_root, needs=_needs("writes")),
    Fault("index dropped", before=_drop_index, during=_for_a_while, needs=_needs("builds")),
    Fault(
        "provider fails",
        before=_drop_provider,
        during=_for_a_while,
        needs=lambda one: one.name == "eval",
    ),
    Fault("cache: bits flipped", before=lambda it: damage.spoil(it.world, it.chance, "bits")),
    Fault("cache: cut short", before=lambda it: damage.spoil(it.world, it.chance, "cut")),
    Fault("cache: zero bytes", before=lambda it: damage.spoil(it.world, it.chance, "empty")),
    Fault("cache: other bytes", before=lambda it: damage.spoil(it.world, it.chance, "random")),
    Fault("torn line", during=_kill_all, needs=_kept),
    # The agent that asks `mcp` starts it itself, at its own time.
    Fault("clock moved", before=_move_clock, needs=lambda workload: workload.name != "mcp"),
    Fault("times of files moved", before=lambda it: damage.age(it.world, it.chance)),
)
