"""Documents of exactly the task's version before the problem, or of another one, to mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.model import ModelOutput

from libdrift.evals.asking import Asker
from libdrift.evals.document_source import RetrievedDocuments
from libdrift.evals.documented import with_documents
from libdrift.evals.options import SEARCH
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import StrategyAnswer
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.troubles import Trouble
from libdrift.records import Task


class Retrieval(Greedy):
    about = "Documents for the task's exact version before the problem."
    options = SEARCH

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        self._found: dict[str, RetrievedDocuments] = {}  # of the tasks that are being asked

    async def prepare(self, asker: Asker) -> None:
        await self.room.shelf.fill(self.room.suite.tasks.values())
        await super().prepare(asker)

    async def fetch(self, task: Task) -> None:
        self._found[task.id] = await self.room.shelf.find(task)

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        try:
            return await super().answers(task, askers)
        finally:
            self._found.pop(task.id, None)

    def opening(self, task: Task) -> Prompt:
        documents = self._found[task.id].documents
        return with_documents(super().opening(task), documents, self.ways.prompt_limit)

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        answer = super().read(task, prompt, output)
        found = self._found[task.id]
        notes = {"documents": [item.header for item in found.documents], **found.measured}
        return replace(answer, notes={**answer.notes, **notes})
