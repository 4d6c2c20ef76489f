"""The judge: starts a guest, listens to its signed reports, and decides from outside."""

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
from libdrift.records import Case, Outcome, TestStyle
from libdrift.sandbox.backends import Backend, Launch
from libdrift.sandbox.limits import Limits

_TICK = 0.1
_FRAME_LIMIT = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Program:
    """An answer, and the tests that judge it."""

    answer: str
    tests: str
    style: TestStyle
    module: str = "answer"
    starter: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    outcome: Outcome
    reason: str
    seconds: float
    cases: tuple[Case, ...] = ()
    log: str = ""


@dataclass(slots=True)
class _Report:
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
class _Run:
    report: _Report
    output: _Output
    stop: threading.Event
    first: int = 0  # the sandbox's first process, as the host numbers it
    status: int | None = None
    stopped_by: str = ""  # "time", "memory", "output", "request"
    seconds: float = 0.0


class _Output:
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


def judge(
    program: Program,
    place: Ready,
    backend: Backend,
    limits: Limits,
    stop: threading.Event | None = None,
) -> Judgement:
    """Run the program's tests on its answer in ``place``; the verdict is the host's alone.

    Setting ``stop`` ends the run at once; its judgement is then infrastructure.
    """
    canary = f"test_{secrets.token_hex(6)}"
    run = _Run(_Report(), _Output(limits.log_bytes), stop or threading.Event())
    _run(run, program, place, backend, limits, canary)
    outcome, reason = _decide(run, program, limits, canary)
    cases = _cases(run.report, canary)
    return Judgement(outcome, reason, round(run.seconds, 3), tuple(cases), run.output.text())


# --- running ---------------------------------------------------------------------------------


def _run(
    run: _Run, program: Program, place: Ready, backend: Backend, limits: Limits, canary: str
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
            ours.setblocking(True)  # noqa: FBT003
            _send_job(ours, _job(program, launch, limits, canary), key)
            _listen(run, process, ours, key, limits)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it died before it read its job: the report is empty, and says so
        finally:
            run.status = _end(process, run, isolated=backend.isolates)
            process.stdout.close()
    run.seconds = time.monotonic() - started


def _job(program: Program, launch: Launch, limits: Limits, canary: str) -> dict[str, object]:
    left = secrets.randbelow(10**6)
    return {
        "answer": program.answer,
        "tests": program.tests,
        "starter": program.starter,
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
    run: _Run,
    process: subprocess.Popen[bytes],
    channel: socket.socket,
    key: bytes,
    limits: Limits,
) -> None:
    """Read reports and output until the guest has ended, or has gone past a limit."""
    assert process.stdout is not None  # noqa: S101
    frames = _Frames(key)
    deadline = time.monotonic() + limits.wall_seconds
    next_look = 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.get_map() and not run.report.ended:
            now = time.monotonic()
            if now >= deadline:
                run.stopped_by = "time"
                return
            if now >= next_look:
                next_look = now + _TICK
                if run.stop.is_set():
                    run.stopped_by = "request"
                    return
                if resident(process.pid) > limits.memory_bytes:
                    run.stopped_by = "memory"
                    return
            for event, _ in selector.select(min(_TICK, deadline - now)):
                data = os.read(event.fd, 65536)
                if not data:
                    selector.unregister(event.fileobj)
                    if event.fileobj is channel:
                        return  # nobody is left who could report
                elif event.fileobj is channel:
                    for fields in frames.feed(data):
                        _take(run.report, fields, channel)
                        run.first = run.first or _first_child(process.pid)
                    run.report.garbled |= frames.garbled
                    if run.report.garbled:
                        return
                else:
                    run.output.add(data)
                    if run.output.total > limits.output_bytes:
                        run.stopped_by = "output"
                        return


def _end(process: subprocess.Popen[bytes], run: _Run, *, isolated: bool) -> int:
    """Let a finished guest leave, kill one that has not; return the exit status."""
    if run.report.ended or run.report.garbled or run.stopped_by:
        _kill(process, run, isolated=isolated)
    else:
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            _kill(process, run, isolated=isolated)
    _drain(process, run)
    status = process.wait()
    if isolated and run.first:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(run.first, 0)
    return status


@functools.cache
def _adopt_orphans() -> None:
    """Become the parent of orphans below us, to reap the sandbox's first process.

    bubblewrap may leave before it has reaped that one; in a container whose first process does
    not reap either, every run would leave a zombie.
    """
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def _first_child(pid: int) -> int:
    return next(iter(_descendants(pid)), 0)


def _drain(process: subprocess.Popen[bytes], run: _Run) -> None:
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


def _kill(process: subprocess.Popen[bytes], run: _Run, *, isolated: bool) -> None:
    """Kill a guest and everything that it started.

    In a sandbox the first process below ours is the root of a process namespace: with it the
    kernel kills all the others, and ours (which must live to see it) ends when they are gone.
    """
    below = _descendants(process.pid)
    run.first = run.first or next(iter(below), 0)
    for pid in below[:1] if isolated and below else [*below, process.pid]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _descendants(pid: int) -> list[int]:
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
    for child in _descendants(pid):
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


def _take(report: _Report, fields: list[str], channel: socket.socket) -> None:
    match fields:
        case ["ready", functions, pad]:
            report.functions = functions.split("\n") if functions else []
            report.pad = bytes.fromhex(pad)
        case ["loaded"]:
            report.loaded = True
            channel.sendall(struct.pack(">I", len(report.pad)) + report.pad)
        case ["unloaded", reason]:
            report.unloaded = reason
        case ["case", name, outcome, note]:
            report.phases.append((name, "call", outcome, note))
        case ["phase", name, when, outcome, note]:
            report.phases.append((name, when, outcome, note))
        case ["stopped", reason]:
            report.stopped = reason
        case ["end", done, changed, breaches]:
            report.ended = True
            report.done = {int(index) for index in done.split()}
            report.changed = changed
            report.breaches = breaches.split("\n") if breaches else []
        case _:
            report.garbled = True


# --- deciding --------------------------------------------------------------------------------


def _cases(report: _Report, canary: str) -> list[Case]:
    """One case per test, by its worst phase; the canary is nobody's business."""
    worst: dict[str, str] = {}
    order = ["passed", "xpassed", "xfailed", "skipped", "error", "failed"]
    for name, when, outcome, _ in report.phases:
        if canary in name:
            continue
        seen = "error" if outcome == "failed" and when != "call" else outcome
        if name not in worst or order.index(seen) > order.index(worst[name]):
            worst[name] = seen
    return [Case(name, outcome) for name, outcome in worst.items()]


def _decide(run: _Run, program: Program, limits: Limits, canary: str) -> tuple[Outcome, str]:
    report = run.report
    if run.stopped_by == "request":
        return Outcome.INFRASTRUCTURE, "interrupted"
    if report.functions is None:
        last = (run.output.text().strip().splitlines() or ["no output"])[-1]
        return Outcome.INFRASTRUCTURE, f"the guest did not start: {last[:300]}"
    if report.garbled:
        return Outcome.FAILED, "tampered: wrote to the judge's channel"
    if run.stopped_by == "time":
        return Outcome.TIMEOUT, f"over the time limit of {limits.wall_seconds:g} s"
    if run.stopped_by:
        return Outcome.ERROR, f"over the {run.stopped_by} limit"
    if report.breaches:
        return Outcome.FAILED, f"tampered: {report.breaches[0]}"
    if report.unloaded:
        return Outcome.ERROR, f"the answer does not load: {report.unloaded}"
    if report.changed:
        return Outcome.FAILED, f"tampered: changed {report.changed}, which its tests judge with"
    if not report.ended:
        return Outcome.ERROR, f"ended before its tests did ({_status(run.status)})"
    return _decide_cases(report, program, canary)


def _decide_cases(report: _Report, program: Program, canary: str) -> tuple[Outcome, str]:
    cases = _cases(report, canary)
    broken = [phase for phase in report.phases if phase[2] == "failed" and canary not in phase[0]]
    errors = [phase for phase in report.phases if phase[2] == "error"]
    if errors:
        return Outcome.ERROR, f"the tests do not load: {errors[0][3]}"
    if broken:
        return Outcome.FAILED, f"{broken[0][0]}: {broken[0][3]}"
    if program.style is TestStyle.PYTEST:
        alarm = [phase for phase in report.phases if canary in phase[0] and phase[1] == "call"]
        if not alarm:
            return Outcome.ERROR, f"ended before its tests did ({report.stopped or 'no more'})"
        if alarm[0][2] != "failed":
            return Outcome.FAILED, "tampered: a test that must fail passed"
    elif -1 not in report.done:
        return Outcome.FAILED, "tampered: the test did not run to its end"
    return _decide_completeness(report, program, cases)


def _decide_completeness(
    report: _Report, program: Program, cases: list[Case]
) -> tuple[Outcome, str]:
    """Every test of the source was run, to its end, and none was talked out of it."""
    declared = any(word in program.tests for word in ("skip", "xfail", "importorskip"))
    for case in cases:
        if case.outcome != "passed" and not declared:
            return Outcome.FAILED, f"{case.name}: {case.outcome}"
    passed = [case.name for case in cases if case.outcome == "passed"]
    if not passed:
        return Outcome.FAILED, "no test passed"
    if program.style is TestStyle.PYTEST:
        functions = report.functions or []
        ran = {name.split("[")[0].rpartition("::")[2] for name in (c.name for c in cases)}
        missing = [name for name in functions if name not in ran]
        if missing:
            return Outcome.FAILED, f"tampered: {missing[0]} was not run"
        signed = {functions[index] for index in report.done if 0 <= index < len(functions)}
        for name in passed:
            function = name.split("[")[0].rpartition("::")[2]
            # A method that a test class inherits from a library is not in the source.
            if function in functions and function not in signed:
                return Outcome.FAILED, f"tampered: {function} did not run to its end"
    return Outcome.PASSED, ""


def _status(status: int | None) -> str:
    if status is None:
        return "no exit status"
    # bubblewrap reports a signal of its child as 128 + number.
    number = -status if status < 0 else status - 128 if status > 128 else 0  # noqa: PLR2004
    if number:
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"exit status {status}"
    return f"exit status {status}"
