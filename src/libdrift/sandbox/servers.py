"""Fork servers: a warm process per environment, from which each answer is forked.

A server's own process only ever runs libdrift's guest code and what the environment holds. An
answer runs in a fork with namespaces of its own, as closed as a fresh sandbox; verdicts are the
same either way, only sooner. What cannot be forked (a library that starts threads when it is
imported, a kernel without nested namespaces) is run fresh.
"""

from __future__ import annotations

import array
import contextlib
import logging
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libdrift.environments import Ready
from libdrift.sandbox.backends import Backend, Launch
from libdrift.sandbox.guests import PATIENCE, Program, Run, attend, kill, reap, send, sheet, start
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.processes import adopt_orphans, resident

logger = logging.getLogger(__name__)

# A module and "" for `import module`; a module and a name for `from module import name`.
Names = frozenset[tuple[str, str]]
_IMPORTS = 300.0  # seconds that a server may take to import
_GONE = 10.0  # seconds that a killed answer may take to be gone


class ServerError(Exception):
    """A server that did not start, or died; whoever needs it runs fresh instead."""


@dataclass(frozen=True, slots=True)
class Node:
    """One server of the tree: what it has imported, and whose tests it holds, if any."""

    control: socket.socket
    names: Names = frozenset()
    canary: str = ""
    program: Program | None = None

    def spawn(self, names: Names, program: Program | None, canary: str, work: str) -> Node:
        """A server forked from this one, with more imported; raises where it cannot be forked."""
        ours, theirs = socket.socketpair()
        with theirs:
            _command(self.control, b"S", theirs)
        tests = sheet(program, work, canary) if program else None
        try:
            ours.settimeout(_IMPORTS)
            send(ours, {"imports": sorted(names - self.names), "sheet": tests})
            trouble = _reply(ours)
        except OSError as error:
            ours.close()
            raise ServerError(str(error) or "it ended") from error
        if trouble:
            ours.close()
            raise ServerError(trouble)
        return Node(ours, names | self.names, canary, program)


class Warm:
    """The servers of one worker: those of one environment, grown as answers ask for them."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._stack = contextlib.ExitStack()
        self._place: Ready | None = None
        self._launch: Launch | None = None
        self._nodes: list[Node] = []
        self._unfit: dict[tuple[str, Names], str] = {}  # what must be run fresh, and why

    def close(self) -> None:
        self._drop(0)
        self._stack.close()
        self._place = None

    def run(
        self, run: Run, program: Program, place: Ready, limits: Limits, levels: Sequence[Names]
    ) -> str | None:
        """Run a program in a fork; the canary of its tests, or ``None`` if it must run fresh.

        ``levels`` are the modules that may be imported before the answer is, from those that it
        shares with most to all of its own; each level holds the one before.
        """
        if not self._backend.isolates:
            return None
        try:
            node = self._grow(program, place, limits, levels)
            started = time.monotonic()
            with _fork(node) as (guest, channel):
                attend(run, guest, channel, {"answer": program.answer}, limits)
        except (ServerError, OSError) as error:
            logger.info("a fork server for %s: %s", place.environment, error)
            self.close()
            return None
        run.seconds = time.monotonic() - started
        return node.canary

    def _grow(
        self, program: Program, place: Ready, limits: Limits, levels: Sequence[Names]
    ) -> Node:
        key = place.environment.key
        for names in (frozenset(), *levels):
            if (key, names) in self._unfit:
                raise ServerError(self._unfit[key, names])
        if self._place is not place:
            self.close()
            self._start(place, limits)
        depth = 1
        for names in levels:
            depth = self._step(depth, names, key)
        leaf = self._nodes[-1] if len(self._nodes) > depth else None
        tests = (program.tests, program.style, program.module)
        held = leaf.program if leaf else None
        if leaf is None or held is None or (held.tests, held.style, held.module) != tests:
            self._drop(depth)
            canary = f"test_{os.urandom(6).hex()}"
            self._nodes.append(self._spawn(self._nodes[-1].names, program, canary, key))
        return self._nodes[-1]

    def _step(self, depth: int, names: Names, key: str) -> int:
        """Have a server with exactly these names below ``depth``; return its own depth."""
        if names == self._nodes[depth - 1].names:
            return depth
        held = self._nodes[depth] if len(self._nodes) > depth else None
        if held is None or held.program is not None or held.names != names:
            self._drop(depth)
            self._nodes.append(self._spawn(names, None, "", key))
        return depth + 1

    def _spawn(self, names: Names, program: Program | None, canary: str, key: str) -> Node:
        assert self._launch is not None  # noqa: S101  (started before anything is spawned)
        try:
            return self._nodes[-1].spawn(names, program, canary, self._launch.work)
        except ServerError as error:
            if program is None:
                self._unfit[key, names] = str(error)
            raise

    def _start(self, place: Ready, limits: Limits) -> None:
        adopt_orphans()
        ours, theirs = socket.socketpair()
        with theirs:
            launched = self._backend.launch(place, limits, theirs.fileno(), server=True)
            launch = self._stack.enter_context(launched)
            process = start(launch, theirs.fileno())
        self._stack.callback(_stop, process, launch)
        self._place, self._launch, self._nodes = place, launch, [Node(ours)]
        ours.settimeout(PATIENCE)
        common = {
            "work": launch.work,
            "uid": launch.uid,
            "filter": launch.filters.hex(),
            "disk_bytes": limits.disk_bytes,
        }
        try:
            send(ours, common)
            trouble = _reply(ours)
        except OSError as error:
            trouble = str(error) or "it ended"
        if trouble:
            self._unfit[place.environment.key, frozenset()] = trouble
            raise ServerError(trouble)

    def _drop(self, depth: int) -> None:
        while len(self._nodes) > depth:
            self._nodes.pop().control.close()


class _Forked:
    """A guest that was forked from a server."""

    def __init__(self, control: socket.socket, output: int, pid: int) -> None:
        self.output = output
        self._control = control
        self._pid = pid
        self._process = os.pidfd_open(pid)

    def resident(self) -> int:
        return resident(self._pid)

    def wait(self, seconds: float) -> int | None:
        self._control.settimeout(seconds)
        try:
            data = self._control.recv(4, socket.MSG_WAITALL)
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
def _fork(node: Node) -> Iterator[tuple[_Forked, socket.socket]]:
    """Fork an answer's process: the guest, and the channel to it."""
    ours, theirs = socket.socketpair()
    readable, writable = os.pipe()
    with ours, contextlib.ExitStack() as stack:
        stack.callback(os.close, readable)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            _command(node.control, b"R", theirs, writable)
        finally:
            theirs.close()
            os.close(writable)
        guest = _Forked(node.control, readable, _sender(ours))
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


def _reply(control: socket.socket) -> str:
    """What a server says of its setup: nothing if it is ready."""
    head = control.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:  # noqa: PLR2004
        raise ServerError("it ended before it was ready")
    size = struct.unpack(">I", head)[0]
    return control.recv(size, socket.MSG_WAITALL).decode("utf-8", "replace") if size else ""


def _stop(process: subprocess.Popen[bytes], launch: Launch) -> None:
    kill(process, launch)
    reap(process, launch)
    assert process.stdout is not None  # noqa: S101
    process.stdout.close()
