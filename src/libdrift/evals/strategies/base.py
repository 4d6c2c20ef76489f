"""What a strategy is: from a task to an answer, by asking a model in one way or another."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from inspect_ai.model import ModelOutput

from libdrift.evals.asking import Asker, Sampling, ask_all
from libdrift.evals.options import EvalOptions
from libdrift.evals.plain_prompts import is_about, plain
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.troubles import Trouble
from libdrift.records import Task
from libdrift.scoring.text_scores import MIDDLE


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """What is graded, and what a strategy has to tell of how it came about."""

    text: str
    notes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class Strategy(ABC):
    """One way of asking.

    A new one is a module here with a subclass, its words in ``templates/``, and a line in
    ``strategies.KNOWN``; ``tests/evals/test_conformance.py`` runs every one of them.
    """

    samples: ClassVar[int] = 1
    temperature: ClassVar[float] = 0.0
    top_p: ClassVar[float] = 0.95
    raw: ClassVar[bool] = False  # whether it needs a model that goes on from a text
    modelless: ClassVar[bool] = False  # whether it asks no model
    about: ClassVar[str] = ""  # what it does, in a sentence
    options: ClassVar[tuple[str, ...]] = ()  # which of ``options.STRATEGY_OPTIONS`` it reads
    default_rounds: ClassVar[int | None] = None  # of a strategy that has some

    def __init__(self, room: StrategyContext) -> None:
        self.room = room
        self.ways = room.ways

    @property
    def sampling(self) -> Sampling:
        ways = self.ways
        return Sampling(
            self.temperature if ways.temperature is None else ways.temperature,
            self.top_p if ways.top_p is None else ways.top_p,
            ways.max_tokens,
            ways.seed,
        )

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        """Why a task cannot be asked in this way; empty if it can."""
        del task, ways
        return ""

    def shown(self, task: Task) -> Prompt:
        """About what is asked, for logs and for ``--dry-run``: before anything is prepared."""
        return plain_prompt(task, self.room)

    def opening(self, task: Task) -> Prompt:
        """The first prompt."""
        return plain_prompt(task, self.room)

    async def prepare(self, asker: Asker) -> None:
        """What is to be done once, before the first task."""
        del asker

    @abstractmethod
    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer: ...

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        """An answer for each sample; what got none says why."""
        found: list[StrategyAnswer | Trouble] = []
        for asker in askers:
            try:
                found.append(await self.answer(task, asker))
            except Trouble as trouble:
                found.append(trouble)
        return found


class OneShot(Strategy):
    """A strategy that is one prompt: all samples by one request, where the provider can."""

    def structured(self, task: Task) -> bool:
        """Whether an answer and an explanation are asked for, as JSON."""
        del task
        return False

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        """The answer in what a model said."""
        del task
        return StrategyAnswer(output.completion, noted(prompt, output))

    async def fetch(self, task: Task) -> None:
        """Get what the prompt needs and has to be waited for; a ``Trouble`` if it is not there."""

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        await self.fetch(task)
        prompt = self.opening(task)
        return self.read(task, prompt, await asker.ask(prompt, schema=self.structured(task)))

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        try:
            await self.fetch(task)
        except Trouble as trouble:
            for asker in askers:
                asker.note(trouble)
            return [trouble] * len(askers)
        prompt = self.opening(task)
        outputs = await ask_all(askers, prompt, schema=self.structured(task))
        return [
            one if isinstance(one, Trouble) else self.read(task, prompt, one) for one in outputs
        ]


def noted(prompt: Prompt, output: ModelOutput) -> dict[str, Any]:
    """What is worth telling of a call: a prompt that was cut, an answer that was."""
    cut = {"prompt_cut": True} if prompt.cut else {}
    ended = output.stop_reason if output.choices else "unknown"
    return cut | ({"stop": ended} if ended not in {"stop", "tool_calls"} else {})


def is_program(task: Task) -> bool:
    """Whether a program is asked for, not what is missing in some code, or what is wrong in it."""
    return task.gap is None and not is_about(task)


def in_the_middle(task: Task) -> bool:
    return task.facts.granularity == MIDDLE


def plain_prompt(
    task: Task, room: StrategyContext, *, template: str = "program", **extra: str
) -> Prompt:
    """A task as it is asked for without further ado."""
    if task.gap is not None:
        return room.completion(task)
    return plain(task, room.ways, template=template, **extra)


def unwrapped(text: str) -> tuple[str, str] | None:
    """Answer and explanation, where a model wrote them as JSON; ``None`` where it did not.

    The object may stand in a fence or behind some words, but not within a program of the text's.
    """
    if _PROGRAM_BLOCK.search(text):
        return None
    told: list[tuple[str, str]] = []
    at = 0
    while match := _OBJECT.search(text, at):
        try:
            found, at = _JSON.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.end()
            continue
        if isinstance(found.get("answer"), str):
            told.append((found["answer"], str(found.get("explanation", ""))))
    # Who answers twice, and not the same, has not answered.
    return told[0] if len({answer for answer, _ in told}) == 1 else None


_PROGRAM_BLOCK = re.compile(r"^```(?:python|py|java|rust)\b", re.MULTILINE | re.IGNORECASE)
_OBJECT = re.compile(r"\{\s*\"(?:answer|explanation)\"\s*:")
_JSON = json.JSONDecoder(strict=False)  # a model may break a line within a text
