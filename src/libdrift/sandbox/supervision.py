"""Watching a child: what it says is taken as it comes, and it is stopped where it goes too far."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_TICK = 0.1
_LOOK = 0.25  # between looks at memory: most children are done before the first

# Takes what was read, or nothing at the end; says whether that is all that is wanted.
Reader = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a child may go; each is asked again and again."""

    stop: threading.Event
    deadline: Callable[[], float]  # by the monotonic clock: it may move
    memory_bytes: int
    resident: Callable[[], int]  # memory that is used now
    excess: Callable[[], str] = lambda: ""  # what else there is too much of


def supervise(readers: Mapping[int, Reader], bounds: Bounds) -> str:
    """Read until a reader has all that it wants; or why the child must be stopped.

    That is "request", "time", "memory", or what ``bounds.excess`` says.
    """
    next_look = time.monotonic() + _LOOK
    with selectors.DefaultSelector() as selector:
        for stream, reader in readers.items():
            selector.register(stream, selectors.EVENT_READ, reader)
        while True:
            now = time.monotonic()
            if bounds.stop.is_set():
                return "request"
            if now >= bounds.deadline():
                return "time"
            if excess := bounds.excess():
                return excess
            if now >= next_look:
                next_look = now + _LOOK
                if bounds.resident() > bounds.memory_bytes:
                    return "memory"
            for event, _ in selector.select(_TICK):
                data = os.read(event.fd, 1 << 16)
                if event.data(data):
                    return ""
                if not data:
                    selector.unregister(event.fileobj)
