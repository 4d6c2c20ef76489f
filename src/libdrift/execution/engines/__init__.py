"""Engines place work: on this machine, or on the nodes of a cluster. Verdicts are the same."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from libdrift.errors import UserError
from libdrift.execution.judges import Judged
from libdrift.execution.plan import Job
from libdrift.sandbox import Judgement

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

__all__ = ["ENGINES", "Engine", "EngineChoice", "LiveJudge", "LocalEngine", "choose_engine"]

ENGINES = ("local", "ray")


class LiveJudge(Protocol):
    """Judges what is submitted, from any thread."""

    def submit(self, job: Job) -> Future[Judgement]: ...


class Engine(Protocol):
    """Where jobs are judged."""

    @property
    def name(self) -> str: ...

    def judge(self, jobs: Collection[Job], options: Options) -> Judged:
        """Judge every job, yielding each as it ends; closing it stops the rest."""
        ...

    def live(self, options: Options) -> AbstractContextManager[LiveJudge]:
        """Judge what comes; leaving the context stops at once."""
        ...


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """This machine."""

    name: str = "local"

    def judge(self, jobs: Collection[Job], options: Options) -> Judged:
        from libdrift.execution.jobs import run_here  # which has this engine as its default

        return run_here(list(jobs), options)

    def live(self, options: Options) -> AbstractContextManager[LiveJudge]:
        from libdrift.execution.live import Live

        return Live(options)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Which engine, where it is, and how much of it."""

    name: str = "local"
    address: str = "auto"  # of a cluster; auto: the one that this machine is a node of
    per_node: int | None = None  # workers on a node at most; by default one for each of its CPUs


def choose_engine(choice: EngineChoice, warn: Callable[[str], None] = lambda _: None) -> Engine:
    """The engine of that name; ``warn`` is told of nodes that get no work, each by its name."""
    if choice.name == "local":
        return LocalEngine()
    if choice.name == "ray":
        from libdrift.execution.engines.distributed import DistributedEngine
        from libdrift.execution.engines.ray_cluster import connect

        return DistributedEngine(connect(choice.address), warn, choice.per_node)
    raise UserError(f"unknown engine {choice.name!r}", f"One of: {', '.join(ENGINES)}")
