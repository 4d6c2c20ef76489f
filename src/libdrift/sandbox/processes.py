"""Processes of this machine, as /proc shows them."""

from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path


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
