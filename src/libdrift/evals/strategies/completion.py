"""Completions in the middle of code, in LibEvolutionEval's three styles.

``fim`` and ``left`` send a text to go on from, with the model's own marks around the gap or with
what is before it alone; ``instruct`` asks in words. ``-S context`` says what stands before the
code: nothing, the version, or documents of that version too.
"""

from __future__ import annotations

from typing import ClassVar

from libdrift.evals.asking import Asker
from libdrift.evals.document_source import RetrievedDocuments
from libdrift.evals.documented import in_a_comment
from libdrift.evals.options import SEARCH, EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import OneShot, in_the_middle
from libdrift.evals.strategy_context import StrategyContext
from libdrift.records import Task
from libdrift.suites.libevolutioneval.contexts import PromptContext
from libdrift.suites.libevolutioneval.styles import Style, sentinels


class Completion(OneShot):
    options = ("context", "right", "family", *SEARCH)
    style: ClassVar[Style]

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        self._documents = self.ways.context == PromptContext.DOCUMENTS
        self._found: dict[str, RetrievedDocuments] = {}  # of the tasks that are being asked

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        if not in_the_middle(task):
            return "they are no completions in the middle of a line"
        if cls.style is Style.FILL:
            sentinels(ways.family)  # an unknown family is said once, and now
        return ""

    async def prepare(self, asker: Asker) -> None:
        if self._documents:
            await self.room.shelf.fill(self.room.suite.tasks.values())
        await super().prepare(asker)

    async def fetch(self, task: Task) -> None:
        if self._documents:
            self._found[task.id] = await self.room.shelf.find(task)

    def shown(self, task: Task) -> Prompt:
        return self.room.completion(task, self.style)

    def opening(self, task: Task) -> Prompt:
        found = self._found.pop(task.id).documents if self._documents else ()
        return self.room.completion(task, self.style, [in_a_comment(item) for item in found])


class Fill(Completion):
    about = "Completion with the model's fill-in-the-middle markers."
    style = Style.FILL
    raw = True


class Left(Completion):
    about = "Completion from the code before the gap."
    style = Style.LEFT
    raw = True


class Instruct(Completion):
    about = "Completion from an instruction."
    style = Style.INSTRUCTION
