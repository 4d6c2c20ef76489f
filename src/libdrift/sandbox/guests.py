"""Guests: started in a sandbox, listened to, held to their limits, and ended for good."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import secrets
import selectors
import signal
import socket
import struct
import subprocess
import threading
import time
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path

from libdrift.environments import Ready
from libdrift.records import TestStyle
from libdrift.sandbox.backends import Backend, Launch
from libdrift.sandbox.limits import Limits

_TICK = 0.1
_PATIENCE = 60.0  # for the guest to take what it is sent
_FRAME_LIMIT = 32 * 1024 * 1024
# How a phase of a test may end, from the best to the worst.
PHASES = ("passed", "xpassed", "xfailed", "skipped", "error", "failed")


@dataclass(frozen=True, slots=True)
class Program:
    """An answer, and the tests that judge it."""

    answer: str
    tests: str
    style: TestStyle
    module: str = "answer"


@dataclass(slots=True)
class Report:
    """What the guest has said so far, in frames whose signature was right."""

    functions: list[str] | None = None  # set by "ready"
    pad: bytes = b""
    loaded: bool = False
    unloaded: str = ""
    stopped: str = ""
    phases: list[tuple[str, str, str, str]] = field(default_factory=list)
    ended: bool = False
    done: set[int] = field(default_factory=set)
    changed: str = ""
    breaches: list[str] = field(default_factory=list)
    garbled: bool = False


@dataclass(slots=True)
class Run:
    report: Report
    output: Output
    stop: threading.Event
    status: int | None = None
    stopped_by: str = ""  # "time", "memory", "output", "request"
    seconds: float = 0.0


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


def run_guest(
    run: Run, program: Program, place: Ready, backend: Backend, limits: Limits, canary: str
) -> None:
    key = secrets.token_bytes(32)
    if backend.isolates:
        _adopt_orphans()
    ours, theirs = socket.socketpair()
    started = time.monotonic()
    with ours, theirs, backend.launch(place, limits, theirs.fileno()) as launch:
        process = subprocess.Popen(
            launch.argv,
            env=launch.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(theirs.fileno(), *launch.descriptors),
            start_new_session=True,
        )
        theirs.close()
        assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
        try:
            ours.settimeout(_PATIENCE)
            _send_job(ours, _job(program, launch, limits, canary), key)
            _listen(run, process, ours, key, limits)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass  # it died, or hung, before it read its job: the report is empty, and says so
        finally:
            run.status = _end(process, run, launch, limits)
            process.stdout.close()
    run.seconds = time.monotonic() - started


def _job(program: Program, launch: Launch, limits: Limits, canary: str) -> dict[str, object]:
    left = secrets.randbelow(10**6)
    return {
        "answer": program.answer,
        "tests": program.tests,
        "style": program.style.value,
        "module": program.module,
        "work": launch.work,
        "uid": launch.uid,
        "limits": asdict(limits),
        "canary": [canary, left, left + 1 + secrets.randbelow(10**6)],
    }


def _send_job(channel: socket.socket, job: dict[str, object], key: bytes) -> None:
    text = json.dumps({**job, "key": key.hex()}).encode("utf-8", "surrogatepass")
    channel.sendall(struct.pack(">I", len(text)) + text)


def _listen(
    run: Run,
    process: subprocess.Popen[bytes],
    channel: socket.socket,
    key: bytes,
    limits: Limits,
) -> None:
    """Read reports and output until the guest has ended, or has gone past a limit."""
    assert process.stdout is not None  # noqa: S101
    frames = _Frames(key)
    # The limit is the answer's: the time that the guest takes to start is not counted.
    ready, deadline = False, time.monotonic() + _PATIENCE
    next_look = 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)
        selector.register(process.stdout, selectors.EVENT_READ)
        while not (run.report.ended or run.report.garbled or run.stopped_by):
            now = time.monotonic()
            if not ready and run.report.functions is not None:
                ready, deadline = True, now + limits.wall_seconds
            if now >= next_look:
                next_look = now + _TICK
                run.stopped_by = _stop_reason(run, process.pid, now >= deadline, limits)
            for event, _ in selector.select(_TICK):
                data = os.read(event.fd, 65536)
                if event.fileobj is channel:
                    if not data:
                        return  # nobody is left who could report
                    for fields in frames.feed(data):
                        _take(run.report, fields, channel)
                        if run.report.garbled:
                            break
                    run.report.garbled |= frames.garbled
                elif data:
                    run.output.add(data)
                else:
                    selector.unregister(event.fileobj)


def _stop_reason(run: Run, pid: int, overdue: bool, limits: Limits) -> str:  # noqa: FBT001
    if run.stop.is_set():
        return "request"
    if overdue:
        return "time"
    if run.output.total > limits.output_bytes:
        return "output"
    return "memory" if resident(pid) > limits.memory_bytes else ""


def _end(process: subprocess.Popen[bytes], run: Run, launch: Launch, limits: Limits) -> int:
    """Let a finished guest leave, kill one that has not; return the exit status."""
    if run.report.ended or run.report.garbled or run.stopped_by:
        _kill(process, launch)
    else:
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            _kill(process, launch)
    _drain(process, run)
    if not run.stopped_by and run.output.total > limits.output_bytes:
        run.stopped_by = "output"
    status = process.wait()
    first = _first_process(launch)
    if first:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(first, 0)
    return status


def _first_process(launch: Launch) -> int | None:
    """The root of the sandbox's process namespace, as the host numbers it."""
    if launch.info is None:
        return None
    with contextlib.suppress(ValueError, KeyError):
        return int(json.loads(os.pread(launch.info, 4096, 0))["child-pid"])
    return None  # it was not that far yet


@functools.cache
def _adopt_orphans() -> None:
    """Become the parent of orphans below us, to reap the sandbox's first process.

    bubblewrap may leave before it has reaped that one; in a container whose first process does
    not reap either, every run would leave a zombie.
    """
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def _drain(process: subprocess.Popen[bytes], run: Run) -> None:
    assert process.stdout is not None  # noqa: S101
    os.set_blocking(process.stdout.fileno(), False)
    for _ in range(64):
        try:
            data = os.read(process.stdout.fileno(), 65536)
        except BlockingIOError:
            return
        if not data:
            return
        run.output.add(data)


def _kill(process: subprocess.Popen[bytes], launch: Launch) -> None:
    """Kill a guest and everything that it started.

    In a sandbox the first process below ours is the root of a process namespace: with it the
    kernel kills all the others, and ours (which must live to see it) ends when they are gone.
    """
    first = _first_process(launch)
    for pid in [first] if first else [*descendants(process.pid), process.pid]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def descendants(pid: int) -> list[int]:
    """All processes below ``pid``, nearest first."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = Path(entry.path, "stat").read_text()
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found, queue = [], [pid]
    while queue:
        below = children.get(queue.pop(0), [])
        found += below
        queue += below
    return found


def resident(pid: int) -> int:
    """Resident memory of ``pid`` and everything below it, in bytes."""
    total = 0
    page = os.sysconf("SC_PAGESIZE")
    for child in descendants(pid):
        try:
            total += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * page
        except (OSError, IndexError):
            continue
    return total


class _Frames:
    """Splits the channel into frames and drops, for good, at the first bad signature."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._buffer = bytearray()
        self._counter = 0
        self.garbled = False

    def feed(self, data: bytes) -> list[list[str]]:
        self._buffer += data
        frames: list[list[str]] = []
        while not self.garbled and len(self._buffer) >= 36:  # noqa: PLR2004  (length + digest)
            size = struct.unpack(">I", self._buffer[:4])[0]
            if size > _FRAME_LIMIT:
                self.garbled = True
                break
            if len(self._buffer) < 36 + size:
                break
            digest, payload = bytes(self._buffer[4:36]), bytes(self._buffer[36 : 36 + size])
            del self._buffer[: 36 + size]
            self._counter += 1
            signed = struct.pack(">Q", self._counter) + payload
            expected = blake2b(signed, key=self._key, digest_size=32).digest()
            if not secrets.compare_digest(digest, expected):
                self.garbled = True
                break
            frames.append([part.decode("utf-8", "replace") for part in payload.split(b"\0")])
        return frames


def _take(report: Report, fields: list[str], channel: socket.socket) -> None:
    """Note what a frame says. Signed or not, it comes from the guest: nothing in it may raise."""
    try:
        _note(report, fields, channel)
    except (ValueError, OSError):
        report.garbled = True


def _note(report: Report, fields: list[str], channel: socket.socket) -> None:
    match fields:
        case ["ready", functions, pad] if report.functions is None:
            report.functions = functions.split("\n") if functions else []
            report.pad = bytes.fromhex(pad)
        case ["loaded"] if not report.loaded and len(report.phases) == 0:
            report.loaded = True
            channel.sendall(struct.pack(">I", len(report.pad)) + report.pad)
        case ["unloaded", reason]:
            report.unloaded = reason
        case ["case", name, outcome, note] if outcome in PHASES:
            report.phases.append((name, "call", outcome, note))
        case ["phase", name, when, outcome, note] if outcome in PHASES:
            report.phases.append((name, when, outcome, note))
        case ["stopped", reason]:
            report.stopped = reason
        case ["end", done, changed, breaches] if not report.ended:
            report.done = {int(index) for index in done.split()}
            report.ended = True
            report.changed = changed
            report.breaches = breaches.split("\n") if breaches else []
        case _:
            report.garbled = True
