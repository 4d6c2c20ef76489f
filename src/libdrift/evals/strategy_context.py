"""What strategies work with: the suite, the ways of asking, and the task's own environment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from libdrift.config import Settings
from libdrift.evals.document_source import DocumentSource
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.execution import Job, Options
from libdrift.execution.live import Live
from libdrift.records import Split, Suite, Task, Tests, TestStyle
from libdrift.sandbox import Judgement, Program
from libdrift.scoring.text_scores import MIDDLE
from libdrift.scoring.verdicts import program_for
from libdrift.suites.libevolutioneval.contexts import PromptContext
from libdrift.suites.libevolutioneval.documents import PublishedDocument
from libdrift.suites.libevolutioneval.rendering import render
from libdrift.suites.libevolutioneval.styles import Style
from libdrift.suites.libevolutioneval.truncation import count_tokens
from libdrift.suites.versicode.prompts import prompt


@dataclass(slots=True)
class StrategyContext:
    suite: Suite
    ways: EvalOptions
    settings: Settings
    options: Options
    live: Live
    shelf: DocumentSource
    folder: Path | None = None  # of the run
    structured: bool = False  # whether the provider holds answers to a schema

    def completion(
        self,
        task: Task,
        style: Style = Style.INSTRUCTION,
        documents: Sequence[PublishedDocument] = (),
    ) -> Prompt:
        """The prompt for a task that is judged by its text."""
        ways = self.ways
        if task.facts.granularity != MIDDLE:
            return Prompt(prompt(task, version=ways.version, imports=ways.imports), ways.system)
        context = _context(ways, documents)
        limit = ways.prompt_limit

        def rendered(limit: int | None) -> Prompt:
            shown = render(
                task,
                style=style,
                context=context,
                documents=documents,
                family=ways.family or None,
                limit=limit,
            )
            if shown.text:
                return Prompt(shown.text, raw=True, stop=shown.stop)
            return Prompt(shown.user, ways.system or shown.system)

        whole = rendered(None)
        if limit is None or count_tokens(whole.user) <= limit:
            return whole
        # The limit is for both sides of the gap together.
        cut = rendered(max(1, limit // 2))
        return Prompt(cut.user, cut.system, cut.raw, cut.stop, cut=True)

    async def tested(self, task: Task, code: str, split: Split) -> Judgement:
        """What a split's tests say of a program."""
        tests = next(tests for tests in task.tests if tests.split is split)
        job = Job(
            (task.id, "0", split.value),
            task.environment,
            program_for(task, tests, code),
            task.reference,
        )
        return await asyncio.wrap_future(self.live.submit(job))

    async def executed(self, task: Task, code: str) -> Judgement:
        """What a program prints in the task's environment: a look, no verdict."""
        program = Program(code, "pass\n", TestStyle.SCRIPT, task.module)
        job = Job((task.id, "look", ""), task.environment, program)
        return await asyncio.wrap_future(self.live.submit(job))


def visible(task: Task) -> Tests | None:
    """The tests that a candidate may see, if there are some."""
    return next((tests for tests in task.tests if tests.split is Split.VISIBLE), None)


def _context(ways: EvalOptions, documents: Sequence[PublishedDocument]) -> PromptContext:
    if not ways.version:
        return PromptContext.IN_FILE
    return PromptContext.DOCUMENTS if documents else PromptContext(ways.context)
