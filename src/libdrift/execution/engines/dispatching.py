"""The dispatcher: batches to workers on nodes, judgements back; what is lost is done elsewhere.

As many batches are under way as there are workers, and no more: what waits stays with the caller.
"""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from libdrift.environments import Failed, Ready
from libdrift.errors import InfrastructureError
from libdrift.execution.engines.hosting import Cluster, Hosted, HostLostError, Stream
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.execution.engines.queues import (
    JobQueues,
    NodeState,
    PendingJob,
    WorkKind,
    may_retry,
)
from libdrift.execution.jobs import Progress, Silent
from libdrift.execution.plan import Job
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement

logger = logging.getLogger(__name__)

_LOSSES = 4  # workers that a job may cost
_FAILURES = 3  # nodes that may fail to judge a job, or to have an environment
_STRIKES = 3  # workers in a row that do not start, after which a node gets no more
_LOOK = 1.0  # seconds between looks at which nodes there are
_PATIENCE = 60.0  # seconds without any node, after which nobody will come
_LATE_PATIENCE = 20.0  # seconds that a late job waits for its machine to be quiet by itself
_FAREWELL = 3.0  # seconds that workers are given to end their servers
Settled = tuple[Job, Judgement]


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker on a node, and what it is doing."""

    state: NodeState
    hosted: Hosted
    stream: Stream | None
    checked: bool = False
    kind: WorkKind | None = None  # whose servers it has
    sent: dict[int, PendingJob] = field(default_factory=dict)

    @property
    def works(self) -> bool:
        return self.checked and self.stream is not None


@dataclass(slots=True)
class DispatchOptions:
    """``make`` is sent to nodes, and makes their workers."""

    make: Callable[[], Any]
    progress: Progress = field(default_factory=Silent)
    warn: Callable[[str], None] = logger.warning
    per_node: int | None = None  # workers on a node at most
    endless: bool = False  # jobs come as long as it is open: late ones do not wait for the last


class Dispatcher:
    """All workers of a run, and what they are to do."""

    def __init__(self, cluster: Cluster, options: DispatchOptions) -> None:
        self._cluster = cluster
        self._options = options
        self._queues = JobQueues()
        self._late: deque[tuple[PendingJob, _Worker, float]] = deque()
        self._nodes: dict[str, NodeState] = {}
        self._workers: list[_Worker] = []
        self._built: set[Environment] = set()
        self._looked = -_LOOK
        self._lonely_since: float | None = None
        self._waiting_since: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        idle = [one.hosted for one in self._workers if one.stream is None]
        leaving = []
        for hosted in idle:
            with contextlib.suppress(HostLostError):
                leaving.append(hosted.stream("close"))
        end = time.monotonic() + _FAREWELL
        while leaving and (left := end - time.monotonic()) > 0:
            done = self._cluster.ready(leaving, left)
            leaving = [one for one in leaving if one not in done]
        for worker in self._workers:
            worker.hosted.end()
        self._workers.clear()

    # --- what there is to do

    def add(self, job: Job) -> None:
        self._queues.add(job)

    @property
    def waiting(self) -> int:
        """Jobs that no worker has yet."""
        return self._queues.waiting

    @property
    def busy(self) -> bool:
        return bool(self._queues or self._late or any(one.sent for one in self._workers))

    def step(self, seconds: float) -> list[Settled]:
        """Give out work, wait for news for so many seconds at most, and return what is judged."""
        self._look()
        settled = list(self._hopeless())
        self._start_workers()
        self._say_what_is_waited_for()
        self._assign()
        self._assign_late()
        streams = {one.stream: one for one in self._workers if one.stream is not None}
        if not streams:
            time.sleep(0 if settled else min(seconds, 0.05))
            return settled
        for stream in self._cluster.ready(list(streams), 0 if settled else seconds):
            settled += self._news(streams[stream], stream)
        return settled

    # --- nodes

    def _look(self) -> None:
        """Which nodes there are: they come and go."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        alive = {node.id: node for node in self._cluster.nodes()}
        for key, node in alive.items():
            if key not in self._nodes:
                most = self._options.per_node or node.cpus
                self._nodes[key] = NodeState(node, max(1, min(node.cpus, most)))
        for key in [key for key in self._nodes if key not in alive]:
            logger.info("node %s is gone", self._nodes.pop(key).node.name)
        # Those that are busy are given up when their streams end.
        self._workers = [w for w in self._workers if w.stream or w.state.node.id in alive]

    def _usable(self) -> list[NodeState]:
        return [state for state in self._nodes.values() if not state.trouble]

    def _hopeless(self) -> Iterator[Settled]:
        """Jobs that no node can do; an error where none can do any."""
        usable = self._usable()
        if usable or not self._queues:
            self._lonely_since = None
        elif self._lonely_since is None:
            self._lonely_since = time.monotonic()
        elif self._nodes or time.monotonic() - self._lonely_since > _PATIENCE:
            told = "; ".join(f"node {s.node.name}: {s.trouble}" for s in self._nodes.values())
            raise InfrastructureError(
                f"no node of the cluster can judge: {told or 'it has none with a CPU'}",
                "Results so far are kept: add a node and run the same command again",
            )
        if not usable:
            return
        for kind in self._queues.kinds:
            reasons = {state.node.name: state.why_not(kind) for state in usable}
            if all(reasons.values()):
                told = "; ".join(f"node {name}: {why}" for name, why in reasons.items())
                reason = f"no environment for {kind.environment}: {told}"[:1000]
                for pending in self._queues.drop(kind):
                    yield self._settled(pending, Judgement(Outcome.INFRASTRUCTURE, reason, 0.0))

    def _say_what_is_waited_for(self) -> None:
        """Once, where no worker starts: somebody else may have all CPUs of the cluster."""
        if not self._workers or any(one.checked for one in self._workers):
            self._waiting_since = None
        elif self._waiting_since is None:
            self._waiting_since = time.monotonic()
        elif time.monotonic() - self._waiting_since > _PATIENCE:
            self._waiting_since = math.inf
            told = f"no worker has started for {_PATIENCE:.0f} s: who has the cluster's CPUs?"
            self._options.warn(told)

    def _start_workers(self) -> None:
        """As many as there is work for, spread over the nodes that can do it."""
        wanted = self._queues.batches + len(self._late)
        if not wanted:
            return
        counts = Counter(one.state.node.id for one in self._workers)
        everywhere = self._usable()
        usable = [one for one in everywhere if self._late or self._queues.suits(one, everywhere)]
        free = sum(1 for one in self._workers if not one.sent and one.state in usable)
        for round_ in range(max((state.slots for state in usable), default=0)):
            for state in usable:
                if free >= wanted:
                    return
                if counts[state.node.id] > round_ or counts[state.node.id] >= state.slots:
                    continue
                hosted = self._cluster.host(state.node, self._options.make)
                self._workers.append(_Worker(state, hosted, hosted.stream("check")))
                counts[state.node.id] += 1
                free += 1

    # --- giving out work

    def _assign(self) -> None:
        reserved = self._reserved()
        usable = self._usable()
        for worker in self._workers:
            state = worker.state
            if worker.stream is not None or not worker.checked or state.exclusive or state.trouble:
                continue
            if reserved and state.machine == reserved:
                continue
            quiet = not any(one.works for one in self._workers if one.state is state)
            again = self._queues.retries_for(state, usable, quiet=quiet)
            if again is not None:
                self._send(worker, *again)
                continue
            taken = Counter(one.kind for one in self._workers if one.sent and one.kind)
            kind = self._queues.choose(worker.kind, state, taken, quiet=quiet)
            if kind is not None:
                count = sum(one.slots for one in usable)
                self._send(worker, kind, self._queues.batch(kind, count))

    def _send(self, worker: _Worker, kind: WorkKind, batch: list[PendingJob]) -> None:
        worker.kind, worker.sent = kind, dict(enumerate(batch))
        jobs = [one.job for one in batch]
        if kind.is_wide:
            worker.state.exclusive = True
            worker.stream = worker.hosted.stream("judge_by_style", jobs, worker.state.slots)
        else:
            worker.stream = worker.hosted.stream("judge", jobs)

    def _reserved(self) -> str:
        """The machine that has to become quiet for a job that was late, where jobs never end."""
        if not self._options.endless or not self._late:
            return ""
        _, worker, since = self._late[0]
        return worker.state.machine if time.monotonic() - since > _LATE_PATIENCE else ""

    def _assign_late(self) -> None:
        """Late jobs, each alone on its machine: by the worker that had it, which has drawn tests.

        When all else is done; or when its machine was made quiet for it.
        """
        reserved = self._reserved()
        for late in list(self._late):
            pending, before, _ = late
            worker = self._for_late(before)
            if worker is None:
                continue
            machine = worker.state.machine
            rests = not any(one.works for one in self._workers if one.state.machine == machine)
            if not rests or (self._queues and machine != reserved):
                continue
            self._late.remove(late)
            worker.kind, worker.sent = WorkKind.of(pending.job), {0: pending}
            worker.stream = worker.hosted.stream("alone", pending.job)

    def _for_late(self, before: _Worker) -> _Worker | None:
        if before in self._workers:
            return before if before.stream is None else None
        free = (one for one in self._workers if one.checked and one.stream is None)
        return next(free, None)

    # --- what comes back

    def _news(self, worker: _Worker, stream: Stream) -> list[Settled]:
        try:
            item: WorkReport = stream.take()
        except StopIteration:
            return list(self._ended(worker))
        except HostLostError as error:
            return list(self._lost(worker, str(error)))
        if isinstance(item, NodeReport):
            return list(self._reported(worker, item))
        if isinstance(item, PlacedEnvironment):
            return list(self._placed(worker, item))
        return list(self._judged(worker, item))

    def _reported(self, worker: _Worker, report: NodeReport) -> Iterator[Settled]:
        state = worker.state
        state.machine, state.strikes = report.machine, 0
        state.present |= report.environments
        worker.checked = True
        if report.trouble:
            yield from self._bar(state, report.trouble)

    def _bar(self, state: NodeState, trouble: str) -> Iterator[Settled]:
        """No more work for a node; what it has is done elsewhere."""
        if not state.trouble:
            state.trouble = trouble
            self._options.warn(f"node {state.node.name} gets no work: {trouble}")
        for worker in [one for one in self._workers if one.state is state]:
            yield from self._lost(worker, trouble)

    def _placed(self, worker: _Worker, placed: PlacedEnvironment) -> Iterator[Settled]:
        built, state = placed.built, worker.state
        if isinstance(built, Ready):
            state.present.add(built.folder.name)
            self._tell(built)
        if not isinstance(built, Failed):
            return
        kind = WorkKind("", built.environment)
        what = " ".join(kind.runtime) if placed.runtime else str(built.environment)
        state.barred[kind.runtime if placed.runtime else kind] = built.reason
        self._options.warn(f"node {state.node.name} gets no work for {what}: {built.reason}")
        reason = f"no environment for {built.environment}: {built.reason}"
        failed = Judgement(Outcome.INFRASTRUCTURE, reason, 0.0, log=built.log)
        sent, worker.sent = worker.sent, {}
        for pending in sent.values():
            yield from self._conclude(pending, failed, state)
        if all(one.why_not(kind) for one in self._usable()):
            self._tell(built)

    def _tell(self, built: Ready | Failed) -> None:
        if built.environment not in self._built:
            self._built.add(built.environment)
            self._options.progress.environment(built)

    def _judged(self, worker: _Worker, chunk: JudgedChunk) -> Iterator[Settled]:
        for number, judgement in chunk.judged:
            yield from self._conclude(worker.sent.pop(number), judgement, worker.state)
        for number in chunk.late:
            self._late.append((worker.sent.pop(number), worker, time.monotonic()))

    def _conclude(
        self, pending: PendingJob, judgement: Judgement, state: NodeState
    ) -> Iterator[Settled]:
        """A judgement stands; but for trouble of one node, as long as there are others."""
        if judgement.outcome is Outcome.INFRASTRUCTURE and pending.failures + 1 < _FAILURES:
            again = replace(
                pending, failures=pending.failures + 1, avoid=pending.avoid | {state.node.id}
            )
            if any(may_retry(again, one) for one in self._usable()):
                logger.info("%s: %s; trying elsewhere", again.job.key, judgement.reason)
                self._queues.retry([again])
                return
        yield self._settled(pending, judgement)

    def _settled(self, pending: PendingJob, judgement: Judgement) -> Settled:
        self._options.progress.job(judgement.outcome)
        return pending.job, judgement

    def _ended(self, worker: _Worker) -> Iterator[Settled]:
        worker.stream = None
        if worker.kind is not None and worker.kind.is_wide:
            worker.state.exclusive = False
        if worker.sent:
            yield from self._requeue(worker, "it ended without a word of them")

    def _lost(self, worker: _Worker, reason: str) -> Iterator[Settled]:
        """A worker is gone, or of no more use."""
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        worker.hosted.end()
        worker.stream = None
        self._looked = -_LOOK  # its node may have gone with it
        state = worker.state
        if worker.kind is not None and worker.kind.is_wide:
            state.exclusive = False
        yield from self._requeue(worker, reason)
        if not worker.checked and not state.trouble:
            state.strikes += 1
            if state.strikes >= _STRIKES:
                yield from self._bar(state, f"workers do not start there: {reason}")

    def _requeue(self, worker: _Worker, reason: str) -> Iterator[Settled]:
        """What a worker had is done by others; by nobody, if it has cost too many."""
        name = worker.state.node.name
        sent, worker.sent = worker.sent, {}
        if sent:
            logger.warning("node %s: a worker is lost with %d jobs: %s", name, len(sent), reason)
        for pending in sent.values():
            losses = pending.losses + 1
            if losses < _LOSSES:
                avoid = pending.avoid | {worker.state.node.id}
                self._queues.retry([replace(pending, losses=losses, avoid=avoid)])
                continue
            told = f"its worker was lost {losses} times, the last time on node {name}: {reason}"
            yield self._settled(pending, Judgement(Outcome.INFRASTRUCTURE, told, 0.0))
