"""Processes of this machine, as /proc shows them."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import time
from pathlib import Path

_WAITING = b"S"  # the state of what sleeps until something happens; neither slow nor starved
_LOOK = 1.0  # seconds between looks
# System calls that wait: which argument is the time after which they return. It is a pointer to
# that (none: for ever) or a number of milliseconds (negative: for ever). Of those without an
# argument here, all return.
_POINTED, _COUNTED, _ALWAYS = "pointer", "milliseconds", "always"
_TIMED_CALLS = {
    "clock_nanosleep": (0, _ALWAYS),
    "epoll_pwait": (3, _COUNTED),
    "epoll_pwait2": (3, _POINTED),
    "epoll_wait": (3, _COUNTED),
    "futex": (3, _POINTED),
    "nanosleep": (0, _ALWAYS),
    "poll": (2, _COUNTED),
    "ppoll": (2, _POINTED),
    "pselect6": (4, _POINTED),
    "restart_syscall": (0, _ALWAYS),  # the rest of a sleep that a signal has cut
    "rt_sigtimedwait": (2, _POINTED),
    "select": (4, _POINTED),
    "semtimedop": (3, _POINTED),
}
_NUMBERS = {
    "x86_64": "poll 7 select 23 nanosleep 35 rt_sigtimedwait 128 futex 202 restart_syscall 219"
    " semtimedop 220 clock_nanosleep 230 epoll_wait 232 pselect6 270 ppoll 271 epoll_pwait 281"
    " epoll_pwait2 441",
    "aarch64": "epoll_pwait 22 pselect6 72 ppoll 73 futex 98 nanosleep 101 clock_nanosleep 115"
    " restart_syscall 128 rt_sigtimedwait 137 semtimedop 192 epoll_pwait2 441",
}


@functools.cache
def _timed_calls() -> dict[int, tuple[int, str]]:
    """Those of this machine, by number; none where its numbers are not known."""
    words = _NUMBERS.get(platform.machine(), "").split()
    return {
        int(number): _TIMED_CALLS[name]
        for name, number in zip(words[::2], words[1::2], strict=True)
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
    timed = _timed_calls()
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
