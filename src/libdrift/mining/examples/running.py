"""Many examples in several environments: run side by side, told as they end."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from libdrift.environments import Ready
from libdrift.errors import InfrastructureError
from libdrift.mining.examples.comparing import ExampleRun, read_run
from libdrift.mining.examples.extracting import DocExample
from libdrift.mining.examples.keeping import KeptRuns, Told, key_of
from libdrift.sandbox import Backend
from libdrift.sandbox.examples import ExampleServer

Examples = Sequence[DocExample]
Runs = dict[tuple[str, ...], ExampleRun]
_Done = tuple[int, DocExample, Told] | None
_WORTH_A_START = 32  # examples: to import a large package takes as long as a few of them


@dataclass(frozen=True, slots=True)
class ExampleSession:
    """Examples to be run in one environment, with one seed."""

    place: Ready
    seed: int
    imports: tuple[str, ...]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExampleRunner:
    backend: Backend
    kept: KeptRuns
    workers: int
    advance: Callable[[int], None]  # so many more are done
    skip: Callable[[int], None]  # so many were done before

    def run(self, sessions: Sequence[ExampleSession], examples: Examples) -> list[Runs]:
        """What came of all examples in each session."""
        found: list[Runs] = []
        left: list[list[DocExample]] = []
        for session in sessions:
            known, missing = self._known(session, examples)
            found.append(known)
            left.append(missing)
        self.skip(sum(map(len, found)))
        for number, example, told in self._finished(sessions, left):
            session = sessions[number]
            self.kept.put(_key(session, example), told)
            found[number][example.key] = read_run(told)
            self.advance(1)
        return found

    def _known(self, session: ExampleSession, examples: Examples) -> tuple[Runs, list[DocExample]]:
        keys = {_key(session, example): example for example in examples}
        told = self.kept.get(list(keys))
        known = {keys[key].key: read_run(item) for key, item in told.items()}
        return known, [example for example in examples if example.key not in known]

    def _finished(
        self, sessions: Sequence[ExampleSession], left: Sequence[Examples]
    ) -> Iterator[tuple[int, DocExample, Told]]:
        done: queue.SimpleQueue[_Done] = queue.SimpleQueue()
        shares = _Shares(left)
        waiting = max(1, self.workers)
        with ThreadPoolExecutor(waiting) as pool:
            futures = [pool.submit(self._work, sessions, shares, done) for _ in range(waiting)]
            try:
                while waiting:
                    item = done.get()
                    if item is None:
                        waiting -= 1
                    else:
                        yield item
            finally:
                shares.stop()
        for future in futures:
            future.result()

    def _work(
        self,
        sessions: Sequence[ExampleSession],
        shares: _Shares,
        done: queue.SimpleQueue[_Done],
    ) -> None:
        try:
            number = shares.session()
            while number is not None:
                with _started(sessions[number], self.backend) as server:
                    while (example := shares.next(number)) is not None:
                        done.put((number, example, server.run(example.job)))
                number = shares.session()
        finally:
            done.put(None)


class _Shares:
    """What is left of each session, for several workers; each works on one session at a time."""

    def __init__(self, left: Sequence[Examples]) -> None:
        self._left = [deque(examples) for examples in left]
        self._workers = [0 for _ in left]
        self._lock = threading.Lock()

    def session(self) -> int | None:
        """One that nobody works on, else the one with most left, if a share is worth a start."""
        with self._lock:
            free = [at for at, count in enumerate(self._workers) if not count and self._left[at]]
            shared = [at for at in range(len(self._left)) if self._share(at) > _WORTH_A_START]
            chosen = free[0] if free else max(shared, key=self._share, default=None)
            if chosen is not None:
                self._workers[chosen] += 1
            return chosen

    def _share(self, session: int) -> float:
        return len(self._left[session]) / (1 + self._workers[session])

    def next(self, session: int) -> DocExample | None:
        with self._lock:
            return self._left[session].popleft() if self._left[session] else None

    def stop(self) -> None:
        with self._lock:
            for left in self._left:
                left.clear()


def _key(session: ExampleSession, example: DocExample) -> str:
    return key_of(session.place.environment.key, session.seed, example.job)


def aliases(session: ExampleSession, backend: Backend) -> dict[str, str]:
    """What a package's own code calls the modules of others; its examples may do so, too."""
    with _started(session, backend) as server:
        return server.aliases


@contextlib.contextmanager
def _started(session: ExampleSession, backend: Backend) -> Iterator[ExampleServer]:
    """A server that has imported what it can; only the package itself, if more of it ends it."""
    with contextlib.ExitStack() as stack:
        given = (session.place, backend, session.roots)
        server = ExampleServer(*given, session.imports, seed=session.seed)
        stack.callback(server.close)
        try:
            server.start()
        except InfrastructureError:
            server = stack.enter_context(ExampleServer(*given, seed=session.seed))
            server.start()
        lacking = _lacking(server.failed, session.roots)
        if lacking:
            raise InfrastructureError(lacking)
        yield server


def _lacking(failed: Mapping[str, str], roots: Sequence[str]) -> str:
    """Why not one of a package's own modules can be imported."""
    if any(root not in failed for root in roots):
        return ""
    return "; ".join(f"{root} cannot be imported: {failed[root]}" for root in roots[:1])
