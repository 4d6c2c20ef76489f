"""Forks of servers: how a server is told to make one, and how it is followed to its end."""

from __future__ import annotations

import array
import contextlib
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from libdrift.sandbox.guests import PATIENCE, send
from libdrift.sandbox.processes import processor_seconds, resident

# A module and "" for `import module`; a module and a name for `from module import name`.
Names = frozenset[tuple[str, str]]
NOTHING: Names = frozenset()
_IMPORTS = 300.0  # seconds that a server may take to import
_TICK = 0.5
_GONE = 10.0  # seconds that a killed answer may take to be gone


class ServerError(Exception):
    """A server that did not start, or died: it is dropped, and its answer run fresh."""


class UnfitError(ServerError):
    """What cannot be forked, now or later: its answers are run fresh."""


@dataclass(frozen=True, slots=True)
class Node:
    """One server of the tree, and what it has imported."""

    control: socket.socket
    names: Names = NOTHING
    canary: str = ""  # of its tests, if it holds some

    def spawn(
        self,
        names: Names,
        stop: threading.Event,
        sheet: dict[str, Any] | None = None,
        *,
        session: bool = False,
    ) -> Node:
        """Fork a server from this one: with more imported, with tests, or with a session."""
        ours, theirs = socket.socketpair()
        with theirs:
            _command(self.control, b"S", theirs)
        try:
            imports = sorted(names - self.names)
            send(ours, {"session": session, "imports": imports, "sheet": sheet})
            expect_ready(ours, stop)
        except BaseException:
            ours.close()
            raise
        return Node(ours, names, sheet["canary"][0] if sheet else "")


class Forked:
    """A guest that was forked from a server."""

    def __init__(self, status: socket.socket, output: int, pid: int) -> None:
        self.output = output
        self._status = status
        self._pid = pid
        self._process = os.pidfd_open(pid)

    def resident(self) -> int:
        return resident(self._pid)

    def processor_seconds(self) -> float:
        return processor_seconds(self._pid)

    def wait(self, seconds: float) -> int | None:
        self._status.settimeout(seconds)
        try:
            data = self._status.recv(4, socket.MSG_WAITALL)
        except TimeoutError:
            return None
        if len(data) < 4:  # noqa: PLR2004
            raise ServerError("it ended while an answer ran")
        return os.waitstatus_to_exitcode(struct.unpack(">i", data)[0])

    def kill(self) -> int:
        # The first process of its namespace: with it the kernel kills all the others.
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, signal.SIGKILL)
        status = self.wait(_GONE)
        if status is None:
            raise ServerError("an answer could not be killed")
        return status

    def close(self) -> None:
        os.close(self._process)


@contextlib.contextmanager
def fork(node: Node, *shared: int, network: bool) -> Iterator[tuple[Forked, socket.socket]]:
    """Fork an answer's process: the guest, and the channel to it. It gets what is shared too."""
    ours, theirs = socket.socketpair()
    status, told = socket.socketpair()
    readable, writable = os.pipe()
    with ours, status, contextlib.ExitStack() as stack:
        stack.callback(os.close, readable)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            _command(node.control, b"N" if network else b"R", theirs, writable, *shared, told)
        finally:
            theirs.close()
            told.close()
            os.close(writable)
        guest = Forked(status, readable, _sender(ours))
        stack.callback(guest.close)
        yield guest, ours


def _sender(channel: socket.socket) -> int:
    """Who says hello on the channel, by the number that the process has here."""
    channel.settimeout(PATIENCE)
    size = struct.calcsize("3i")
    data, ancillary, _, _ = channel.recvmsg(1, socket.CMSG_SPACE(size))
    for level, kind, content in ancillary:
        if data and level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return int(struct.unpack("3i", content[:size])[0])
    raise ServerError("no sandbox can be nested here")


def _command(control: socket.socket, name: bytes, *given: socket.socket | int) -> None:
    numbers = [item if isinstance(item, int) else item.fileno() for item in given]
    rights = array.array("i", numbers)
    control.settimeout(PATIENCE)
    control.sendmsg([name], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])


def expect_ready(control: socket.socket, stop: threading.Event) -> None:
    """Wait until a server has done what it was told; raise what hinders it."""
    deadline = time.monotonic() + _IMPORTS
    control.settimeout(_TICK)
    while True:
        if stop.is_set():
            raise ServerError("interrupted")
        try:
            head = control.recv(4, socket.MSG_WAITALL)
            break
        except TimeoutError:
            if time.monotonic() > deadline:
                raise UnfitError(f"imports take more than {_IMPORTS:g} s") from None
    if len(head) < 4:  # noqa: PLR2004
        raise ServerError("it ended before it was ready")
    size = struct.unpack(">I", head)[0]
    if size:
        control.settimeout(PATIENCE)
        text = control.recv(size, socket.MSG_WAITALL)
        raise UnfitError(text.decode("utf-8", "replace"))
