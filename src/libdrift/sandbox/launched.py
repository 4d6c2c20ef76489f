"""A guest in a sandbox and an interpreter of its own: started, waited for, killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from dataclasses import dataclass

from libdrift.sandbox.backends import Launch
from libdrift.sandbox.processes import descendants, processor_seconds, resident


def start(launch: Launch, *descriptors: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        launch.argv,
        env=launch.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=(*descriptors, *launch.descriptors),
        start_new_session=True,
    )


@dataclass(frozen=True, slots=True)
class Fresh:
    """A guest in an interpreter of its own."""

    process: subprocess.Popen[bytes]
    launch: Launch

    @property
    def output(self) -> int:
        assert self.process.stdout is not None  # noqa: S101  (PIPE was asked for)
        return self.process.stdout.fileno()

    def resident(self) -> int:
        return resident(self.process.pid)

    def processor_seconds(self) -> float:
        return processor_seconds(self.process.pid)

    def wait(self, seconds: float) -> int | None:
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        return reap(self.process, self.launch)

    def kill(self) -> int:
        kill(self.process, self.launch)
        return reap(self.process, self.launch)


def kill(process: subprocess.Popen[bytes], launch: Launch) -> None:
    """Kill a process in a sandbox and everything that it started.

    In a sandbox the first process below ours is the root of a process namespace: with it the
    kernel kills all the others, and ours (which must live to see it) ends when they are gone.
    """
    first = _first_process(launch)
    if first is None:
        _halt(process)
    for pid in [first] if first else [*descendants(process.pid), process.pid]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _halt(process: subprocess.Popen[bytes]) -> None:
    """Stop a sandbox that is only starting: while it runs, it may start a process unseen."""
    with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
        os.kill(process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def reap(process: subprocess.Popen[bytes], launch: Launch) -> int:
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
