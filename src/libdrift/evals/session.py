"""A run at work: answers are kept as they come, and judged beside the asking."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from libdrift.analysis.programs import program
from libdrift.analysis.text_runs import SCORES
from libdrift.analysis.text_scores import AtK, TaskScores, TextJudge
from libdrift.errors import InfrastructureError
from libdrift.evals.asking import Asker, Channel, Place
from libdrift.evals.strategies import Answer, Strategy
from libdrift.evals.troubles import Trouble
from libdrift.execution import RunFolder, extract_code
from libdrift.execution.answers import refusal
from libdrift.execution.runs import mend
from libdrift.execution.scoring import job_for, verdict_of
from libdrift.metrics.modes import Mode
from libdrift.records import Attempt, Outcome, Task, Tests, Verdict

ANSWERS = "answers.jsonl"


class Watch(Protocol):
    """Who wants to know how far a run is."""

    def known(self, tasks: int) -> None: ...

    def answered(self, task: Task, trouble: Trouble | None) -> None: ...

    def judged(self, outcome: str) -> None: ...

    def said(self, what: str) -> None:
        """What is being done before the first question."""


class Unwatched:
    def known(self, tasks: int) -> None:
        pass

    def answered(self, task: Task, trouble: Trouble | None) -> None:
        pass

    def judged(self, outcome: str) -> None:
        pass

    def said(self, what: str) -> None:
        pass


class Session:
    """Asks for answers and judges them; with a folder, it keeps both."""

    def __init__(
        self,
        strategy: Strategy,
        channel: Channel,
        folder: RunFolder | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.strategy = strategy
        self.room = strategy.room
        self.channel = channel
        self.folder = folder
        self._watch = watch or Unwatched()
        self._lock = threading.Lock()
        self._preparing = asyncio.Lock()
        self._known: dict[tuple[str, int, str], Verdict] = {}
        self._have: defaultdict[str, int] = defaultdict(int)  # task → a bit for each sample

    # --- what an earlier session left

    def recover(self, known: dict[tuple[str, int, str], Verdict]) -> None:
        """Take up a folder where another session left it."""
        if self.folder is None:
            return
        mend(self.folder.path / ANSWERS)
        for task_id, sample in _answered(self.folder.path / ANSWERS):
            self._have[task_id] |= 1 << sample
        # A verdict on an answer that is gone says nothing of the one that takes its place.
        self._known = {key: one for key, one in known.items() if self._have[key[0]] >> key[1] & 1}
        wanted = self.room.ways.samples
        self.channel.ledger.open(lambda line: self.answered(line.task_id) < wanted)
        self._drop_partial_scores(wanted)

    def _drop_partial_scores(self, wanted: int) -> None:
        """Numbers of tasks that had fewer samples then are made again."""
        if self.folder is None:
            return
        path = self.folder.path / SCORES
        mend(path)
        if not path.is_file():
            return
        decoder = msgspec.json.Decoder(TaskScores)
        scratch = path.with_name(f".{SCORES}.part")
        with path.open("rb") as old, scratch.open("wb") as new:
            for line in old:
                scored = decoder.decode(line)
                if min(len(scored.samples), self.answered(scored.task_id)) >= wanted:
                    new.write(line)
        scratch.replace(path)

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

    async def answer(self, task: Task) -> list[tuple[int, Answer]]:
        """The answers that are still missing. What got none is a ``Trouble``, after the others."""
        samples = self.missing(task)
        askers = [self.asker(task.id, sample) for sample in samples]
        found = await self.strategy.answers(task, askers)
        answers = [
            (sample, one)
            for sample, one in zip(samples, found, strict=True)
            if isinstance(one, Answer)
        ]
        trouble = next((one for one in found if isinstance(one, Trouble)), None)
        self._keep(task, answers)
        self._watch.answered(task, trouble)
        if trouble is not None:
            raise trouble
        return answers

    def asker(self, task_id: str, sample: int) -> Asker:
        return Asker(self.channel, Place(task_id, sample), self.strategy.sampling)

    def _keep(self, task: Task, answers: Sequence[tuple[int, Answer]]) -> None:
        for sample, _ in answers:
            self._have[task.id] |= 1 << sample
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

    def _append(self, name: str, content: bytes) -> None:
        if self.folder is None:
            return
        try:
            with self._lock, (self.folder.path / name).open("ab") as file:
                file.write(content)
        except OSError as error:
            raise InfrastructureError(
                f"cannot write to {self.folder.path}: {error.strerror}; answers so far are kept",
                "Free some space (or choose another --out) and run the same command again",
            ) from error

    # --- grades

    async def grade(
        self, task: Task, answers: Sequence[tuple[int, Answer]]
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

    def _attempt(self, task: Task, sample: int, answer: Answer) -> Attempt:
        if task.gap is not None:
            return Attempt(task.id, sample, answer.text, program(task, answer.text))
        code = extract_code(answer.text, any_fence=self.room.suite.any_fence)
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
        values: dict[str, float | None] = dict(AtK().values(samples))
        found = [one.expression for one in samples if one.expression is not None]
        if found:
            values["em"] = sum(one.em for one in found) / len(found)
        return values


class _Kept(msgspec.Struct):
    task_id: str
    sample: int


def _answered(path: Path) -> Iterator[tuple[str, int]]:
    decoder = msgspec.json.Decoder(_Kept)
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                kept = decoder.decode(line)
                yield kept.task_id, kept.sample


def _encoded(value: dict[str, Any]) -> bytes:
    # In ASCII: a model's text may hold what no encoding has.
    return json.dumps(value).encode() + b"\n"
