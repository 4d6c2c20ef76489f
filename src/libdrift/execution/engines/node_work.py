"""What is done on a node: the judge there, with its warm servers, exactly as on one machine."""

from __future__ import annotations

import functools
import hashlib
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from libdrift import config, version
from libdrift.environments import Failed, Ready, build, interpreters
from libdrift.errors import LibdriftError
from libdrift.execution.imports import names_of
from libdrift.execution.jobs import Options
from libdrift.execution.judges import judge_for, with_proof
from libdrift.execution.judging import JudgingContext, PythonJudge
from libdrift.execution.plan import Job, Plan
from libdrift.execution.proofs import Proofs
from libdrift.records import Environment, Outcome
from libdrift.sandbox import Judgement, Limits, choose

_CHUNK_SECONDS = 0.25  # that judgements are collected for: a message costs as much as some
_CHUNK = 64  # judgements of one message at most
_MACHINE = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """How answers are run, as the driver's command says; what is a machine's own is not in it."""

    sandbox: str
    limits: Limits
    time_factor: float
    fresh: bool
    data: Path | None  # to be hidden from answers, where a node has it
    sources: str  # of libdrift: other ones could give other verdicts

    @classmethod
    def of(cls, options: Options) -> WorkOrder:
        return cls(
            options.backend.name,
            options.limits,
            options.time_factor,
            options.fresh,
            options.settings.data,
            sources_digest(),
        )


@dataclass(frozen=True, slots=True)
class NodeReport:
    """What a node is, and has. ``trouble``: why it can judge nothing."""

    machine: str  # nodes of one machine disturb one another
    environments: frozenset[str] = frozenset()  # keys of those that are there already
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class PlacedEnvironment:
    """The batch's environment is ready, or cannot be had on this node.

    ``runtime``: because its interpreter cannot, which others need as well.
    """

    built: Ready | Failed | None
    runtime: bool = False


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """Judgements by the jobs' places in the batch; ``late`` took too long beside others."""

    judged: tuple[tuple[int, Judgement], ...]
    late: tuple[int, ...] = ()


WorkReport = NodeReport | PlacedEnvironment | JudgedChunk


@functools.cache
def sources_digest() -> str:
    """Of libdrift's own sources, by which equal installations are known."""
    root = Path(version.__file__).parent
    digest = hashlib.sha256(f"{version.__version__} {platform.python_version_tuple()[:2]}".encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(f"\0{path.relative_to(root)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class NodeWorker:
    """One worker of a node: a judge whose servers stay warm from one batch to the next.

    They are of one environment at a time. The driver sends batches of that one as long as it has
    some, then those of another.
    """

    def __init__(self, order: WorkOrder) -> None:
        self._order = order
        settings = config.load()
        if order.data is not None and order.data.is_dir():
            settings = replace(settings, data=order.data)
        self._settings = settings
        self._options: Options | None = None
        self._judge: PythonJudge | None = None
        self._bench: JudgingContext | None = None
        self._places: dict[Environment, Ready | Failed] = {}

    def check(self) -> Iterator[WorkReport]:
        """What this node is. Its sandbox must start, and its libdrift be the driver's."""
        try:
            machine = _MACHINE.read_text(encoding="ascii").strip()
        except OSError:
            machine = platform.node()
        own = sources_digest()
        if own != self._order.sources:
            what = f"libdrift {version.__version__}, Python {platform.python_version()}"
            yield NodeReport(machine, trouble=f"it has another libdrift ({what}, sources {own})")
            return
        try:
            self._open()
        except LibdriftError as error:
            yield NodeReport(machine, trouble=str(error))
            return
        folder = self._settings.environments
        there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        yield NodeReport(machine, frozenset(there))

    def _open(self) -> tuple[Options, PythonJudge, JudgingContext]:
        if self._options is None or self._judge is None or self._bench is None:
            order = self._order
            backend = choose(order.sandbox, self._settings)
            self._options = Options(
                self._settings,
                backend,
                order.limits,
                workers=1,
                time_factor=order.time_factor,
                fresh=order.fresh,
            )
            self._bench = JudgingContext.of(self._options, Proofs(self._settings.proofs))
            self._judge = PythonJudge(self._bench)
        return self._options, self._judge, self._bench

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        """Judge programs of one environment, one after the other."""
        _, judge, bench = self._open()
        placed = self._place(jobs[0].environment)
        yield placed
        place = placed.built
        if not isinstance(place, Ready):
            return
        plan, numbers = Plan(jobs), {id(job): number for number, job in enumerate(jobs)}
        chunk = _Chunk()
        while (job := plan.take(0)) is not None:
            judgement = judge.judge(job, place, plan.steps(job))
            late = judgement.outcome is Outcome.TIMEOUT and not bench.is_settled(job, judgement)
            if not late:
                bench.forget(job)
            chunk.add(numbers[id(job)], None if late else judgement)
            if chunk.is_due:
                yield chunk.cut()
        yield chunk.cut()

    def alone(self, job: Job) -> Iterator[WorkReport]:
        """Judge a job that was too slow beside others; the driver has the machine rest."""
        _, judge, bench = self._open()
        placed = self._place(job.environment)
        if isinstance(placed.built, Ready):
            steps = (names_of(job.program, job.reference),)
            judgement = judge.alone(job, placed.built, steps)
            bench.forget(job)
            yield JudgedChunk(((0, judgement),))
        else:
            yield placed

    def judge_by_style(self, jobs: Sequence[Job], workers: int) -> Iterator[WorkReport]:
        """Judge programs of another style by its own judge, which has the node to itself."""
        options, _, _ = self._open()
        style_judge = judge_for(jobs[0].program.style)
        assert style_judge is not None  # noqa: S101  (others go to ``judge``)
        numbers = {id(job): number for number, job in enumerate(jobs)}
        chunk = _Chunk()
        with closing(style_judge(jobs, replace(options, workers=workers))) as results:
            for job, judgement in results:
                chunk.add(numbers[id(job)], with_proof(job, judgement))
                if chunk.is_due:
                    yield chunk.cut()
        yield chunk.cut()

    def prepare(self, environments: Sequence[Environment]) -> Iterator[WorkReport]:
        """Make environments ready on this node, if it can use them."""
        for report in self.check():
            yield report
            if isinstance(report, NodeReport) and report.trouble:
                return
        for environment in environments:
            yield self._place(environment)

    def _place(self, environment: Environment) -> PlacedEnvironment:
        known = self._places.get(environment)
        if known is None:
            try:
                if environment.language == "python":
                    interpreters.find(environment.runtime)
            except LibdriftError as error:
                return PlacedEnvironment(Failed(environment, str(error)), runtime=True)
            known = build(environment, self._settings)
            if isinstance(known, Ready):  # a failure may be of the moment
                self._places[environment] = known
        return PlacedEnvironment(known)

    def close(self) -> Iterator[WorkReport]:
        """End the warm servers."""
        if self._judge is not None:
            self._judge.__exit__(None, None, None)
        self._judge = None
        yield PlacedEnvironment(None)


class _Chunk:
    """Judgements of one message."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clear()

    def _clear(self) -> None:
        self._judged: list[tuple[int, Judgement]] = []
        self._late: list[int] = []
        self._since = self._clock()

    def add(self, number: int, judgement: Judgement | None) -> None:
        if judgement is None:
            self._late.append(number)
        else:
            self._judged.append((number, judgement))

    @property
    def is_due(self) -> bool:
        count = len(self._judged) + len(self._late)
        return count >= _CHUNK or self._clock() - self._since >= _CHUNK_SECONDS

    def cut(self) -> JudgedChunk:
        found = JudgedChunk(tuple(self._judged), tuple(self._late))
        self._clear()
        return found
