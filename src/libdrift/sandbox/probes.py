"""Probes: a package imported inside the sandbox, to tell what it offers.

The frames that come back are the library's word about itself: they are counted, kept, and left to
others to read with distrust.
"""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from libdrift.environments import Ready
from libdrift.sandbox.backends import Backend, Launch
from libdrift.sandbox.guests import PATIENCE, Output, send
from libdrift.sandbox.launched import kill, reap, start
from libdrift.sandbox.limits import MIB, Limits
from libdrift.sandbox.processes import adopt_orphans, resident
from libdrift.sandbox.supervision import Bounds, supervise

LIMITS = Limits(
    wall_seconds=900.0,
    cpu_seconds=900,
    memory_bytes=8192 * MIB,
    processes=256,
    disk_bytes=1024 * MIB,
    open_files=1024,
    output_bytes=64 * MIB,
)
_PAYLOAD = 256 * MIB
_QUIET = 120.0  # seconds for one module, before it is taken to hang
_TRIES = 8  # each finds one module that hangs or kills the process
_LEAVE = 2.0  # seconds for a guest that has stopped talking to end by itself


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """What to import, and what to look for."""

    roots: tuple[str, ...]
    owned: tuple[str, ...] = ()  # packages that are its own; the roots, if none are named
    claims: Mapping[str, Sequence[str]] = field(default_factory=dict)  # names by scope


@dataclass(slots=True)
class _Run:
    frames: list[bytes] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    size: int = 0
    at: str = ""  # the module that is being looked at
    described: bool = False  # whether any was described, not only imported
    ended: bool = False
    trouble: str = ""


def probe(
    question: ProbeQuestion,
    place: Ready,
    backend: Backend,
    limits: Limits = LIMITS,
    *,
    quiet: float = _QUIET,
) -> tuple[bytes, ...] | str:
    """What the package told, frame by frame; or why nothing could be learnt, in one line.

    A module that hangs or ends the process is left out in another run, and noted as failed.
    """
    deadline = time.monotonic() + limits.wall_seconds
    left_out: dict[str, str] = {}
    suspected: set[str] = set()
    best = _Run()
    for _ in range(_TRIES):
        remaining = max(1.0, deadline - time.monotonic())
        allowed = replace(limits, wall_seconds=remaining)
        run = _run(question, left_out, place, backend, allowed, quiet)
        best = run if run.ended or len(run.frames) >= len(best.frames) else best
        if run.ended or not run.at or run.at in left_out or time.monotonic() > deadline:
            break
        if "SIGKILL" in run.trouble and run.at not in suspected:
            suspected.add(run.at)  # who killed it may not do so again; what kills itself will
        else:
            left_out[run.at] = run.trouble
    if not best.described:
        return _reason(best, left_out)
    failures = {**best.failures, **left_out}
    return (*best.frames, *(_failed(module, reason) for module, reason in failures.items()))


def _reason(run: _Run, left_out: Mapping[str, str]) -> str:
    for module, reason in {**left_out, **run.failures}.items():
        return f"{module} could not be imported: {reason}"
    return f"the probe failed: {run.trouble or 'it told nothing'}"


def _failed(module: str, reason: str) -> bytes:
    return json.dumps({"frame": "failed", "module": module, "reason": reason}).encode()


def _run(
    question: ProbeQuestion,
    left_out: Mapping[str, str],
    place: Ready,
    backend: Backend,
    limits: Limits,
    quiet: float,
) -> _Run:
    if backend.isolates:
        adopt_orphans()
    run, said = _Run(), Output(limits.log_bytes)
    ours, theirs = socket.socketpair()
    with ours, theirs, backend.launch(place, limits, theirs.fileno(), script="probe") as launch:
        process = start(launch, theirs.fileno())
        theirs.close()
        with process:
            try:
                ours.settimeout(PATIENCE)
                send(ours, _job(question, left_out, launch, limits))
                run.trouble = _listen(run, ours, process, said, limits, quiet)
            except (BrokenPipeError, ConnectionResetError, TimeoutError):
                run.trouble = "it did not take its job"
            finally:
                status = _end(process, launch, wait=not run.trouble)
    if not run.ended and not run.trouble:
        last = said.text().strip().splitlines()[-1:] if not run.at else []
        run.trouble = "; ".join([f"it ended the process ({_ending(status)})", *last])
    return run


def _job(
    question: ProbeQuestion, left_out: Mapping[str, str], launch: Launch, limits: Limits
) -> dict[str, Any]:
    return {
        "roots": question.roots,
        "owned": question.owned,
        "claims": {scope: list(names) for scope, names in question.claims.items()},
        "skip": list(left_out),
        # What is not imported by then is left out, so that there is time to describe the rest.
        "import_seconds": limits.wall_seconds / 2,
        "work": launch.work,
        "uid": launch.uid,
        "filter": launch.filters.hex(),
        "limits": asdict(limits),
    }


def _listen(
    run: _Run,
    channel: socket.socket,
    process: subprocess.Popen[bytes],
    said: Output,
    limits: Limits,
    quiet: float,
) -> str:
    """Take frames until the guest ends; or why it has to be ended."""
    assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
    buffer = bytearray()
    begun = time.monotonic()
    heard = [begun]

    def hear(data: bytes) -> bool:
        heard[0] = time.monotonic()
        buffer.extend(data)
        _take(run, buffer)
        return not data or run.ended  # at the end nobody is left who could tell more

    def add(data: bytes) -> bool:
        said.add(data)
        return False

    stopped_by = supervise(
        {channel.fileno(): hear, process.stdout.fileno(): add},
        Bounds(
            threading.Event(),
            lambda: min(begun + limits.wall_seconds, heard[0] + quiet),
            limits.memory_bytes,
            lambda: resident(process.pid),
            lambda: _excess(run, said, limits),
        ),
    )
    if stopped_by == "time":
        return f"it took more than {time.monotonic() - heard[0]:.0f} s"
    if stopped_by == "memory":
        return f"it used more than {limits.memory_bytes // MIB:,} MiB of memory"
    return stopped_by


def _excess(run: _Run, said: Output, limits: Limits) -> str:
    if run.size > _PAYLOAD:
        return f"it told more than {_PAYLOAD // MIB} MiB"
    if said.total > limits.output_bytes:
        return f"it printed more than {limits.output_bytes // MIB} MiB"
    return ""


def _take(run: _Run, buffer: bytearray) -> None:
    """Move whole frames out of the buffer."""
    start_of = 0
    while len(buffer) >= start_of + 4:
        size = struct.unpack_from(">I", buffer, start_of)[0]
        if len(buffer) < start_of + 4 + size:
            break
        frame = bytes(buffer[start_of + 4 : start_of + 4 + size])
        start_of += 4 + size
        run.size += size
        match frame[:1]:
            case b"@" | b">":
                run.at = frame[1:].decode("utf-8", "replace")
                run.described |= frame[:1] == b">"
            case b"!":
                module, _, reason = frame[1:].decode("utf-8", "replace").partition("\0")
                run.failures[module] = reason
            case b".":
                run.ended = True
            case _:
                run.frames.append(frame)
    del buffer[:start_of]


def _end(process: subprocess.Popen[bytes], launch: Launch, *, wait: bool) -> int:
    if wait:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_LEAVE)
    if process.poll() is None:
        kill(process, launch)
    return reap(process, launch)


def _ending(status: int) -> str:
    # bubblewrap gives the signal that killed its child as 128 and its number.
    number = -status if status < 0 else status - 128
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"status {status}"
