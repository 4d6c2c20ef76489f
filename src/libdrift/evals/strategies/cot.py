"""Zero-shot chain of thought: steps first, then the answer."""

from __future__ import annotations

from inspect_ai.model import ModelOutput

from libdrift.evals import prompts
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import Answer, OneShot, is_program, noted, plain_prompt
from libdrift.execution import extract_code
from libdrift.records import Task

_FENCE = "```"


class ChainOfThought(OneShot):
    def opening(self, task: Task) -> Prompt:
        plain = plain_prompt(task, self.room)
        words = prompts.text("cot" if is_program(task) else "cot_completion")
        return Prompt(f"{plain.user.rstrip()}\n\n{words}", plain.system, cut=plain.cut)

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> Answer:
        text = output.completion
        notes = noted(prompt, output)
        if not is_program(task):
            return Answer(text, notes)
        # The answer is the last block: earlier ones belong to the steps.
        steps, found = _last_block(text)
        return Answer(found, notes | {"steps": steps})


def _last_block(text: str) -> tuple[str, str]:
    """What stands before the last fenced block, and the block; all of it where there is none."""
    parts = text.split(_FENCE)
    if len(parts) < 2:  # noqa: PLR2004
        return "", text
    # An even number of parts: the last block was not closed, as where an answer was cut.
    index = len(parts) - 1 if len(parts) % 2 == 0 else len(parts) - 2
    block = f"{_FENCE}{parts[index]}{_FENCE}"
    return _FENCE.join(parts[:index]).strip(), extract_code(block)
