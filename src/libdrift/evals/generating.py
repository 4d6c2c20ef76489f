"""Recipes driven with a model: every request, its reply and what came of it kept on disk.

A folder beside the file of tasks has ``calls.jsonl`` (what the model was asked, and said),
``stages.jsonl`` (every stage of every start, and how each of them ended) and ``run.json``. What is
in there is neither asked nor run again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec

from libdrift.build.recipes.gates import DuplicateGate, Gate, refused
from libdrift.build.recipes.steps import (
    SYSTEM,
    Executor,
    JudgeRequest,
    MachineTrouble,
    MadeTasks,
    ModelRequest,
    RecipeStart,
    RejectedProduct,
    Request,
    ScriptRequest,
)
from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.evals.asking import AskedSample, Asker, Channel, Sampling
from libdrift.evals.costs import Price, price_of
from libdrift.evals.ledger import Ledger, Totals, digest
from libdrift.evals.models import Opened, identity, opened
from libdrift.evals.prompts import Prompt
from libdrift.evals.running import ProviderLimits, retries
from libdrift.evals.troubles import Trouble
from libdrift.execution import RunFolder
from libdrift.execution.runs import mend, provenance
from libdrift.records import Task

STAGES = "stages.jsonl"
_LONGEST = 1000  # characters of what is told of a request


class StageLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of ``stages.jsonl``: a stage that was done, or (``ended``) a start that is over."""

    start: str
    stage: str
    attempt: int = 0
    ended: str = ""  # "made" or "rejected"
    # Of a repair: what was wrong; of programs: how each fared; of an end: why.
    reason: str = ""
    requests: int = 0
    repairs: int = 0
    tasks: tuple[dict[str, Any], ...] = ()  # that are proven
    refused: tuple[tuple[str, str, str], ...] = ()  # tasks that are not: id, gate, reason


@dataclass(frozen=True, slots=True)
class GeneratingModel:
    """Who writes, and what that may cost."""

    model: str
    base_url: str | None = None
    price: Price | None = None
    max_cost: float | None = None
    max_tokens: int = 2048
    temperature: float = 0.0
    patience: ProviderLimits = field(default_factory=ProviderLimits)

    @property
    def prices(self) -> Price:
        return self.price or price_of(self.model)


@dataclass(frozen=True, slots=True)
class Generation:
    """What is to be made of what."""

    starts: Sequence[RecipeStart]
    executor: Executor
    gates: Sequence[Gate]
    about: dict[str, Any]  # all that products depend on beside the model

    def fingerprint(self, model: GeneratingModel) -> str:
        who = [model.model, identity(model.model), model.base_url, model.max_tokens]
        return digest(["generate", *who, model.temperature, self.about])[:12]


@dataclass(frozen=True, slots=True)
class GenerationResult:
    lines: tuple[StageLine, ...]  # of the starts that are over, in their order
    totals: Totals
    reused: int
    open: int  # starts that are not over
    over: Trouble | None  # what ended it early
    troubles: tuple[str, ...]  # what kept starts open: a line each


class GenerationWatch(Protocol):
    def finished(self, ended: str) -> None: ...

    def fetched(self, done: int, total: int) -> None: ...


class UnwatchedGeneration:
    def finished(self, ended: str) -> None:
        pass

    def fetched(self, done: int, total: int) -> None:
        pass


class StageLedger:
    """``stages.jsonl``, only ever appended to."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / STAGES

    def read(self) -> dict[str, StageLine]:
        """The starts that are over."""
        mend(self._path)
        found: dict[str, StageLine] = {}
        with contextlib.suppress(FileNotFoundError), self._path.open("rb") as file:
            for text in file:
                with contextlib.suppress(msgspec.MsgspecError):
                    line = _DECODER.decode(text)
                    if line.ended:
                        found[line.start] = line
        return found

    def add(self, line: StageLine) -> None:
        try:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(line, enc_hook=dict) + b"\n")
        except OSError as error:
            raise InfrastructureError(
                f"cannot write to {self._path}: {error.strerror}",
                "Free some space and run the same command again",
            ) from error


_DECODER = msgspec.json.Decoder(StageLine)


def generate(
    work: Generation,
    model: GeneratingModel,
    folder: RunFolder,
    settings: Settings,
    watch: GenerationWatch,
) -> GenerationResult:
    """Make tasks of every start that the folder does not know the end of."""
    ledger = Ledger(folder.path)
    channel = Channel(model.model, ledger, model.prices, model.max_cost)
    description = {
        "fingerprint": work.fingerprint(model),
        "model": model.model,
        **work.about,
        "provenance": provenance(),
    }
    stages = StageLedger(folder.path)
    known = stages.read() if folder.path.is_dir() else {}
    waiting = [start for start in work.starts if start.id not in known]
    _remember(work.gates, known)
    with _open(model, settings, waiting, watch) as made, folder.open(description):
        ledger.open(lambda _line: True)
        before = retries()
        workshop = _Workshop(work, channel, model, stages, watch, known)
        try:
            if made is not None:
                asyncio.run(workshop.run(made, waiting))
        finally:
            ledger.close(retries() - before)
    lines = tuple(known[one.id] for one in work.starts if one.id in known)
    return GenerationResult(
        lines,
        ledger.totals,
        ledger.reused,
        len(work.starts) - len(lines),
        channel.over,
        tuple(workshop.troubles),
    )


def tasks_of(line: StageLine) -> list[Task]:
    """The tasks that a start has given, as they were made."""
    return [msgspec.convert(told, Task) for told in line.tasks]


def _remember(gates: Sequence[Gate], known: dict[str, StageLine]) -> None:
    """What earlier sessions made is asked for already."""
    for gate in gates:
        if isinstance(gate, DuplicateGate):
            for line in known.values():
                for task in tasks_of(line):
                    gate(task)


@contextlib.contextmanager
def _open(
    model: GeneratingModel,
    settings: Settings,
    waiting: Sequence[RecipeStart],
    watch: GenerationWatch,
) -> Iterator[Opened | None]:
    """The model, if there is something to ask it."""
    if not waiting:
        yield None
        return
    with opened(model.model, settings, base_url=model.base_url, progress=watch.fetched) as made:
        yield made


def _stage_line(start: RecipeStart, wanted: Request, sent: Any) -> StageLine:  # noqa: ANN401
    """What came of one request, for whoever reads the ledger."""
    match wanted:
        case ModelRequest(stage, _, attempt, fault):
            return StageLine(start.id, stage, attempt, reason=fault)
        case ScriptRequest(stage, runs):
            told = ["runs" if sent[run].runs else sent[run].why_not for run in runs]
        case JudgeRequest(stage, jobs):
            told = [f"{' '.join(job.key[1:])}: {sent[job.key].outcome}" for job in jobs]
    return StageLine(start.id, stage, reason="; ".join(told)[:_LONGEST])


class _Workshop:
    """Several starts under way at once; programs are run one request after the other."""

    def __init__(
        self,
        work: Generation,
        channel: Channel,
        model: GeneratingModel,
        stages: StageLedger,
        watch: GenerationWatch,
        known: dict[str, StageLine],
    ) -> None:
        self._work = work
        self._channel = channel
        self._model = model
        self._stages = stages
        self._watch = watch
        self._known = known
        self._sampling = Sampling(model.temperature, 1.0, model.max_tokens, 0)
        self._machine = asyncio.Lock()
        self.troubles: list[str] = []

    async def run(self, opened_model: Opened, starts: Sequence[RecipeStart]) -> None:
        at_once = self._model.patience.number(opened_model)
        left = iter(starts)

        async def work() -> None:
            for start in left:
                if self._channel.over is not None:
                    return
                await self._finish(start)

        # Closed within its event loop: connections that outlive it are never closed.
        async with self._model.patience.made(opened_model) as model:
            self._channel.use(model)
            await asyncio.gather(*(work() for _ in range(at_once)))

    async def _finish(self, start: RecipeStart) -> None:
        """One start to its end; what neither model nor recipe is to blame for leaves it open."""
        try:
            line = await self._drive(start)
        except Trouble as trouble:
            self._open_still(start, str(trouble))
            return
        except MachineTrouble as trouble:
            self._open_still(start, f"not run: {trouble}")
            return
        self._known[start.id] = line
        self._stages.add(line)
        self._watch.finished(line.ended)

    def _open_still(self, start: RecipeStart, why: str) -> None:
        self.troubles.append(f"{start.id}: {why}")
        self._watch.finished("open")

    async def _drive(self, start: RecipeStart) -> StageLine:
        steps = start.begin()
        sent: Any = None
        requests = repairs = 0
        while True:
            try:
                wanted = steps.send(sent)
            except StopIteration as end:
                return await self._concluded(start, end.value, requests, repairs)
            if isinstance(wanted, ModelRequest):
                requests += 1
                repairs += wanted.attempt > 0
            sent = await self._done(start, wanted)
            self._stages.add(_stage_line(start, wanted, sent))

    async def _done(self, start: RecipeStart, wanted: Request) -> Any:  # noqa: ANN401  (by kind)
        executor = self._work.executor
        match wanted:
            case ModelRequest(stage, prompt, attempt):
                place = AskedSample(f"{start.id}:{stage}", attempt)
                asker = Asker(self._channel, place, self._sampling)
                return (await asker.ask(Prompt(prompt, SYSTEM))).completion
            case ScriptRequest(_, runs):
                return await self._on_machine(lambda: executor.observe(runs))
            case JudgeRequest(_, jobs):
                return await self._on_machine(lambda: executor.judge(jobs))

    async def _on_machine(self, work: Callable[[], Any]) -> Any:  # noqa: ANN401  (whatever it gives)
        async with self._machine:
            return await asyncio.to_thread(work)

    async def _concluded(
        self, start: RecipeStart, made: MadeTasks | RejectedProduct, requests: int, repairs: int
    ) -> StageLine:
        if isinstance(made, RejectedProduct):
            return StageLine(
                start.id,
                made.stage,
                ended="rejected",
                reason=made.reason,
                requests=requests,
                repairs=repairs,
            )
        proven: list[Task] = []
        against: list[tuple[str, str, str]] = []
        for task in made.tasks:
            found = await self._on_machine(partial(refused, task, self._work.gates))
            if found is None:
                proven.append(task)
            else:
                against.append((task.id, *found))
        return StageLine(
            start.id,
            "gates",
            ended="made",
            requests=requests,
            repairs=repairs,
            tasks=tuple(msgspec.to_builtins(task, enc_hook=dict) for task in proven),
            refused=tuple(against),
        )
