"""The greedy answer, tidied by linters before it is graded; pylint's score before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from libdrift.analysis import linting
from libdrift.evals.asking import Asker
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.base import StrategyAnswer, is_program
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.troubles import Trouble
from libdrift.records import Task
from libdrift.scoring.answers import code_of


class Repair(Greedy):
    about = "Greedy's answer, fixed by linters before it is judged."

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        if not is_program(task):
            return "they ask for no whole program"
        return "" if task.language == "python" else f"no linter here is for {task.language}"

    async def prepare(self, asker: Asker) -> None:
        linting.repair([])  # says now if the linters are missing
        await super().prepare(asker)

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        return (await self._repaired(task, [await super().answer(task, asker)]))[0]

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        found = await super().answers(task, askers)
        given = [one for one in found if isinstance(one, StrategyAnswer)]
        tidied = iter(await self._repaired(task, given))
        return [one if isinstance(one, Trouble) else next(tidied) for one in found]

    async def _repaired(
        self, task: Task, answers: Sequence[StrategyAnswer]
    ) -> list[StrategyAnswer]:
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
