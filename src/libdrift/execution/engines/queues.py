"""Jobs that wait for a node, by what they need, and which of them a node is best given next."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from libdrift.environments import recipe_for
from libdrift.errors import UserError
from libdrift.execution.engines.hosting import ClusterNode
from libdrift.execution.judges import judge_for
from libdrift.execution.plan import Job
from libdrift.records import Environment

BATCH = 500  # jobs of one message at most
_LEAST = 8  # jobs that a worker is given at a time: to warm up for fewer is not worth it
_HELP = 4  # jobs left of a kind that make it worth another worker's warming up
# Of jobs that were lost with their worker, as many as that may be lost again by one of them.
_SUSPECTS = {0: BATCH, 1: 16}


@dataclass(frozen=True, slots=True)
class WorkKind:
    """What a job needs: an environment, and the judge of its style, if Python's own is not it."""

    style: str
    environment: Environment

    @classmethod
    def of(cls, job: Job) -> WorkKind:
        style = job.program.style
        return cls("" if judge_for(style) is None else style.value, job.environment)

    @property
    def is_wide(self) -> bool:
        """Whether its judge works in parallel itself, and so has a node to itself."""
        return bool(self.style)

    @property
    def runtime(self) -> tuple[str, str]:
        return self.environment.language, self.environment.runtime


@dataclass(slots=True)
class PendingJob:
    job: Job
    losses: int = 0  # workers that died while they had it
    failures: int = 0  # nodes whose trouble it was that it could not be judged
    avoid: frozenset[str] = frozenset()  # those nodes


@dataclass(slots=True)
class NodeState:
    """What is known of a node. ``trouble``: why it gets no work at all."""

    node: ClusterNode
    slots: int
    machine: str = ""
    present: set[str] = field(default_factory=set)  # environments, by the keys of their recipes
    barred: dict[WorkKind | tuple[str, str], str] = field(default_factory=dict)  # and why
    trouble: str = ""
    strikes: int = 0  # workers in a row that did not start
    exclusive: bool = False  # whether one worker has it to itself

    def why_not(self, kind: WorkKind) -> str:
        """Why it gets no work of a kind; empty if it does."""
        return self.trouble or self.barred.get(kind.runtime, "") or self.barred.get(kind, "")

    def has(self, kind: WorkKind, keys: dict[Environment, str]) -> bool:
        environment = kind.environment
        if environment not in keys:
            keys[environment] = _recipe_key(environment)
        return keys[environment] in self.present


def _recipe_key(environment: Environment) -> str:
    try:
        return recipe_for(environment).key if environment.language == "python" else ""
    except UserError:  # it cannot be built: whoever tries will say why
        return ""


class JobQueues:
    """Fresh jobs by kind; and apart from them those that were tried before."""

    def __init__(self) -> None:
        self._fresh: dict[WorkKind, deque[PendingJob]] = {}
        self._retried: deque[PendingJob] = deque()
        self._keys: dict[Environment, str] = {}
        self.waiting = 0  # fresh ones

    def __bool__(self) -> bool:
        return bool(self.waiting or self._retried)

    def add(self, job: Job) -> None:
        self._fresh.setdefault(WorkKind.of(job), deque()).append(PendingJob(job))
        self.waiting += 1

    def retry(self, pending: Iterable[PendingJob]) -> None:
        self._retried.extend(pending)

    @property
    def kinds(self) -> set[WorkKind]:
        return {*self._fresh, *(WorkKind.of(one.job) for one in self._retried)}

    @property
    def batches(self) -> int:
        """How many workers could be busy."""
        fresh = sum(math.ceil(len(left) / _HELP) for left in self._fresh.values())
        return fresh + len(self._retried)

    def drop(self, kind: WorkKind) -> list[PendingJob]:
        """All jobs of a kind, which nobody can do."""
        found = list(self._fresh.pop(kind, ()))
        self.waiting -= len(found)
        found += [one for one in self._retried if WorkKind.of(one.job) == kind]
        self._retried = deque(one for one in self._retried if WorkKind.of(one.job) != kind)
        return found

    def retries_for(
        self, state: NodeState, others: Collection[NodeState], *, quiet: bool
    ) -> tuple[WorkKind, list[PendingJob]] | None:
        """Jobs that failed elsewhere: on this node, unless it was here and there are others."""
        for first in self._retried:
            kind = WorkKind.of(first.job)
            if (kind.is_wide and not quiet) or not _may_have(first, state, others):
                continue
            most = _SUSPECTS.get(first.losses, 1)
            alike = (
                one
                for one in self._retried
                if one.losses == first.losses
                and one.avoid == first.avoid
                and WorkKind.of(one.job) == kind
            )
            batch = [one for one, _ in zip(alike, range(most), strict=False)]
            chosen = set(map(id, batch))
            self._retried = deque(one for one in self._retried if id(one) not in chosen)
            return kind, batch
        return None

    def suits(self, state: NodeState, others: Collection[NodeState]) -> bool:
        """Whether there is anything that a node may do."""
        fresh = any(not state.why_not(kind) for kind in self._fresh)
        return fresh or any(_may_have(one, state, others) for one in self._retried)

    def choose(
        self, here: WorkKind | None, state: NodeState, taken: Counter[WorkKind], *, quiet: bool
    ) -> WorkKind | None:
        """The kind that a worker of a node is best given next.

        Its own, while there is some; else one that nobody is at, best one whose environment the
        node has; else one of which there is enough for another worker.
        """
        open_ = {kind: len(left) for kind, left in self._fresh.items() if not state.why_not(kind)}
        if here in open_ and here is not None and (quiet or not here.is_wide):
            return here
        narrow = [kind for kind in open_ if not kind.is_wide]

        def best(kinds: Iterable[WorkKind]) -> WorkKind | None:
            def rank(kind: WorkKind) -> tuple[bool, int]:
                return state.has(kind, self._keys), open_[kind]

            return max(kinds, key=rank, default=None)

        free = best(kind for kind in narrow if not taken[kind])
        helped = free or best(kind for kind in narrow if open_[kind] >= _HELP)
        if helped is not None or not quiet:
            return helped
        return best(kind for kind in open_ if kind.is_wide)

    def batch(self, kind: WorkKind, workers: int) -> list[PendingJob]:
        """The next jobs of a kind: fewer as it comes to an end, so that all end together."""
        left = self._fresh[kind]
        count = min(BATCH, max(_LEAST, math.ceil(len(left) / (2 * max(1, workers)))))
        found = [left.popleft() for _ in range(min(count, len(left)))]
        self.waiting -= len(found)
        if not left:
            del self._fresh[kind]
        return found

    def __iter__(self) -> Iterator[PendingJob]:
        for left in self._fresh.values():
            yield from left
        yield from self._retried


def _may_have(pending: PendingJob, state: NodeState, others: Collection[NodeState]) -> bool:
    """Whether a node may retry a job; one that it failed on only where there is no other."""
    if state.why_not(WorkKind.of(pending.job)):
        return False
    return state.node.id not in pending.avoid or not any(may_retry(pending, o) for o in others)


def may_retry(pending: PendingJob, state: NodeState) -> bool:
    """Whether a job can be tried on a node that it was not tried on."""
    return state.node.id not in pending.avoid and not state.why_not(WorkKind.of(pending.job))
