"""Processes of this machine, as /proc shows them."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import time
from pathlib import Path

_WAITING = b"S"  # the state of what sleeps until something happens; neither slow nor starved
_LOOK = 1.0  # seconds between looks
# System calls that wait, by number: which argument is the time after which they return. It is a
# pointer to that (none: for ever) or a number of milliseconds (negative: for ever). Of those
# without an argument here, all return.
_POINTED, _COUNTED, _ALWAYS = "pointer", "milliseconds", "always"
_TIMED_CALLS: dict[str, dict[int, tuple[int, str]]] = {
    "x86_64": {
        7: (2, _COUNTED),  # poll
        23: (4, _POINTED),  # select
        35: (0, _ALWAYS),  # nanosleep
        128: (2, _POINTED),  # rt_sigtimedwait
        202: (3, _POINTED),  # futex
        219: (0, _ALWAYS),  # restart_syscall: the rest of a sleep that a signal has cut
        220: (3, _POINTED),  # semtimedop
        230: (0, _ALWAYS),  # clock_nanosleep
        232: (3, _COUNTED),  # epoll_wait
        270: (4, _POINTED),  # pselect6
        271: (2, _POINTED),  # ppoll
        281: (3, _COUNTED),  # epoll_pwait
        441: (3, _POINTED),  # epoll_pwait2
    },
    "aarch64": {
        22: (3, _COUNTED),  # epoll_pwait
        72: (4, _POINTED),  # pselect6
        73: (2, _POINTED),  # ppoll
        98: (3, _POINTED),  # futex
        101: (0, _ALWAYS),  # nanosleep
        115: (0, _ALWAYS),  # clock_nanosleep
        128: (0, _ALWAYS),  # restart_syscall
        137: (2, _POINTED),  # rt_sigtimedwait
        192: (3, _POINTED),  # semtimedop
        441: (3, _POINTED),  # epoll_pwait2
    },
}


@functools.cache
def adopt_orphans() -> None:
    """Become the parent of orphans below us, to reap the sandbox's first process.

    bubblewrap may leave before it has reaped that one; in a container whose first process does
    not reap either, every run would leave a zombie.
    """
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """All processes below ``pid``, nearest first."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = Path(entry.path, "stat").read_bytes()
            except OSError:
                continue
            parent = int(stat.rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found, queue = [], [pid]
    while queue:
        below = children.get(queue.pop(0), [])
        found += below
        queue += below
    return found


def in_session(leader: int) -> list[int]:
    """Children of ours in the session that ``leader`` began, who may be gone."""
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == leader and pid != leader:
                found.append(pid)
    return found


def processor_seconds(pid: int) -> float:
    """Processor time of ``pid``, everything below it, and what they have waited for."""
    total = 0
    for child in (pid, *descendants(pid)):
        try:
            fields = Path(f"/proc/{child}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """Resident memory of ``pid`` and everything below it, in bytes."""
    total = 0
    page = os.sysconf("SC_PAGESIZE")
    for child in descendants(pid):
        try:
            total += int(Path(f"/proc/{child}/statm").read_bytes().split()[1]) * page
        except (OSError, IndexError):
            continue
    return total


def is_waiting(pid: int) -> bool:
    """Whether all threads of everything below ``pid`` sleep, and no time will wake one.

    None would run on a free machine, and none goes on by itself later.
    """
    timed = _TIMED_CALLS.get(platform.machine(), {})
    for child in descendants(pid):
        try:
            tasks = [Path(entry.path) for entry in os.scandir(f"/proc/{child}/task")]
            if any(_state(Path(task, "stat").read_bytes()) != _WAITING for task in tasks):
                return False
            if timed and any(
                _has_time(Path(task, "syscall").read_bytes(), timed) for task in tasks
            ):
                return False
        except OSError:
            return False  # one has just ended, or cannot be looked at: something may go on
    return True


def _state(stat: bytes) -> bytes:
    return stat.rpartition(b")")[2].split()[0]


def _has_time(call: bytes, timed: dict[int, tuple[int, str]]) -> bool:
    """Whether a system call, as ``/proc/PID/syscall`` shows it, returns after some time."""
    number, *arguments = call.split()
    if not number.isdigit() or int(number) not in timed:
        return number == b"running"
    at, kind = timed[int(number)]
    if kind == _ALWAYS:
        return True
    value = int(arguments[at], 16) & 0xFFFFFFFF if kind == _COUNTED else int(arguments[at], 16)
    return value < 1 << 31 if kind == _COUNTED else value != 0


class Stillness:
    """For how long everything below a process has done nothing but wait, for no certain time."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._used = -1.0
        self._since = self._looked = time.monotonic()

    @property
    def seconds(self) -> float:
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            self._looked = now
            used = processor_seconds(self._pid)
            if used != self._used or not is_waiting(self._pid):
                self._used, self._since = used, now
        return self._looked - self._since
