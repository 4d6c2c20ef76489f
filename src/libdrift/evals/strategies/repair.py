"""The greedy answer, tidied by linters before it is graded; pylint's score before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from libdrift.analysis import linting
from libdrift.evals.asking import Asker
from libdrift.evals.strategies.base import Answer, is_program
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.troubles import Trouble
from libdrift.evals.ways import Ways
from libdrift.records import Task
from libdrift.scoring.answers import code_of


class Repair(Greedy):
    @classmethod
    def unfit(cls, task: Task, ways: Ways) -> str:
        del ways
        if not is_program(task):
            return "they ask for no whole program"
        return "" if task.language == "python" else f"no linter here is for {task.language}"

    async def prepare(self, asker: Asker) -> None:
        linting.repair([])  # says now if the linters are missing
        await super().prepare(asker)

    async def answer(self, task: Task, asker: Asker) -> Answer:
        return (await self._repaired(task, [await super().answer(task, asker)]))[0]

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[Answer | Trouble]:
        found = await super().answers(task, askers)
        given = [one for one in found if isinstance(one, Answer)]
        tidied = iter(await self._repaired(task, given))
        return [one if isinstance(one, Trouble) else next(tidied) for one in found]

    async def _repaired(self, task: Task, answers: Sequence[Answer]) -> list[Answer]:
        codes = [code_of(self.room.suite, task.id, one.text) for one in answers]
        python = task.environment.runtime
        found = await asyncio.to_thread(linting.repair, codes, python=python)
        return [
            replace(
                answer,
                text=one.code,
                notes={
                    **answer.notes,
                    "changed": one.changed,
                    "pylint_before": one.pylint_before,
                    "pylint_after": one.pylint_after,
                    **({"repair": one.note} if one.note else {}),
                },
            )
            for answer, one in zip(answers, found, strict=True)
        ]
