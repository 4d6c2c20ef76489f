"""Guests: an answer's process, listened to, held to its limits, and ended for good."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import socket
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from libdrift.environments import Ready
from libdrift.records import TestStyle
from libdrift.sandbox.backends import Backend
from libdrift.sandbox.launched import Fresh, start
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.processes import adopt_orphans
from libdrift.sandbox.reports import Frames, GuestReport, hear
from libdrift.sandbox.supervision import Bounds, supervise

_LEAVE = 2.0  # for a guest that has stopped talking to end by itself
_BUSY = 0.8  # of its time: who had a processor so long would not have been much quicker alone
PATIENCE = 60.0  # for the guest to take what it is sent
_SIGNALS = re.compile(
    r"\bimport signal\b|\bfrom signal\b|SIG[A-Z]{3}|kill|alarm|setitimer|abort|fork|daemon"
    r"|subprocess|multiprocessing|Popen|Executor|joblib|n_jobs"
)


@dataclass(frozen=True, slots=True)
class Program:
    """An answer, and the tests that judge it."""

    answer: str
    tests: str
    style: TestStyle
    module: str = "answer"
    # Whether a fork needs a network of its own, where nothing is left of its predecessors. Only
    # for programs that surely use none is it not worth its price.
    network: bool = True
    expected: str | None = None  # of a script: what it must print
    apis: tuple[str, ...] = ()  # full paths, any of which is the API at stake

    # Whether it may send itself signals, or start processes that outlive it: a fork of it is then
    # not the first process of its namespace, which the kernel spares. Not known: by its text.
    signals: bool | None = None

    def with_signals(self) -> Program:
        """It, and all that is made of it by other tests, alike in that."""
        found = any(map(_SIGNALS.search, (self.answer, self.tests)))
        return self if self.signals is not None else replace(self, signals=found)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Answers that do no harm, for a task's tests to be tried on; the first is the reference."""

    program: Program
    answers: tuple[str, ...]
    learned: dict[str, Any]  # from the reference
    brief: bool = True  # whether of all but the first only the verdict is wanted, not each case

    def job(self, seconds: float) -> dict[str, Any]:
        """What the tests' guest is told."""
        program, brief = self.program, {**self.learned, "brief": self.brief}
        name = program.module if program.style is TestStyle.PYTEST else "__main__"
        told = [
            {"module": name, "answer": answer, "learned": brief if number else self.learned}
            for number, answer in enumerate(self.answers)
        ]
        return {"answers": told, "seconds": seconds, "signals": program.with_signals().signals}


@dataclass(slots=True)
class GuestRun:
    report: GuestReport
    output: Output
    stop: threading.Event
    status: int | None = None
    stopped_by: str = ""  # "time", "memory", "output", "request"
    seconds: float = 0.0
    busy: bool = False  # of one that took too long: whether it had a processor most of that time
    answer_status: int | None = None  # how the answer's own process ended, if it has one
    answer_began: bool = True  # whether that process came as far as the answer


class Output:
    """The guest's output: the beginning and the end are kept, all of it is counted."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def text(self) -> str:
        tail = self._tail[-self._half :]
        left_out = self.total - len(self._head) - len(tail)
        gap = f"\n… {left_out:,} bytes left out …\n".encode() if left_out else b""
        return (bytes(self._head) + gap + bytes(tail)).decode("utf-8", "replace")


class Guest(Protocol):
    """A process that runs an answer, however it was started."""

    @property
    def output(self) -> int:
        """Where its output can be read."""
        ...

    def resident(self) -> int:
        """The memory of all its processes, in bytes."""
        ...

    def processor_seconds(self) -> float:
        """The processor time that its processes have had."""
        ...

    def wait(self, seconds: float) -> int | None:
        """How it ended, if it ends in that time."""
        ...

    def kill(self) -> int:
        """End it and everything that it started; return how it ended."""
        ...


def run_fresh(
    run: GuestRun, program: Program, place: Ready, backend: Backend, limits: Limits, canary: str
) -> None:
    """Run a program in a sandbox and an interpreter of its own."""
    if backend.isolates:
        adopt_orphans()
    started = time.monotonic()
    with _started(place, backend, limits) as (guest, channel, job):
        job["sheet"] = sheet(program, job["work"], canary)
        attend(run, guest, channel, {**job, "answer": program.answer}, limits)
    run.seconds = time.monotonic() - started


def run_fresh_apart(
    run: GuestRun,
    program: Program,
    place: Ready,
    backend: Backend,
    limits: Limits,
    canary: str,
    told: dict[str, Any],
) -> None:
    """Run an answer and its tests each in a sandbox and an interpreter of its own.

    ``told`` is what the tests' guest is told beside: what it imports first, what was learned.
    """
    if backend.isolates:
        adopt_orphans()
    started = time.monotonic()
    one, other = socket.socketpair()
    with contextlib.ExitStack() as stack:
        stack.callback(one.close)
        stack.callback(other.close)
        guest, channel, job = stack.enter_context(_started(place, backend, limits, one.fileno()))
        tests = stack.enter_context(_started(place, backend, limits, other.fileno()))
        one.close()
        other.close()
        job |= answer_job(program)
        beside = Beside(guest, channel, job)
        guest, channel, job = tests
        job["sheet"] = sheet(program, job["work"], canary, apart=True)
        attend(run, guest, channel, {**job, **told}, limits, beside)
    run.seconds = time.monotonic() - started


def run_fresh_rehearsal(
    run: GuestRun,
    program: Program,
    place: Ready,
    backend: Backend,
    limits: Limits,
    canary: str,
    told: dict[str, Any],
) -> None:
    """Run a task's tests on several answers that do no harm, all in one sandbox."""
    if backend.isolates:
        adopt_orphans()
    started = time.monotonic()
    with _started(place, backend, limits) as (guest, channel, job):
        job["sheet"] = sheet(program, job["work"], canary, apart=True)
        attend(run, guest, channel, {**job, **told}, limits)
    run.seconds = time.monotonic() - started


@contextlib.contextmanager
def _started(
    place: Ready, backend: Backend, limits: Limits, *shared: int
) -> Iterator[tuple[Guest, socket.socket, dict[str, Any]]]:
    """A guest in an interpreter of its own, the channel to it, and the beginning of its job."""
    ours, theirs = socket.socketpair()
    with ours, theirs, backend.launch(place, limits, theirs.fileno()) as launch:
        process = start(launch, theirs.fileno(), *shared)
        theirs.close()
        job = {"work": launch.work, "uid": launch.uid, "filter": launch.filters.hex()}
        job["connection"] = shared[0] if shared else None
        guest = Fresh(process, launch)
        with process:
            try:
                yield guest, ours, job
            except BaseException:
                if process.returncode is None:  # nobody got as far as to attend to it
                    guest.kill()
                raise


def answer_job(program: Program) -> dict[str, Any]:
    """What the answer's side of remote judging is told: nothing of its tests."""
    name = program.module if program.style is TestStyle.PYTEST else "__main__"
    return {
        "sheet": None,
        "module": name,
        "answer": program.answer,
        "signals": program.with_signals().signals,
    }


def sheet(program: Program, work: str, canary: str, *, apart: bool = False) -> dict[str, Any]:
    """The tests, as a guest is told of them; ``apart`` if the answer runs in another one."""
    left = secrets.randbelow(10**6)
    return {
        "tests": program.tests,
        "style": program.style.value,
        "module": program.module,
        "work": work,
        "apart": apart,
        "canary": [canary, left, left + 1 + secrets.randbelow(10**6)],
    }


@dataclass(frozen=True, slots=True)
class Beside:
    """The guest that holds the answer, where its tests are run by another."""

    guest: Guest
    channel: socket.socket
    job: dict[str, Any]


def attend(
    run: GuestRun,
    guest: Guest,
    channel: socket.socket,
    job: dict[str, Any],
    limits: Limits,
    beside: Beside | None = None,
) -> None:
    """Give a guest its job, listen until it has ended or gone too far, and end it for good."""
    key = secrets.token_bytes(32)
    guests = [guest, beside.guest] if beside else [guest]
    try:
        if beside:
            beside.channel.settimeout(PATIENCE)
            send(beside.channel, {**beside.job, "limits": asdict(limits)})
        channel.settimeout(PATIENCE)
        send(channel, {**job, "limits": asdict(limits), "key": key.hex()})
        _listen(run, guests, channel, Frames(key), limits)
    except (BrokenPipeError, ConnectionResetError, TimeoutError):
        pass  # it died, or hung, before it read its job: the report is empty, and says so
    finally:
        # The tests first: descriptors that the answer has sent them, and they have not taken, live
        # as long as they do; one of those tells the server that the answer has not ended.
        run.status = _end(guest, run)
        if beside:
            gone = run.report.trouble[0] == "gone"
            left = beside.guest.wait(_LEAVE) if gone else None
            run.answer_status = beside.guest.kill() if left is None else left
            run.answer_began = _began(beside.channel)
        for one in guests:
            _drain(one.output, run)
    if not run.stopped_by and run.output.total > limits.output_bytes:
        run.stopped_by = "output"


def _began(channel: socket.socket) -> bool:
    """Whether a guest that holds an answer has said that it comes to it."""
    channel.settimeout(0)
    try:
        return bool(channel.recv(1))
    except OSError:
        return False


def send(channel: socket.socket, content: dict[str, Any]) -> None:
    text = json.dumps(content).encode("utf-8", "surrogatepass")
    channel.sendall(struct.pack(">I", len(text)) + text)


def _listen(
    run: GuestRun, guests: Sequence[Guest], channel: socket.socket, frames: Frames, limits: Limits
) -> None:
    """Read reports and output until the guests have ended, or one has gone past a limit."""
    report, begun = run.report, time.monotonic()
    ready: list[float] = []

    def deadline() -> float:
        # The limit is the answer's: the time that the guest takes to start is not counted.
        if report.functions is None:
            return begun + PATIENCE
        if not ready:
            ready.append(time.monotonic())
        return ready[0] + limits.wall_seconds

    def hear_report(data: bytes) -> bool:
        if data:
            hear(report, frames, data, channel)
        # At the end nobody is left who could report.
        return not data or report.ended or report.garbled

    def add_output(data: bytes) -> bool:
        run.output.add(data)
        return False

    bounds = Bounds(
        run.stop,
        deadline,
        limits.memory_bytes,
        lambda: sum(guest.resident() for guest in guests),
        lambda: "output" if run.output.total > limits.output_bytes else "",
    )
    outputs = {guest.output: add_output for guest in guests}
    run.stopped_by = supervise({channel.fileno(): hear_report, **outputs}, bounds)
    if run.stopped_by == "time":
        used = sum(guest.processor_seconds() for guest in guests)
        run.busy = used >= _BUSY * limits.wall_seconds


def _end(guest: Guest, run: GuestRun) -> int:
    """Let a finished guest leave, kill one that has not; return the exit status."""
    if not (run.report.ended or run.report.garbled or run.stopped_by):
        status = guest.wait(_LEAVE)
        if status is not None:
            return status
    return guest.kill()


def _drain(output: int, run: GuestRun) -> None:
    os.set_blocking(output, False)
    for _ in range(64):
        try:
            data = os.read(output, 65536)
        except BlockingIOError:
            return
        if not data:
            return
        run.output.add(data)
