"""Judging answers as they arrive, beside whatever makes them.

``run_jobs`` has all its jobs before it starts; here they come one by one, from any thread, and
each gets a future. Workers keep their servers warm from one job to the next.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from types import TracebackType
from typing import Self

from libdrift.environments import Failed, Ready, build
from libdrift.execution.imports import names_of
from libdrift.execution.jobs import Options
from libdrift.execution.judges import judge_for, with_proof
from libdrift.execution.judging import JudgingContext, PythonJudge
from libdrift.execution.plan import Job
from libdrift.execution.proofs import Proofs
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement

_TICK = 1.0  # seconds between looks whether the process is about to end
_Waiting = tuple[Job, "Future[Judgement]"]


class Live:
    """Workers that judge what is submitted; leaving the context ends them at once.

    Without a context they end with the process.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._stop = threading.Event()
        self._bench = JudgingContext.of(options, Proofs(options.settings.proofs), self._stop)
        self._news = threading.Condition()
        self._queues: dict[Environment, deque[_Waiting]] = {}
        self._at: dict[int, Environment] = {}
        self._places: dict[Environment, Ready | Failed] = {}
        self._building: dict[Environment, threading.Lock] = {}
        self._quiet = _Quiet()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._news:
            self._stop.set()
            self._news.notify_all()
        for thread in self._threads:
            thread.join()
        for queue in self._queues.values():
            for _, future in queue:
                future.cancel()

    def submit(self, job: Job) -> Future[Judgement]:
        future: Future[Judgement] = Future()
        with self._news:
            self._queues.setdefault(job.environment, deque()).append((job, future))
            waiting = sum(map(len, self._queues.values()))
            if len(self._threads) < min(self._options.workers, waiting + len(self._at)):
                thread = threading.Thread(target=self._work, name=f"judge-{len(self._threads)}")
                self._threads.append(thread)
                thread.start()
            self._news.notify()
        return future

    def _work(self) -> None:
        with PythonJudge(self._bench) as judge:
            while (taken := self._next()) is not None:
                job, future = taken
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(self._judge(job, judge))
                except BaseException as error:  # noqa: BLE001  (raised again where it is awaited)
                    future.set_exception(error)

    def _next(self) -> _Waiting | None:
        """The next job: in the environment that this worker is at, else in the fullest free one."""
        me = threading.get_ident()
        with self._news:
            while not self._stop.is_set() and threading.main_thread().is_alive():
                here = self._at.get(me)
                left = {place: len(queue) for place, queue in self._queues.items() if queue}
                if left:
                    taken = {place for other, place in self._at.items() if other != me}
                    free = [place for place in left if place not in taken]
                    place = here if here in left else max(free or left, key=left.__getitem__)
                    assert place is not None  # noqa: S101  (it is in `left`)
                    self._at[me] = place
                    return self._queues[place].popleft()
                self._at.pop(me, None)
                self._news.wait(_TICK)
        return None

    def _judge(self, job: Job, judge: PythonJudge) -> Judgement:
        style_judge = judge_for(job.program.style)
        if style_judge is not None:
            with closing(style_judge([job], replace(self._options, workers=1))) as judged:
                return with_proof(job, next(judged)[1])
        place = self._place(job.environment)
        if isinstance(place, Failed):
            reason = f"no environment for {job.environment}: {place.reason}"
            return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=place.log)
        steps = (names_of(job.program, job.reference),)
        with self._quiet.together():
            judgement = judge.judge(job, place, steps)
        late = judgement.outcome is Outcome.TIMEOUT
        if late and not self._bench.is_settled(job, judgement):
            # Beside others a timeout says little: once more while the other workers rest.
            with self._quiet.alone():
                judgement = judge.alone(job, place, steps)
        return judgement

    def _place(self, environment: Environment) -> Ready | Failed:
        with self._news:
            lock = self._building.setdefault(environment, threading.Lock())
        with lock:
            if environment not in self._places:
                built = build(environment, self._options.settings)
                self._places[environment] = built
                self._options.progress.environment(built)
            return self._places[environment]


class _Quiet:
    """Many may work together, or one alone."""

    def __init__(self) -> None:
        self._turn = threading.Lock()  # who waits to be alone keeps newcomers out
        self._none = threading.Condition()
        self._working = 0

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self._turn, self._none:
            self._working += 1
        try:
            yield
        finally:
            with self._none:
                self._working -= 1
                self._none.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        with self._turn:
            with self._none:
                self._none.wait_for(lambda: not self._working)
            yield
