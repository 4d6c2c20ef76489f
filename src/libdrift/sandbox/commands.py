"""Any command, held: compilers, programs that they made, scripts of any Python.

What comes back is what the command printed, how it ended, and the files that were asked for. Unlike
the judge of Python answers, nothing in the sandbox reports on it but its parent, which the command
cannot reach: what a status proves is for the caller to say.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import os
import platform
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from libdrift.sandbox.backends import Backend, Host, Launch, Mounts
from libdrift.sandbox.guests import PATIENCE, Output, send
from libdrift.sandbox.launched import kill, reap
from libdrift.sandbox.limits import Limits
from libdrift.sandbox.processes import Stillness, adopt_orphans, resident
from libdrift.sandbox.supervision import Bounds, Reader, supervise

_FRAME = 1 << 20  # bytes of a frame beside what is kept
_LEAVE = 2.0  # for a guest that has told how it ended to be gone


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and all that it sees beside the system's own folders.

    It starts in ``folder``, or in a private folder where ``files`` are put beforehand and ``keep``
    is read from at the end; names of both are relative to that one.
    """

    argv: tuple[str, ...]  # the program by its full path
    environ: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    read: tuple[Path, ...] = ()  # shown where they are
    write: tuple[Path, ...] = ()  # shown where they are, and its to change
    files: Mapping[str, str | bytes] = field(default_factory=lambda: MappingProxyType({}))
    folder: Path | None = None
    keep: tuple[str, ...] = ()
    still_seconds: float = math.inf  # that it may wait in a row, with nothing in it running


@dataclass(frozen=True, slots=True)
class Ended:
    status: int | None  # 128 and its number for a signal; None: it was ended, or did not start
    stdout: str
    stderr: str
    seconds: float
    stopped_by: str = ""  # time, memory, output, waiting, request
    trouble: str = ""  # why it did not start: the machine's fault, not the command's
    kept: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))


def run(
    command: Command, backend: Backend, limits: Limits, stop: threading.Event | None = None
) -> Ended:
    """Run a command to its end, or to a limit's; nothing that it started outlives this call."""
    if backend.isolates:
        adopt_orphans()
    watch = _Watch(limits, stop or threading.Event(), command.still_seconds)
    mounts = Mounts(command.read, command.write)
    ours, theirs = socket.socketpair()
    with (
        ours,
        theirs,
        backend.launch(_host(), limits, theirs.fileno(), script="command", mounts=mounts) as launch,
        _owned(command.write, launch.uid),
    ):
        process = subprocess.Popen(
            launch.argv,
            env=launch.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs.fileno(), *launch.descriptors),
            start_new_session=True,
        )
        theirs.close()
        with process:
            try:
                ours.settimeout(PATIENCE)
                send(ours, _job(command, launch, limits))
                watch.listen(process, ours)
            except (BrokenPipeError, ConnectionResetError, TimeoutError) as error:
                own = "" if error.errno else str(error)  # what was heard, and not how
                watch.trouble = own or "the sandbox did not start"
            finally:
                _end(process, launch, told=watch.status is not None)
                watch.drain(process)
    return watch.ended()


def _host() -> Host:
    """libdrift's own Python, which starts the command."""
    prefix = Path(sys.base_prefix)
    python = prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    return Host(prefix, python, platform.python_version(), prefix)


def _job(command: Command, launch: Launch, limits: Limits) -> dict[str, Any]:
    files = {
        name: base64.b64encode(content.encode() if isinstance(content, str) else content).decode()
        for name, content in command.files.items()
    }
    return {
        "argv": command.argv,
        "environ": dict(command.environ),
        "files": files,
        "folder": str(command.folder) if command.folder else "",
        "keep": command.keep,
        "work": launch.work,
        "uid": launch.uid,
        "filter": launch.filters.hex(),
        "limits": asdict(limits),
    }


@contextlib.contextmanager
def _owned(folders: tuple[Path, ...], uid: int) -> Iterator[None]:
    """Folders that a guest may write to are its own meanwhile, and ours again afterwards."""
    if not uid:
        yield
        return
    for folder in folders:
        _give(folder, uid)
    try:
        yield
    finally:
        for folder in folders:
            _give(folder, os.getuid())


def _give(folder: Path, uid: int) -> None:
    os.chown(folder, uid, uid)
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(parent, name), uid, uid, follow_symlinks=False)


class _Watch:
    """What is heard of a command, and how far it may go."""

    def __init__(
        self, limits: Limits, stop: threading.Event, still_seconds: float = math.inf
    ) -> None:
        self._limits = limits
        self._stop = stop
        self._still_seconds = still_seconds
        self._stillness: Stillness | None = None
        self._out, self._err = Output(limits.log_bytes), Output(limits.log_bytes)
        self._buffer = bytearray()
        self._begun: float | None = None
        self._seconds = 0.0
        self._kept: dict[str, bytes] = {}
        self._stopped_by = ""
        self.status: int | None = None
        self.trouble = ""

    def listen(self, process: subprocess.Popen[bytes], channel: socket.socket) -> None:
        """Listen until the command has ended, or has gone too far."""
        assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
        assert process.stderr is not None  # noqa: S101
        started = time.monotonic()
        if self._still_seconds < math.inf:
            self._stillness = Stillness(process.pid)

        def deadline() -> float:
            # The limit is the command's: the sandbox's own start is not counted.
            if self._begun is None:
                return started + PATIENCE
            return self._begun + self._limits.wall_seconds

        def hear(data: bytes) -> bool:
            if data:
                self._hear(data)
            return not data or self.status is not None

        def add(output: Output) -> Reader:
            def take(data: bytes) -> bool:
                output.add(data)
                return False

            return take

        self._stopped_by = supervise(
            {
                channel.fileno(): hear,
                process.stdout.fileno(): add(self._out),
                process.stderr.fileno(): add(self._err),
            },
            Bounds(
                self._stop,
                deadline,
                self._limits.memory_bytes,
                lambda: resident(process.pid),
                self._excess,
            ),
        )

    def _excess(self) -> str:
        if self._out.total + self._err.total > self._limits.output_bytes:
            return "output"
        waits = self._begun is not None and self._stillness is not None
        if waits and self._stillness and self._stillness.seconds >= self._still_seconds:
            return "waiting"
        return ""

    def _hear(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 4:  # noqa: PLR2004  (a frame begins with its length)
            size = struct.unpack_from(">I", self._buffer)[0]
            if size > 2 * self._limits.file_bytes + _FRAME:  # what is kept, in base64
                raise ConnectionResetError("the sandbox says more than it was asked for")
            if len(self._buffer) < 4 + size:
                return
            data = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            try:
                self._note(json.loads(data))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise ConnectionResetError("the sandbox said what cannot be read") from None
        if self.status is not None and self._begun is not None:
            self._seconds = time.monotonic() - self._begun

    def _note(self, told: dict[str, Any]) -> None:
        if "ready" in told:
            self._begun = time.monotonic()
        elif "trouble" in told:
            self.trouble = str(told["trouble"])
        else:
            self._kept = {n: base64.b64decode(text) for n, text in told["kept"].items()}
            self.status = int(told["status"])

    def drain(self, process: subprocess.Popen[bytes]) -> None:
        """What is left of its output, of which more may have been written than was read."""
        for stream, output in ((process.stdout, self._out), (process.stderr, self._err)):
            assert stream is not None  # noqa: S101  (PIPE was asked for)
            os.set_blocking(stream.fileno(), False)
            with contextlib.suppress(BlockingIOError):
                while data := os.read(stream.fileno(), 1 << 16):
                    output.add(data)
                    if output.total > self._limits.output_bytes:
                        break
        self._stopped_by = self._stopped_by or self._excess()

    def ended(self) -> Ended:
        if self._begun is None and not self._stopped_by and not self.trouble:
            last = self._err.text().strip().splitlines()[-1:] or ["no word from it"]
            self.trouble = f"the sandbox did not start: {last[0][:300]}"
        if self._begun is not None and self.status is None:
            self._seconds = time.monotonic() - self._begun
        return Ended(
            None if self._stopped_by or self.trouble else self.status,
            self._out.text(),
            self._err.text(),
            round(self._seconds, 3),
            self._stopped_by,
            self.trouble,
            MappingProxyType(self._kept),
        )


def _end(process: subprocess.Popen[bytes], launch: Launch, *, told: bool) -> None:
    if told:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_LEAVE)
    if process.poll() is None:
        kill(process, launch)
    reap(process, launch)
