"""Documents of exactly the task's version before the problem, or of another one, to mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.model import ModelOutput

from libdrift.evals import prompts
from libdrift.evals.asking import Asker
from libdrift.evals.costs import tokens
from libdrift.evals.document_source import RetrievedDocuments
from libdrift.evals.options import SEARCH
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import StrategyAnswer
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.troubles import Trouble
from libdrift.records import Task
from libdrift.retrieval.documents import Document


class Retrieval(Greedy):
    about = "Documents of exactly the task's version before the problem."
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
        plain = super().opening(task)
        documents = self._found[task.id].documents
        kept = self._fitting(plain, documents)
        if not kept:
            return replace(plain, cut=plain.cut or bool(documents))
        told = prompts.text("rag", documents="\n\n".join(_shown(item) for item in kept))
        return replace(
            plain, user=f"{told}\n{plain.user}", cut=plain.cut or len(kept) < len(documents)
        )

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        answer = super().read(task, prompt, output)
        found = self._found[task.id]
        notes = {"documents": [item.header for item in found.documents], **found.measured}
        return replace(answer, notes={**answer.notes, **notes})

    def _fitting(self, plain: Prompt, documents: Sequence[Document]) -> Sequence[Document]:
        """The first documents, as many as the prompt's limit leaves room for."""
        limit = self.ways.prompt_limit
        if limit is None:
            return documents
        left = limit - tokens(plain.system) - tokens(plain.user)
        kept = []
        for item in documents:
            left -= tokens(_shown(item))
            if left < 0:
                break
            kept.append(item)
        return kept


def _shown(document: Document) -> str:
    return f"--- {document.text}"
