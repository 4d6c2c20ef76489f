"""A room to make prompts in, where nothing is run, and a model in it that is a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from inspect_ai.model import ModelOutput

from libdrift import config
from libdrift.evals.asking import Asker
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategy_context import StrategyContext
from libdrift.records import Suite, Task


def room(
    tasks: list[Task], ways: EvalOptions, history: Path | None = None, folder: Path | None = None
) -> StrategyContext:
    settings = config.load()
    if history is not None:
        settings = replace(settings, history=history)
    suite = Suite("small", "Small", "made here", {task.id: task for task in tasks})
    nobody = cast("Any", None)
    return StrategyContext(suite, ways, settings, nobody, nobody, shelf=nobody, folder=folder)


class Scripted(Asker):
    """Asks a function of a place and a prompt, and keeps what it was asked."""

    def __init__(self, reply: Callable[[str, Prompt], str], place: str = "") -> None:
        self._reply = reply
        self._where = place
        self.asked: list[tuple[str, Prompt]] = []

    def at(self, task_id: str) -> Scripted:
        other = Scripted(self._reply, task_id)
        other.asked = self.asked
        return other

    async def ask(self, asked: Any, **_: Any) -> ModelOutput:
        self.asked.append((self._where, asked))
        return ModelOutput.from_content("m", self._reply(self._where, asked))
