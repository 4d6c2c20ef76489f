"""Zero-shot chain of thought: steps first, then the answer."""

from __future__ import annotations

import re

from inspect_ai.model import ModelOutput

from libdrift.evals import prompts
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import OneShot, StrategyAnswer, is_program, noted, plain_prompt
from libdrift.records import Task


class ChainOfThought(OneShot):
    about = "The problem, with a request to think in steps first."

    def opening(self, task: Task) -> Prompt:
        plain = plain_prompt(task, self.room)
        name = "cot" if is_program(task) else "cot_completion"
        words = prompts.text(name, language=task.language)
        return Prompt(f"{plain.user.rstrip()}\n\n{words}", plain.system, cut=plain.cut)

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        text = output.completion
        notes = noted(prompt, output)
        if not is_program(task):
            return StrategyAnswer(text, notes)
        # The answer is the last block: earlier ones belong to the steps.
        steps, found = _last_block(text)
        return StrategyAnswer(found, notes | {"steps": steps})


def _last_block(text: str) -> tuple[str, str]:
    """What stands before the last Python block (else the last of any kind), and that block.

    All of the text where there is none. The last block may be open, where an answer was cut.
    """
    blocks = list(_BLOCK.finditer(text))
    if not blocks:
        return "", text
    programs = [one for one in blocks if one["language"].lower() in {"python", "py", "python3"}]
    last = (programs or blocks)[-1]
    return text[: last.start()].strip(), last["code"]


_BLOCK = re.compile(
    r"^[ \t]*```(?P<language>\w*)[^\n`]*\n(?P<code>.*?)(?:^[ \t]*```[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
