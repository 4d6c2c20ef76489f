"""Processes that answer one job at a time, and may die of it."""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

from libdrift import temporary
from libdrift.errors import InfrastructureError

# Not forked from a process that has threads, and quick to start: it has imported all by then.
_CONTEXT = multiprocessing.get_context("forkserver")
_PRELOADED = ["libdrift.mining.quiet_forking", "libdrift.mining.reading"]
_MEMORY = 3 << 30  # bytes of address space: then a MemoryError, before the machine runs out
_TIRED = 400 << 10  # kB at a worker's peak, after which a fresh one takes over
_SOCKET_PATH = 88  # characters of a folder: addresses of sockets are no longer than 107
_STARTING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer. ``slow``: because time was up, so that another attempt would be no better."""

    slow: bool = False


class Worker:
    """``make`` gives, in the process, the function that answers; it must not raise."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]], seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._stopped = False

    def ask(self, job: object) -> Any | Lost:  # noqa: ANN401  (what ``make``'s function gives)
        if self._stopped:
            return Lost()
        line = self._line or self._start()
        try:
            line.send(job)
            if not line.poll(self._seconds):
                self.end()
                return Lost(slow=True)
            answer, tired = line.recv()
        except (EOFError, OSError):
            self.end()
            return Lost()
        if tired:
            self.end()
        return answer

    def stop(self) -> None:
        """For good, and at once; from any thread."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def _start(self) -> Connection:
        _CONTEXT.set_forkserver_preload(_PRELOADED)
        _keep_sockets()
        self._line, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_serve, args=(theirs, self._make), daemon=True)
        # Ctrl-C is for the parent alone: a helper that is just starting would end with a trace.
        # The tracker, which multiprocessing starts first, would undo the mask.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _without_main():
                process.start()
        except (OSError, EOFError) as error:  # the latter: of the process that forks
            theirs.close()
            self._line.close()
            self._line = None
            raise InfrastructureError(
                f"no process can be started to read releases: {error or 'none is left'}",
                "See `ulimit -a`; the same command continues from here",
            ) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._process = process
        if self._stopped:  # meanwhile
            process.kill()
        return self._line

    def end(self) -> None:
        """Without a process until it is asked again; from the thread that asks."""
        if self._process is not None and self._line is not None:
            self._process.kill()
            self._process.join()
            self._line.close()
        self._process = self._line = None


def _keep_sockets() -> None:
    """Have the forking process's socket in a folder of ours: its own would outlive a kill."""
    settings = multiprocessing.current_process()._config  # type: ignore[attr-defined]  # noqa: SLF001
    place = str(temporary.of_process())
    if len(place) < _SOCKET_PATH:
        settings.setdefault("tempdir", place)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """A process would run the caller's script again, to have its names: it needs none of them."""
    with _STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _serve(line: Connection, make: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    answer = make()
    # Until the parent is gone, whatever way.
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            result = answer(line.recv())
            tired = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > _TIRED
            line.send((result, tired))
