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

_IS_ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT


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
    for pid in _to_kill(process, launch):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _end_first(process, launch)


def _to_kill(process: subprocess.Popen[bytes], launch: Launch) -> list[int]:
    if launch.info is None:
        _halt(process)
        return [*descendants(process.pid), process.pid]
    # One that is only starting may have started its first process, unseen: that is ended after it.
    # It is not stopped to look: were we killed then, it would stay so.
    return [_first_process(launch) or process.pid]


def _halt(process: subprocess.Popen[bytes]) -> None:
    """Stop what has no sandbox: while it runs, it may start a process unseen."""
    with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
        os.kill(process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def reap(process: subprocess.Popen[bytes], launch: Launch) -> int:
    status = process.wait()
    _end_first(process, launch)
    return status


def _end_first(process: subprocess.Popen[bytes], launch: Launch) -> None:
    """End what a sandbox that is gone has left: orphans come to us.

    That is its first process, as a rule dead already. A sandbox that ends while it starts leaves
    it alive, waiting for ever to be told to go on: either its number was told, or it is still in
    the group of processes that was the sandbox's own. No descriptor is needed: there may be none.
    """
    if launch.info is None:
        return
    first = _first_process(launch)
    group = process.pid
    # Only of our own children is it certain that the number is not another's by now.
    with contextlib.suppress(ChildProcessError):
        if first:
            if os.waitid(os.P_PID, first, _IS_ENDED) is None:
                os.kill(first, signal.SIGKILL)
            os.waitpid(first, 0)
        while not first:
            if os.waitid(os.P_PGID, group, _IS_ENDED) is None:
                os.killpg(group, signal.SIGKILL)
            os.waitpid(-group, 0)


def _first_process(launch: Launch) -> int | None:
    """The root of the sandbox's process namespace, as the host numbers it."""
    if launch.info is None:
        return None
    with contextlib.suppress(ValueError, KeyError):
        return int(json.loads(os.pread(launch.info, 4096, 0))["child-pid"])
    return None  # it was not that far yet
