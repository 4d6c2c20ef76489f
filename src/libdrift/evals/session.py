"""A run at work: answers are kept as they come, and judged beside the asking."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from libdrift.errors import LibdriftError, write_failure
from libdrift.evals.asking import AskedSample, Asker, Channel
from libdrift.evals.strategies import Strategy, StrategyAnswer
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.execution import RunFolder
from libdrift.execution.runs import VERDICTS, keep_lines
from libdrift.metrics.modes import Mode
from libdrift.records import Attempt, Outcome, Task, Tests, Verdict
from libdrift.scoring.answers import code_of, refusal
from libdrift.scoring.programs import program
from libdrift.scoring.text_runs import SCORES
from libdrift.scoring.text_scores import AtK, TaskScores, TextJudge
from libdrift.scoring.verdicts import job_for, verdict_of

ANSWERS = "answers.jsonl"
_TEXTS = ("em", "ism", "pm", "cdc")
_TURNS = 1000  # where nobody says otherwise: Inspect's own command has its own limit
logger = logging.getLogger(__name__)


class EvalListener(Protocol):
    """Who wants to know how far a run is."""

    def known(self, tasks: int) -> None: ...

    def answered(self, task: Task, trouble: Trouble | None) -> None: ...

    def judged(self, outcome: str) -> None: ...

    def said(self, what: str) -> None:
        """What is being done before the first question."""


class SilentListener:
    def known(self, tasks: int) -> None:
        pass

    def answered(self, task: Task, trouble: Trouble | None) -> None:
        pass

    def judged(self, outcome: str) -> None:
        pass

    def said(self, what: str) -> None:
        pass


class EvalSession:
    """Asks for answers and judges them; with a folder, it keeps both."""

    def __init__(
        self,
        strategy: Strategy,
        channel: Channel,
        folder: RunFolder | None = None,
        watch: EvalListener | None = None,
    ) -> None:
        self.strategy = strategy
        self.room = strategy.room
        self.channel = channel
        self.folder = folder
        self._watch = watch or SilentListener()
        self._lock = threading.Lock()
        self._preparing = asyncio.Lock()
        # Tasks that are asked at a time; those that are judged wait for nobody.
        self.turns = asyncio.Semaphore(_TURNS)
        self.failure: LibdriftError | None = None
        self._known: dict[tuple[str, int, str], Verdict] = {}
        self._have: defaultdict[str, int] = defaultdict(int)  # task → a bit for each sample

    # --- what an earlier session left

    def recover(self, known: dict[tuple[str, int, str], Verdict]) -> None:
        """Take up a folder where another session left it."""
        if self.folder is None:
            return
        path = self.folder.path
        keep_lines(path / ANSWERS, lambda line: _kept(line) is not None)
        for task_id, sample in _answered(path / ANSWERS):
            self._have[task_id] |= 1 << sample
        # A verdict on an answer that is gone says nothing of the one that takes its place, and
        # numbers of a task that had fewer samples then are made again.
        keep_lines(path / VERDICTS, self._is_of_an_answer)
        keep_lines(path / SCORES, self._is_complete)
        self._known = {key: one for key, one in known.items() if self._has(key[0], key[1])}
        wanted = self.room.ways.samples
        self.channel.ledger.open(lambda line: self.answered(line.task_id) < wanted)

    def _is_of_an_answer(self, line: bytes) -> bool:
        kept = _kept(line)
        return kept is not None and self._has(*kept)

    def _is_complete(self, line: bytes) -> bool:
        try:
            scored = _SCORES.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        wanted = self.room.ways.samples
        return min(len(scored.samples), self.answered(scored.task_id)) >= wanted

    def _has(self, task_id: str, sample: int) -> bool:
        return bool(self._have.get(task_id, 0) >> sample & 1)

    def answered(self, task_id: str) -> int:
        return self._have.get(task_id, 0).bit_count()

    async def ready(self) -> None:
        """Open the model that Inspect has open, and prepare, unless that was done."""
        async with self._preparing:
            if self.channel.model is None:
                self.channel.use(None)
                await self.prepare()

    async def prepare(self) -> None:
        """What the strategy does once. If it fails, no task is asked."""
        try:
            await self.strategy.prepare(self.asker("", 0))
        except Trouble as trouble:
            self.channel.over = trouble
            raise

    def missing(self, task: Task) -> list[int]:
        have = self._have.get(task.id, 0)
        return [number for number in range(self.room.ways.samples) if not have >> number & 1]

    # --- answers

    async def answer(self, task: Task, epoch: int = 1) -> list[tuple[int, StrategyAnswer]]:
        """The answers that are still missing. What got none is a ``Trouble``, after the others.

        An ``epoch`` is Inspect's own way to ask again; nothing is missing twice in a folder.
        """
        first = (epoch - 1) * self.room.ways.samples
        samples = [first + number for number in self.missing(task)]
        askers = [self.asker(task.id, sample) for sample in samples]
        async with self.turns:
            found = await self._asked(task, askers)
        answers = [
            (sample, one)
            for sample, one in zip(samples, found, strict=True)
            if isinstance(one, StrategyAnswer)
        ]
        trouble = next((one for one in found if isinstance(one, Trouble)), None)
        self._keep(task, answers)
        self._watch.answered(task, trouble)
        if trouble is not None:
            raise trouble
        return answers

    async def _asked(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        try:
            return await self.strategy.answers(task, askers)
        except LibdriftError as error:
            self.failure = self.failure or error  # of the machine: the run ends, and says so
            raise
        except Exception as error:  # a strategy's own fault: told, and never a wrong answer
            logger.exception("%s: %s failed", task.id, self.room.ways.strategy)
            trouble = Trouble(ProviderTrouble.FAULT, f"{type(error).__name__}: {error}")
            for asker in askers:
                asker.note(trouble)
            return [trouble] * len(askers)

    def asker(self, task_id: str, sample: int) -> Asker:
        return Asker(self.channel, AskedSample(task_id, sample), self.strategy.sampling)

    def _keep(self, task: Task, answers: Sequence[tuple[int, StrategyAnswer]]) -> None:
        if self.folder is None or not answers:
            return
        lines = [
            _encoded(
                {
                    "task_id": task.id,
                    "sample": sample,
                    "answer": answer.text,
                    **({"notes": dict(answer.notes)} if answer.notes else {}),
                }
            )
            for sample, answer in answers
        ]
        self._append(ANSWERS, b"".join(lines))
        for sample, _ in answers:
            self._have[task.id] |= 1 << sample

    def _append(self, name: str, content: bytes) -> None:
        if self.folder is None:
            return
        try:
            with self._lock, (self.folder.path / name).open("ab") as file:
                file.write(content)
        except OSError as error:
            self.failure = write_failure(self.folder.path, error, kept="answers so far are kept")
            raise self.failure from error

    # --- grades

    @property
    def metrics(self) -> list[str]:
        """The names of all values that grading gives, over the whole suite."""
        tasks = self.room.suite.tasks.values()
        splits = dict.fromkeys(tests.split.value for task in tasks for tests in task.tests)
        return [*splits, *(_TEXTS if any(task.gap for task in tasks) else ())]

    async def grade(
        self, task: Task, answers: Sequence[tuple[int, StrategyAnswer]]
    ) -> dict[str, float | None]:
        """What answers are worth: shares that passed a split, or metrics on their text."""
        values: dict[str, float | None] = {}
        if task.gap is not None:
            values |= await asyncio.to_thread(self._texts, task, [one.text for _, one in answers])
        attempts = [self._attempt(task, sample, one) for sample, one in answers]
        for tests in task.tests:
            verdicts = await asyncio.gather(
                *(self._verdict(task, tests, attempt) for attempt in attempts)
            )
            graded = [one.outcome is Outcome.PASSED for one in verdicts if one.outcome.graded]
            values[tests.split.value] = sum(graded) / len(graded) if graded else None
        return values

    def _attempt(self, task: Task, sample: int, answer: StrategyAnswer) -> Attempt:
        if task.gap is not None:
            return Attempt(task.id, sample, answer.text, program(task, answer.text))
        code = code_of(self.room.suite, task.id, answer.text)
        return Attempt(task.id, sample, answer.text, code)

    async def _verdict(self, task: Task, tests: Tests, attempt: Attempt) -> Verdict:
        known = self._known.get((task.id, attempt.sample, tests.split.value))
        if known is not None:
            return known
        refused = refusal(attempt.raw) or refusal(attempt.code)
        if refused:
            verdict = Verdict(task.id, attempt.sample, tests.split, Outcome.REFUSED, refused)
        else:
            job = job_for(task, tests, attempt)
            judgement = await asyncio.wrap_future(self.room.live.submit(job))
            verdict = verdict_of(job, judgement)
        if self.folder is not None:
            await asyncio.to_thread(self._keep_verdict, self.folder, verdict)
        self._watch.judged(verdict.outcome.value)
        return verdict

    def _keep_verdict(self, folder: RunFolder, verdict: Verdict) -> None:
        with self._lock:
            folder.append(verdict)

    def _texts(self, task: Task, outputs: Sequence[str]) -> dict[str, float | None]:
        judge = TextJudge(task, Mode.FIXED)
        samples = tuple(judge.grade(output) for output in outputs)
        if len(samples) == self.room.ways.samples:
            self._append(SCORES, msgspec.json.encode(TaskScores(task.id, samples)) + b"\n")
        for sample in samples:
            self._watch.judged("exact" if sample.em else "other")
        found = AtK().values(samples)
        values: dict[str, float | None] = {name: found.get(f"{name}@1") for name in _TEXTS}
        if any(one.expression is not None for one in samples):
            values["em"] = sum(one.em for one in samples) / len(samples)
        return values


class _Kept(msgspec.Struct):
    task_id: str
    sample: int


_KEPT = msgspec.json.Decoder(_Kept)
_SCORES = msgspec.json.Decoder(TaskScores)


def _kept(line: bytes) -> tuple[str, int] | None:
    """The task and sample that a line is about; ``None`` if it is broken."""
    try:
        found = _KEPT.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found.task_id, found.sample


def _answered(path: Path) -> Iterator[tuple[str, int]]:
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                kept = _kept(line)
                if kept is not None:
                    yield kept


def _encoded(value: dict[str, Any]) -> bytes:
    # In ASCII: a model's text may hold what no encoding has.
    return json.dumps(value).encode() + b"\n"
