"""A cluster in this process: streams are generators, and nodes die when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from libdrift.execution.engines.hosting import ClusterNode, HostLostError
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.execution.plan import Job
from libdrift.records import Outcome
from libdrift.sandbox import Judgement


class DeathError(Exception):
    """What a scripted worker raises to die."""


class FakeStream:
    def __init__(self, hosted: FakeHosted, items: Iterator[Any]) -> None:
        self.hosted = hosted
        self.items = items

    def take(self) -> Any:
        if self.hosted.node.id not in self.hosted.cluster.alive:
            raise HostLostError("its node has died")
        try:
            return next(self.items)
        except DeathError as error:
            raise HostLostError(str(error)) from error


@dataclass(eq=False)
class FakeHosted:
    cluster: FakeCluster
    node: ClusterNode
    made: Any

    def call(self, method: str, *arguments: Any, seconds: float) -> Any:
        del seconds
        return getattr(self.made, method)(*arguments)

    def stream(self, method: str, *arguments: Any) -> FakeStream:
        self.cluster.log.append((self.node.name, method, arguments))
        return FakeStream(self, getattr(self.made, method)(*arguments))

    def end(self) -> None:
        self.cluster.ended += 1
        if hasattr(self.made, "close"):  # what it has started ends with a process
            list(self.made.close())


@dataclass
class FakeCluster:
    all_nodes: list[ClusterNode]
    alive: set[str] = field(default_factory=set)
    log: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)
    started: int = 0
    ended: int = 0

    @classmethod
    def of(cls, **cpus: int) -> FakeCluster:
        nodes = [ClusterNode(name, name, count) for name, count in cpus.items()]
        return cls(nodes, {node.id for node in nodes})

    def nodes(self) -> list[ClusterNode]:
        return [node for node in self.all_nodes if node.id in self.alive]

    def host(self, node: ClusterNode, make: Callable[[], Any]) -> FakeHosted:
        self.started += 1
        made = make()
        made.node = node
        return FakeHosted(self, node, made)

    def ready(self, streams: Sequence[FakeStream], seconds: float) -> list[FakeStream]:
        del seconds
        return list(streams)

    def batches(self, node: str = "") -> list[list[Job]]:
        """What was sent to be judged."""
        found = [(name, rest) for name, method, rest in self.log if method.startswith("judge")]
        return [rest[0] for name, rest in found if node in ("", name)]


class ScriptedWorker:
    """Judges by the text of an answer, as ``NodeWorker`` would by running it."""

    node: ClusterNode

    def __init__(self, order: object) -> None:
        self.order = order

    def check(self) -> Iterator[WorkReport]:
        yield NodeReport(self.node.name)

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)
        for number, job in enumerate(jobs):
            answer = job.program.answer
            if answer in {f"dies on {self.node.name}", "dies"}:
                raise DeathError("out of memory")
            if answer == "late":
                yield JudgedChunk((), (number,))
                continue
            bad = answer in {f"fails on {self.node.name}", "fails"}
            outcome = Outcome.INFRASTRUCTURE if bad else Outcome.PASSED
            yield JudgedChunk(((number, Judgement(outcome, self.node.name, 0.0)),))

    def judge_by_style(self, jobs: Sequence[Job], workers: int) -> Iterator[WorkReport]:
        del workers
        yield from self.judge(jobs)

    def alone(self, job: Job) -> Iterator[WorkReport]:
        del job
        yield JudgedChunk(((0, Judgement(Outcome.TIMEOUT, self.node.name, 0.0)),))

    def close(self) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)
