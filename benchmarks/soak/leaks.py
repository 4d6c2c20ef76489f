"""What a command must not leave: processes, mounts, temporary files, locks that are held."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.soak.world import World
from libdrift.sandbox.processes import descendants

# Seconds in which what was orphaned has to be gone: a guest that is only starting finds its channel
# closed, and leaves; on a busy machine that takes a while.
_GRACE = 30.0


def processes() -> list[str]:
    """Everything below us that is still there after a grace; it is ended here."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        _reap()
        left = descendants(os.getpid())
        if not left:
            return []
        time.sleep(0.05)
    found = [f"process {pid}: {_line(pid)}" for pid in left]
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    time.sleep(0.2)
    _reap()
    return found


def _reap() -> None:
    """Orphans come to us, as we asked for."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _line(pid: int) -> str:
    try:
        told = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return "gone since"
    return told.decode("utf-8", "replace")[:200]


def mounts(world: World) -> set[str]:
    """Below the world: what others mount elsewhere meanwhile is not ours."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    places = {line.split()[4] for line in lines}
    return {place for place in places if Path(place).is_relative_to(world.root)}


def files(world: World, place: Path) -> Iterator[str]:
    """What is neither a result nor a thing that is kept."""
    for one in sorted(world.temporary.rglob("*")):
        yield f"temporary file {one.relative_to(world.root)}"
    for one in sorted((world.cache / "environments" / ".building").glob("*")):
        yield f"half of an environment {one.relative_to(world.root)}"
    for root in (world.cache, place):
        for parent, folders, names in os.walk(root):
            if "venv" in folders:
                folders.remove("venv")
            for name in names:
                if name.startswith(("tmp", ".tmp")) or name.endswith(".part") or _half(name):
                    yield f"half of a file {Path(parent, name).relative_to(world.root)}"


def _half(name: str) -> bool:
    return name.startswith(".") and name.endswith((".json", ".jsonl"))


def locks(world: World) -> Iterator[str]:
    """Locks that somebody holds though nobody is there."""
    for parent, folders, names in os.walk(world.root):
        if "venv" in folders:
            folders.remove("venv")
        for name in names:
            if name.endswith(".lock"):
                path = Path(parent, name)
                with path.open("rb") as file:
                    try:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except OSError:
                        yield f"lock {path.relative_to(world.root)}"
