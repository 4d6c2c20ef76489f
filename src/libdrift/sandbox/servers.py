"""Fork servers: a warm process per environment, from which each answer is forked.

A server's own process only ever runs libdrift's guest code and what the environment holds. An
answer runs in a fork with namespaces of its own, as closed as a fresh sandbox; verdicts are the
same either way, only sooner. What cannot be forked (a library that starts threads when it is
imported, a kernel without nested namespaces) is run fresh.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from libdrift.environments import Ready
from libdrift.records import TestStyle
from libdrift.sandbox.backends import Backend
from libdrift.sandbox.forks import (
    NOTHING,
    Forked,
    Names,
    Node,
    ServerError,
    UnfitError,
    expect_ready,
    fork,
)
from libdrift.sandbox.guests import (
    Beside,
    GuestRun,
    Output,
    Program,
    answer_job,
    attend,
    send,
    sheet,
)
from libdrift.sandbox.launched import kill, reap, start
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.processes import adopt_orphans

logger = logging.getLogger(__name__)

# An environment, a style of tests, what is imported, and the tests, if it is about some.
_Key = tuple[str, TestStyle, Names, "Program | None", bool]
_LEAVES = 8  # a task's tests and its decoys, and servers for answers that run apart


@dataclass(slots=True)
class _Chain:
    """Servers forked from one another, and below the last those that hold tests."""

    nodes: list[Node]
    leaves: dict[tuple[Names, Program | None, bool], Node] = field(default_factory=dict)
    asked: set[tuple[Names, Program, bool]] = field(default_factory=set)  # for these tests, once

    def shared_with(self, steps: Sequence[Names]) -> int:
        """How many of these steps are there already."""
        same = 0
        for node, names in zip(self.nodes[1:], steps, strict=False):
            if node.names != names:
                break
            same += 1
        return same

    def leaf(
        self, names: Names, tests: Program | None, work: str, stop: threading.Event, *, apart: bool
    ) -> tuple[Node, dict[str, Any] | None]:
        """The server below the last one that has imported these names, and holds these tests.

        Tests that are asked for the first time are to be told to the fork: most are run but once.
        Those that share a process with their answer always are: real tests are run more often than
        decoys, and an answer could tell a fork that was told them from one of a server that held
        them (by what garbage collection is frozen, by its own processor time).
        """
        if tests is None:
            return self._kept((names, None, False), self._nearest(names), stop, None), None
        above, _ = self.leaf(names, None, work, stop, apart=False)
        key = (names, tests, apart)
        told = sheet(tests, work, f"test_{os.urandom(6).hex()}", apart=apart)
        if not apart or key not in self.asked:
            self.asked.add(key)
            return above, told
        return self._kept(key, above, stop, told), None

    def _nearest(self, names: Names) -> Node:
        """The server that has most of these names imported, and nothing else."""
        plain = [key for key in self.leaves if key[1] is None and key[0] < names]
        if not plain:
            return self.nodes[-1]
        key = max(plain, key=lambda key: len(key[0]))
        self.leaves[key] = self.leaves.pop(key)  # used now: what makes room for its child is older
        return self.leaves[key]

    def _kept(
        self,
        key: tuple[Names, Program | None, bool],
        above: Node,
        stop: threading.Event,
        told: dict[str, Any] | None,
    ) -> Node:
        node = self.leaves.pop(key, None)
        if node is None:
            while len(self.leaves) >= _LEAVES:
                self.leaves.pop(next(iter(self.leaves))).control.close()
            node = above.spawn(key[0], stop, told)
        self.leaves[key] = node  # the one used last is the last to go
        return node

    def drop(self, depth: int) -> None:
        """End the servers from that depth on, and with them those that hold tests."""
        if len(self.nodes) > depth:
            self.asked.clear()
            while self.leaves:
                self.leaves.popitem()[1].control.close()
        while len(self.nodes) > depth:
            self.nodes.pop().control.close()


class Warm:
    """The servers of one worker: those of one environment, grown as answers ask for them."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._stack = contextlib.ExitStack()
        self._place: Ready | None = None
        self._work = ""
        self._root: Node | None = None
        self._chains: dict[TestStyle, _Chain] = {}  # scripts must not see that pytest is there
        # What must be run fresh, and why.
        self._unfit: dict[_Key, str] = {}
        self._died: set[_Key] = set()

    def close(self) -> None:
        for chain in self._chains.values():
            chain.drop(0)
        self._chains.clear()
        if self._root is not None:
            self._root.control.close()
        self._root = self._place = None
        self._stack.close()

    def run(
        self, run: GuestRun, program: Program, place: Ready, limits: Limits, steps: Sequence[Names]
    ) -> str | None:
        """Run a program in a fork; the canary of its tests, or ``None`` if it must run fresh.

        ``steps`` are the modules that may be imported before the answer is, from those that it
        shares with most to all of its own; each step holds the one before. A server is kept for
        each step but the last, and one with the last and the program's tests.
        """

        def go() -> str:
            tests = replace(program, answer="", network=True, signals=None)
            node, told = self._grow(program.style, tests, place, limits, steps, run.stop)
            job = {
                "answer": program.answer,
                "signals": program.with_signals().signals,
                "sheet": told,
            }
            with fork(node, network=program.network) as (guest, channel):
                return self._timed(run, node, guest, channel, job, limits)

        return self._try(place, go)

    def run_apart(
        self,
        run: GuestRun,
        program: Program,
        place: Ready,
        limits: Limits,
        steps: tuple[Sequence[Names], Names],
        learned: dict[str, Any] | None,
    ) -> str | None:
        """Run an answer in one fork and its tests in another; as ``run`` otherwise.

        ``steps`` are what may be imported ahead for the answer, and all that is for its tests.
        Both are forked from the servers of pytest tests: what is imported once serves all.
        """

        def go() -> str:
            tests = replace(program, answer="", network=True, signals=None)
            style, (own, theirs) = TestStyle.PYTEST, steps
            one, other = socket.socketpair()
            with one, other, contextlib.ExitStack() as stack:
                shared = (*own[:-1], theirs.union(*own[:-1]))
                # The answer's first: its tests mostly import the same and more, and begin there.
                node, _ = self._grow(style, None, place, limits, own, run.stop)
                judge, told = self._grow(style, tests, place, limits, shared, run.stop, apart=True)
                forked = fork(node, one.fileno(), network=program.network)
                guest, channel = stack.enter_context(forked)
                one.close()
                beside = Beside(guest, channel, answer_job(program))
                guest, channel = stack.enter_context(fork(judge, other.fileno(), network=False))
                other.close()
                job = {"learned": learned, "signals": program.with_signals().signals, "sheet": told}
                return self._timed(run, judge, guest, channel, job, limits, beside)

        return self._try(place, go)

    def run_rehearsal(
        self,
        run: GuestRun,
        program: Program,
        place: Ready,
        limits: Limits,
        steps: Sequence[Names],
        job: dict[str, Any],
    ) -> str | None:
        """Run a task's tests on several answers that do no harm, in one fork."""

        def go() -> str:
            tests, style = replace(program, answer="", network=True, signals=None), TestStyle.PYTEST
            node, told = self._grow(style, tests, place, limits, steps, run.stop, apart=True)
            with fork(node, network=False) as (guest, channel):
                return self._timed(run, node, guest, channel, {**job, "sheet": told}, limits)

        return self._try(place, go)

    def _try(self, place: Ready, go: Callable[[], str]) -> str | None:
        """What ``go`` returns; ``None`` where this cannot be forked."""
        if not self._backend.isolates:
            return None
        try:
            return go()
        except UnfitError as error:
            logger.info("%s is run fresh: %s", place.environment, error)
        except (ServerError, OSError) as error:
            logger.info("a fork server for %s failed: %s", place.environment, error)
            self.close()
        return None

    @staticmethod
    def _timed(
        run: GuestRun,
        node: Node,
        guest: Forked,
        channel: socket.socket,
        job: dict[str, Any],
        limits: Limits,
        beside: Beside | None = None,
    ) -> str:
        started = time.monotonic()
        attend(run, guest, channel, job, limits, beside)
        run.seconds = time.monotonic() - started
        told = job["sheet"]
        return str(told["canary"][0]) if told else node.canary

    def _grow(
        self,
        style: TestStyle,
        tests: Program | None,
        place: Ready,
        limits: Limits,
        steps: Sequence[Names],
        stop: threading.Event,
        *,
        apart: bool = False,
    ) -> tuple[Node, dict[str, Any] | None]:
        """The server to fork a program's process from, and the tests if it does not hold them."""
        *shared, own = steps or (NOTHING,)
        key = place.environment.key
        keys: list[_Key] = [(key, style, names, None, False) for names in (NOTHING, *shared)]
        last: _Key = (key, style, own, tests, apart)
        for key_ in (*keys, last):
            if key_ in self._unfit:
                raise UnfitError(self._unfit[key_])
        with self._noting(keys[0]):
            if self._place is not place:
                self.close()
                self._start(place, limits, stop)
            if style not in self._chains:
                assert self._root is not None  # noqa: S101  (started above)
                session = style is TestStyle.PYTEST
                node = self._root.spawn(NOTHING, stop, session=session)
                self._chains[style] = _Chain([node])
        chain = self._chains[style]
        chain.drop(1 + chain.shared_with(shared))
        for key_ in keys[len(chain.nodes) :]:
            with self._noting(key_):
                chain.nodes.append(chain.nodes[-1].spawn(key_[2], stop))
        with self._noting(last):
            return chain.leaf(own, tests, self._work, stop, apart=apart)

    @contextlib.contextmanager
    def _noting(self, key: _Key) -> Iterator[None]:
        """Remember what could not be had: it is not tried again for every answer.

        A server that only died is given a second chance.
        """
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
        with theirs:
            launched = self._backend.launch(place, limits, theirs.fileno(), script="server")
            launch = self._stack.enter_context(launched)
            process = start(launch, theirs.fileno())
        said = Output(limits.log_bytes)
        # Emptied, or a library that says much would wait for ever.
        listener = threading.Thread(target=_listen, args=(process, said), daemon=True)
        listener.start()
        self._stack.callback(listener.join)
        self._stack.callback(reap, process, launch)
        self._stack.callback(kill, process, launch)
        self._place, self._work, self._root = place, launch.work, Node(ours)
        common = {
            "work": launch.work,
            "uid": launch.uid,
            "filter": launch.filters.hex(),
            "disk_bytes": limits.disk_bytes,
            "keep": launch.keep,
        }
        try:
            send(ours, common)
            expect_ready(ours, stop)
        except (ServerError, OSError) as error:
            last = said.text().strip().splitlines()[-1:]
            raise ServerError("; ".join([str(error), *last])) from error


def _listen(process: subprocess.Popen[bytes], said: Output) -> None:
    assert process.stdout is not None  # noqa: S101  (PIPE is the default)
    with process.stdout as stream:
        while data := os.read(stream.fileno(), 65536):
            said.add(data)
