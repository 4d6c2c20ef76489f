"""Completions in the middle of code, in LibEvolutionEval's three styles.

``fim`` and ``left`` send a text to go on from, with the model's own marks around the gap or with
what is before it alone; ``instruct`` asks in words. ``--context`` says what stands before the
code: nothing, the version, or documents of that version too.
"""

from __future__ import annotations

from typing import ClassVar

from libdrift.evals.asking import Asker
from libdrift.evals.prompts import Prompt
from libdrift.evals.room import Room
from libdrift.evals.strategies.base import OneShot, in_the_middle
from libdrift.evals.ways import Ways
from libdrift.records import Task
from libdrift.suites.libevolutioneval.contexts import Context
from libdrift.suites.libevolutioneval.documents import Document
from libdrift.suites.libevolutioneval.styles import Style, sentinels


class Completion(OneShot):
    style: ClassVar[Style]

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._documents = self.ways.context == Context.DOCUMENTS

    @classmethod
    def unfit(cls, task: Task, ways: Ways) -> str:
        if not in_the_middle(task):
            return "they are no completions in the middle of a line"
        if cls.style is Style.FILL:
            sentinels(ways.family)  # an unknown family is said once, and now
        return ""

    async def prepare(self, asker: Asker) -> None:
        if self._documents:
            await self.room.shelf.fill(self.room.suite.tasks.values())
        await super().prepare(asker)

    def shown(self, task: Task) -> Prompt:
        return self.room.completion(task, self.style)

    def opening(self, task: Task) -> Prompt:
        found = self.room.shelf.find(task) if self._documents else []
        documents = [Document(item.path, item.signature, item.text) for item in found]
        return self.room.completion(task, self.style, documents)


class Fill(Completion):
    style = Style.FILL
    raw = True


class Left(Completion):
    style = Style.LEFT
    raw = True


class Instruct(Completion):
    style = Style.INSTRUCTION
