"""One prompt, the likeliest answer. Answer and explanation as JSON where the provider has it."""

from __future__ import annotations

from inspect_ai.model import ModelOutput

from libdrift.evals.options import Wording
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import (
    OneShot,
    StrategyAnswer,
    is_program,
    noted,
    plain_prompt,
    unwrapped,
)
from libdrift.records import Task


class Greedy(OneShot):
    about = "The problem, the versions and the starting code, once."

    def structured(self, task: Task) -> bool:
        wanted = self.room.structured if self.ways.structured is None else self.ways.structured
        if self.ways.prompts == Wording.PAPER:
            wanted = False  # the papers ask for a block of code
        return wanted and is_program(task)  # a completion has its own form, which its metrics read

    def opening(self, task: Task) -> Prompt:
        template = "program_json" if self.structured(task) else "program"
        return plain_prompt(task, self.room, template=template)

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        notes = noted(prompt, output)
        found = unwrapped(output.completion) if is_program(task) else None
        if found is None:
            return StrategyAnswer(output.completion, notes)
        answer, explanation = found
        return StrategyAnswer(answer, notes | {"explanation": explanation})


class Sample(Greedy):
    """The same prompt, drawn from as often as ``--samples`` says."""

    about = "Greedy's prompt, with --samples answers at temperature 0.8."
    samples = 5
    temperature = 0.8
