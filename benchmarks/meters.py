"""Processor time of a process and of all that it starts, whoever has ended meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

Meter = Callable[[], float]


@contextlib.contextmanager
def meter() -> Iterator[Meter]:
    """Counts the processor time of this process and of all that it starts, in seconds."""
    # Where control groups are, the file that counts, the word of it that does, and its unit.
    for root, file, word, unit in (
        (Path("/sys/fs/cgroup/cpuacct"), "cpuacct.usage", 0, 1e-9),
        (Path("/sys/fs/cgroup"), "cpu.stat", 1, 1e-6),
    ):
        group = root / f"libdrift-{os.getpid()}"
        try:
            group.mkdir()
            if not (group / file).exists():
                group.rmdir()
                continue
            (group / "cgroup.procs").write_text(str(os.getpid()))
        except OSError:
            continue
        try:
            yield partial(_counter, group / file, word, unit)
        finally:
            (root / "cgroup.procs").write_text(str(os.getpid()))
            with contextlib.suppress(OSError):
                group.rmdir()
        return
    print("no control group can be made here: counting all of this machine's processor time")

    def busy() -> float:
        fields = Path("/proc/stat").read_text().split()[1:8]
        ticks = [int(field) for field in fields]
        return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")

    yield busy


def _counter(path: Path, word: int, unit: float) -> float:
    return float(path.read_text().split()[word]) * unit
