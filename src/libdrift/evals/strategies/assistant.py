"""A command-line coding assistant in a model's place: it edits the task's file."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from libdrift.errors import UserError
from libdrift.evals.asking import Asker
from libdrift.evals.commands import AssistantRun, CommandEnding, check_command, run_command
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import Strategy, StrategyAnswer, is_program
from libdrift.evals.strategy_context import StrategyContext
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.execution.confined import confine
from libdrift.execution.runs import RUNS
from libdrift.records import Task
from libdrift.scoring.assistant import program, stems


class Assistant(Strategy):
    about = "No model: a command-line coding assistant edits the task's file."
    options = ("command", "problem", "allow", "seconds")
    modelless = True

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        if not self.ways.command:
            raise UserError(
                "no command for the assistant is given",
                "Give its command: -S command='mytool --file {path}'",
            )
        self._hold = confine(
            room.options.backend.name,
            room.settings,
            hide=_solutions(room),
            allow=[Path(folder) for folder in self.ways.allow],
        )
        check_command(self.ways.command, with_problem=self.ways.problem, hold=self._hold)
        self._stems = stems(room.suite)

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        return "" if is_program(task) else "they have no file to complete"

    def shown(self, task: Task) -> Prompt:
        return Prompt(program(task, with_problem=self.ways.problem))

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        stop = threading.Event()
        work = asyncio.to_thread(
            run_command,
            self.ways.command,
            task,
            stem=self._stems[task.id],
            with_problem=self.ways.problem,
            seconds=self.ways.seconds,
            hold=self._hold,
            stop=stop,
        )
        try:
            ran = await work
        except asyncio.CancelledError:
            stop.set()
            raise
        trouble = _trouble(ran)
        if trouble is not None:
            asker.note(trouble)
            raise trouble
        notes = {"ending": ran.ending.value, "seconds": round(ran.seconds, 1)}
        return StrategyAnswer(
            ran.text or "", {**notes, **({"reason": ran.reason} if ran.reason else {})}
        )


def _solutions(room: StrategyContext) -> list[Path]:
    """What holds answers: a file of tasks, the run's folder, and other runs beside it."""
    found = [Path(room.suite.source), Path(RUNS)]
    if room.folder is not None:
        around = room.folder.absolute().parent
        found.append(around if around.name == RUNS else room.folder)
    return [path for path in found if path.exists()]


def _trouble(ran: AssistantRun) -> Trouble | None:
    """What says nothing of the assistant's skill: it did not start, or did nothing and failed."""
    message = f"{ran.reason}: {ran.tail.strip().splitlines()[-1][:200]}" if ran.tail.strip() else ""
    if ran.ending in {CommandEnding.MISSING, CommandEnding.STOPPED}:
        return Trouble(ProviderTrouble.COMMAND, message or ran.reason)
    if not ran.changed and ran.ending in {CommandEnding.FAILED, CommandEnding.TIMEOUT}:
        kind = (
            ProviderTrouble.TIMEOUT
            if ran.ending is CommandEnding.TIMEOUT
            else ProviderTrouble.COMMAND
        )
        return Trouble(kind, message or ran.reason)
    return None
