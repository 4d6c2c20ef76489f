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
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libdrift.environments import Ready
from libdrift.sandbox.backends import Backend
from libdrift.sandbox.guests import PATIENCE, Program, Run, attend, kill, reap, send, sheet, start
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.processes import adopt_orphans, resident

logger = logging.getLogger(__name__)

# A module and "" for `import module`; a module and a name for `from module import name`.
Names = frozenset[tuple[str, str]]
_NOTHING: Names = frozenset()
_IMPORTS = 300.0  # seconds that a server may take to import
_TICK = 0.5
_LEAVES = 4  # a task's tests, and its decoys
_GONE = 10.0  # seconds that a killed answer may take to be gone


class ServerError(Exception):
    """A server that did not start, or died: it is dropped, and its answer run fresh."""


class UnfitError(ServerError):
    """What cannot be forked, now or later: its answers are run fresh."""


@dataclass(frozen=True, slots=True)
class Node:
    """One server of the tree, and what it has imported."""

    control: socket.socket
    names: Names = frozenset()
    canary: str = ""  # of its tests, if it holds some


class Warm:
    """The servers of one worker: those of one environment, grown as answers ask for them."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._stack = contextlib.ExitStack()
        self._place: Ready | None = None
        self._work = ""
        self._nodes: list[Node] = []  # each forked from the one before
        self._leaves: dict[tuple[Names, Program], Node] = {}  # forked from the last, with tests
        # What must be run fresh, and why.
        self._unfit: dict[tuple[str, Names, Program | None], str] = {}
        self._died: set[tuple[str, Names, Program | None]] = set()

    def close(self) -> None:
        self._drop(0)
        self._stack.close()
        self._place = None

    def run(
        self, run: Run, program: Program, place: Ready, limits: Limits, steps: Sequence[Names]
    ) -> str | None:
        """Run a program in a fork; the canary of its tests, or ``None`` if it must run fresh.

        ``steps`` are the modules that may be imported before the answer is, from those that it
        shares with most to all of its own; each step holds the one before. A server is kept for
        each step but the last, and one with the last and the program's tests.
        """
        if not self._backend.isolates:
            return None
        started = time.monotonic()
        try:
            node = self._grow(program, place, limits, steps, run.stop)
            started = time.monotonic()
            with _fork(node) as (guest, channel):
                attend(run, guest, channel, {"answer": program.answer}, limits)
        except UnfitError as error:
            logger.info("%s is run fresh: %s", place.environment, error)
            return None
        except (ServerError, OSError) as error:
            logger.info("a fork server for %s failed: %s", place.environment, error)
            self.close()
            return None
        run.seconds = time.monotonic() - started
        return node.canary

    def _grow(
        self,
        program: Program,
        place: Ready,
        limits: Limits,
        steps: Sequence[Names],
        stop: threading.Event,
    ) -> Node:
        """The server to fork this program's process from."""
        *shared, own = steps or (_NOTHING,)
        for names in (_NOTHING, *shared):
            self._expect_fit(place, names)
        tests = replace(program, answer="")
        self._expect_fit(place, own, tests)
        if self._place is not place:
            self.close()
            with self._noting(place, _NOTHING):
                self._start(place, limits, stop)
        same = 1
        for node, names in zip(self._nodes[1:], shared, strict=False):
            if node.names != names:
                break
            same += 1
        self._drop(same)
        for names in shared[same - 1 :]:
            with self._noting(place, names):
                self._nodes.append(self._spawn(names, None, stop))
        with self._noting(place, own, tests):
            return self._leaf(own, tests, stop)

    def _leaf(self, names: Names, tests: Program, stop: threading.Event) -> Node:
        """The server below the last one that holds these tests."""
        key = (names, tests)
        node = self._leaves.pop(key, None)
        if node is None:
            while len(self._leaves) >= _LEAVES:
                self._leaves.pop(next(iter(self._leaves))).control.close()
            node = self._spawn(names, tests, stop)
        self._leaves[key] = node  # the one used last is the last to go
        return node

    def _expect_fit(self, place: Ready, names: Names, tests: Program | None = None) -> None:
        reason = self._unfit.get((place.environment.key, names, tests))
        if reason:
            raise UnfitError(reason)

    @contextlib.contextmanager
    def _noting(self, place: Ready, names: Names, tests: Program | None = None) -> Iterator[None]:
        """Remember what could not be had: it is not tried again for every answer.

        A server that only died is given a second chance.
        """
        key = (place.environment.key, names, tests)
        try:
            yield
        except (ServerError, OSError) as error:
            if isinstance(error, UnfitError) or key in self._died:
                self._unfit[key] = str(error) or "it ended"
            self._died.add(key)
            raise

    def _start(self, place: Ready, limits: Limits, stop: threading.Event) -> None:
        adopt_orphans()
        ours, theirs = socket.socketpair()
        # Not a pipe: nobody would empty it, and a library that says much would wait for ever.
        said = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        with theirs:
            launched = self._backend.launch(place, limits, theirs.fileno(), server=True)
            launch = self._stack.enter_context(launched)
            process = start(launch, theirs.fileno(), output=said.fileno())
        self._stack.callback(reap, process, launch)
        self._stack.callback(kill, process, launch)
        self._place, self._work, self._nodes = place, launch.work, [Node(ours)]
        common = {
            "work": launch.work,
            "uid": launch.uid,
            "filter": launch.filters.hex(),
            "disk_bytes": limits.disk_bytes,
            "keep": launch.keep,
        }
        try:
            send(ours, common)
            _expect_ready(ours, stop)
        except (ServerError, OSError) as error:
            said.seek(0)
            last = said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            raise ServerError("; ".join([str(error), *last])) from error

    def _spawn(self, names: Names, tests: Program | None, stop: threading.Event) -> Node:
        """Fork a server from the last one, with more imported, or with tests."""
        last = self._nodes[-1]
        canary = f"test_{os.urandom(6).hex()}" if tests else ""
        setup = sheet(tests, self._work, canary) if tests else None
        ours, theirs = socket.socketpair()
        with theirs:
            _command(last.control, b"S", theirs)
        try:
            send(ours, {"imports": sorted(names - last.names), "sheet": setup})
            _expect_ready(ours, stop)
        except BaseException:
            ours.close()
            raise
        return Node(ours, names, canary)

    def _drop(self, depth: int) -> None:
        """End the servers from that depth on, and those with tests, which are below the last."""
        if len(self._nodes) > depth:
            while self._leaves:
                self._leaves.popitem()[1].control.close()
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


def _expect_ready(control: socket.socket, stop: threading.Event) -> None:
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
