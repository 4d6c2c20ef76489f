"""Processes of this machine that a test has started."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def alive(mark: str) -> list[str]:
    """The processes of this machine that were started with ``mark`` as an argument."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark.encode() in words:
                found.append(entry.name)
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
