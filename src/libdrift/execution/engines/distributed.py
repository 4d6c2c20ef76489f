"""The engine that judges on the nodes of a cluster."""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from libdrift.environments import Failed, Ready
from libdrift.execution.engines import LiveJudge
from libdrift.execution.engines.dispatching import Dispatcher, DispatchOptions
from libdrift.execution.engines.hosting import Cluster, HostLostError, Stream
from libdrift.execution.engines.node_work import (
    NodeReport,
    NodeWorker,
    PlacedEnvironment,
    WorkOrder,
    WorkReport,
)
from libdrift.execution.engines.queues import BATCH
from libdrift.execution.jobs import Options
from libdrift.execution.judges import Judged
from libdrift.execution.plan import Job
from libdrift.records import Environment
from libdrift.sandbox import Judgement

_WINDOW = 8 * BATCH  # jobs that wait here at most: the caller keeps the rest
_TICK = 0.5  # seconds
_LIVE_TICK = 0.05

MakeWorker = Callable[[WorkOrder], Any]


@dataclass(frozen=True, slots=True)
class DistributedEngine:
    """``worker`` is what runs on nodes; tests have others."""

    cluster: Cluster
    warn: Callable[[str], None]
    per_node: int | None = None
    worker: MakeWorker = NodeWorker
    name: str = "ray"

    def dispatcher(self, options: Options, *, endless: bool = False) -> Dispatcher:
        make = functools.partial(self.worker, WorkOrder.of(options))
        told = DispatchOptions(make, options.progress, self.warn, self.per_node, endless)
        return Dispatcher(self.cluster, told)

    def judge(self, jobs: Collection[Job], options: Options) -> Judged:
        """Judge every job; only some thousands of them are looked at ahead."""
        options.progress.begin("answers", len(jobs))
        left, more = iter(jobs), len(jobs) > 0
        with self.dispatcher(options) as dispatcher:
            while more or dispatcher.busy:
                while more and dispatcher.waiting < _WINDOW:
                    job = next(left, None)
                    if job is None:
                        more = False
                    else:
                        dispatcher.add(job)
                yield from dispatcher.step(_TICK)

    def live(self, options: Options) -> AbstractContextManager[LiveJudge]:
        return _DistributedLive(self.dispatcher(options, endless=True))

    def build(self, environments: Sequence[Environment], options: Options) -> Iterator[NodeBuilt]:
        """Make environments ready on every node; each is told as it ends."""
        make = functools.partial(self.worker, WorkOrder.of(options))
        under_way: dict[Stream, tuple[str, list[Environment]]] = {}
        hosts = []
        try:
            for node in self.cluster.nodes():
                hosted = self.cluster.host(node, make)
                hosts.append(hosted)
                under_way[hosted.stream("prepare", list(environments))] = (
                    node.name,
                    list(environments),
                )
            while under_way:
                for stream in self.cluster.ready(list(under_way), _TICK):
                    name, left = under_way[stream]
                    try:
                        item: WorkReport = stream.take()
                    except StopIteration:
                        del under_way[stream]
                    except HostLostError as error:
                        del under_way[stream]
                        for one in left:
                            yield NodeBuilt(name, Failed(one, f"the node was lost: {error}"))
                    else:
                        yield from self._told(name, item, left)
        finally:
            for hosted in hosts:
                hosted.end()

    def _told(self, name: str, item: WorkReport, left: list[Environment]) -> Iterator[NodeBuilt]:
        if isinstance(item, NodeReport) and item.trouble:
            self.warn(f"node {name} gets no work: {item.trouble}")
        elif isinstance(item, PlacedEnvironment) and item.built is not None:
            left.remove(item.built.environment)
            yield NodeBuilt(name, item.built)


@dataclass(frozen=True, slots=True)
class NodeBuilt:
    """What came of an environment on a node."""

    node: str
    built: Ready | Failed


class _DistributedLive:
    """A thread hands what is submitted to the dispatcher, and its judgements to who waits."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._news: queue.SimpleQueue[tuple[Job, Future[Judgement]]] = queue.SimpleQueue()
        self._futures: dict[int, tuple[Job, Future[Judgement]]] = {}
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="dispatcher")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        while not self._news.empty():
            self._news.get()[1].cancel()

    def submit(self, job: Job) -> Future[Judgement]:
        future: Future[Judgement] = Future()
        if self._failure is not None:
            future.set_exception(self._failure)
        else:
            self._news.put((job, future))
        return future

    def _work(self) -> None:
        try:
            with self._dispatcher:
                while not self._stop.is_set():
                    self._take()
                    for job, judgement in self._dispatcher.step(_LIVE_TICK):
                        future = self._futures.pop(id(job))[1]
                        if future.set_running_or_notify_cancel():
                            future.set_result(judgement)
        except BaseException as error:  # noqa: BLE001  (raised again where it is awaited)
            self._failure = error
            while not self._news.empty():
                self._news.get()[1].set_exception(error)
            for _, future in self._futures.values():
                future.set_exception(error)
        else:
            for _, future in self._futures.values():
                future.cancel()

    def _take(self) -> None:
        """What was submitted since; while there is nothing to do, wait for it."""
        wait = not self._dispatcher.busy
        while True:
            try:
                job, future = self._news.get(timeout=_TICK if wait else 0)
            except queue.Empty:
                return
            own = replace(job)  # equal jobs, and even the same, may be submitted twice
            self._futures[id(own)] = (own, future)
            self._dispatcher.add(own)
            wait = False
