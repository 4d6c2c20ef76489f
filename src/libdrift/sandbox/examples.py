"""Examples of documentation, run in the sandbox by a process that has imported their package."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from libdrift.environments import Ready
from libdrift.errors import InfrastructureError
from libdrift.sandbox.backends import Backend, Launch
from libdrift.sandbox.guests import PATIENCE, Output, send
from libdrift.sandbox.launched import kill, reap, start
from libdrift.sandbox.limits import MIB, Limits
from libdrift.sandbox.processes import adopt_orphans, resident

LIMITS = Limits(
    wall_seconds=5.0,  # of a processor, for one example
    cpu_seconds=3600,
    memory_bytes=4096 * MIB,
    processes=128,
    disk_bytes=512 * MIB,
    open_files=512,
)
_IMPORTS = 300.0  # seconds that the modules may take to be imported
_WAITING = 4  # times its own seconds that an example may take, as the guest has it
_GRACE = 10.0  # seconds beyond that, until the server counts as dead
_TICK = 0.25
_LARGEST = 16 * MIB  # a guest keeps half of that

_NONSENSE = "it tells nonsense"

Told = dict[str, Any]
Statements = Sequence[tuple[str, bool]]  # code, and whether the documentation shows it raising


class ExampleServer:
    """One process that has imported a package, and a fork of it for each example.

    ``roots`` are the package's own modules, ``imports`` others that examples use. ``seed`` decides
    how strings are hashed. A server that dies is started again for the next example.
    """

    def __init__(
        self,
        place: Ready,
        backend: Backend,
        roots: Sequence[str],
        imports: Sequence[str] = (),
        *,
        seed: int = 0,
        limits: Limits = LIMITS,
    ) -> None:
        self._place, self._backend, self._limits = place, backend, limits
        self._roots = list(roots)
        self._imports = list(dict.fromkeys((*roots, *imports)))
        self._seed = seed
        self._stack = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._said = Output(limits.log_bytes)
        self.failed: dict[str, str] = {}  # modules that could not be imported, and why
        self.aliases: dict[str, str] = {}  # what the package's own code calls other modules

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()
        self._process = self._channel = None

    def start(self) -> None:
        """Import the modules; raises where not even that goes."""
        if self._backend.isolates:
            adopt_orphans()
        ours, theirs = socket.socketpair()
        self._stack.enter_context(ours)
        with theirs:
            launched = self._backend.launch(
                self._place, self._limits, theirs.fileno(), script="examples"
            )
            launch = self._stack.enter_context(launched)
            launch.argv.append(str(self._seed))
            process = start(launch, theirs.fileno())
        self._process, self._channel = process, ours
        # Emptied, or a library that says much would wait for ever.
        listener = threading.Thread(target=_listen, args=(process, self._said), daemon=True)
        listener.start()
        self._stack.callback(listener.join)
        self._stack.callback(reap, process, launch)
        self._stack.callback(kill, process, launch)
        ours.settimeout(PATIENCE)
        try:
            send(ours, self._job(launch))
            told = self._receive(_IMPORTS)
        except OSError as error:
            told = str(error)
        if not isinstance(told, str) and not _is_of_tables(told, "failed", "aliases"):
            told = _NONSENSE
        if isinstance(told, str):
            last = self._said.text().strip().splitlines()[-1:]
            self.close()
            raise InfrastructureError("; ".join([f"examples cannot be run: {told}", *last]))
        self.failed = {str(name): str(reason) for name, reason in told["failed"].items()}
        self.aliases = {str(name): str(module) for name, module in told["aliases"].items()}

    def run(self, statements: Statements) -> Told:
        """What came of each statement, and how it ended: "", "time", "output" or "died …"."""
        if self._channel is None:
            self.start()
        assert self._channel is not None  # noqa: S101  (started above)
        try:
            self._channel.settimeout(PATIENCE)
            send(self._channel, {"statements": [list(item) for item in statements]})
            told = self._receive(_WAITING * self._limits.wall_seconds + _GRACE)
        except OSError as error:
            told = str(error)
        if not isinstance(told, str) and not _is_told(told):
            told = _NONSENSE
        if isinstance(told, str):
            self.close()
            return {"statements": [], "end": f"died: {told}"}
        return told

    def _job(self, launch: Launch) -> dict[str, Any]:
        return {
            "roots": self._roots,
            "imports": self._imports,
            "seconds": self._limits.wall_seconds,
            "work": launch.work,
            "uid": launch.uid,
            "filter": launch.filters.hex(),
            "limits": asdict(self._limits),
        }

    def _receive(self, seconds: float) -> Told | str:
        """A frame; or why there is none."""
        deadline = time.monotonic() + seconds
        head = self._read(4, deadline)
        if isinstance(head, str):
            return head
        size = struct.unpack(">I", head)[0]
        if size > _LARGEST:
            return "it tells too much"
        body = self._read(size, deadline)
        if isinstance(body, str):
            return body
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            return _NONSENSE
        return found if isinstance(found, dict) else _NONSENSE

    def _read(self, size: int, deadline: float) -> bytes | str:
        assert self._channel is not None  # noqa: S101  (called by who has one)
        assert self._process is not None  # noqa: S101
        self._channel.settimeout(_TICK)
        found = bytearray()
        while len(found) < size:
            try:
                data = self._channel.recv(min(size - len(found), 1 << 16))
            except TimeoutError:
                if time.monotonic() > deadline:
                    return "it took too long"
                if resident(self._process.pid) > self._limits.memory_bytes:
                    return f"it used more than {self._limits.memory_bytes // MIB:,} MiB of memory"
                continue
            if not data:
                return "it ended"
            found += data
        return bytes(found)


# The library shares a process with what reports on it: all that is told may be its own words.


def _is_of_tables(told: Told, *names: str) -> bool:
    return all(isinstance(told.get(name), dict) for name in names)


def _is_told(told: Told) -> bool:
    rows = told.get("statements")
    return (
        isinstance(told.get("end"), str)
        and isinstance(rows, list)
        and all(isinstance(row, list) and _is_statement(row) for row in rows)
    )


def _is_statement(row: list[Any]) -> bool:
    if len(row) != 5:  # noqa: PLR2004  (as the guest tells)
        return False
    output, kind, warnings, error, place = row
    return (
        isinstance(output, str)
        and isinstance(kind, str)
        and isinstance(warnings, list)
        and all(_is_texts(item, 2) for item in warnings)
        and (error is None or _is_error(error))
        and (place is None or isinstance(place, str))
    )


def _is_error(error: Any) -> bool:  # noqa: ANN401  (whatever was told)
    if not isinstance(error, list) or len(error) != 3:  # noqa: PLR2004
        return False
    return _is_texts(error[0]) and _is_texts(error[1:], 2)


def _is_texts(value: Any, count: int | None = None) -> bool:  # noqa: ANN401
    is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return is_list and (count is None or len(value) == count)


def _listen(process: subprocess.Popen[bytes], said: Output) -> None:
    assert process.stdout is not None  # noqa: S101  (PIPE is the default)
    with process.stdout as stream:
        while data := os.read(stream.fileno(), 65536):
            said.add(data)
