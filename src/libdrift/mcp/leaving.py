"""How a server on pipes ends when its machine lets it down: at once.

A thread waits for the client's next line. It would keep the process, which answers nobody any more,
and the client that waits for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

from libdrift.showing import in_a_line


def leave_at_once(trouble: str) -> NoReturn:
    sys.stderr.write(in_a_line(f"libdrift: {trouble}") + "\n")
    sys.stderr.flush()
    os._exit(3)


@contextlib.contextmanager
def noted_interrupts() -> Iterator[list[int]]:
    """Ctrl-C does what it does, and is in the list: what is cancelled then did not fail."""
    found: list[int] = []
    usual = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        found.append(number)
        if callable(usual):
            usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, usual)
