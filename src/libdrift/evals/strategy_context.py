"""What strategies work with: the suite, the ways of asking, and the task's own environment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.config import Settings
from libdrift.evals.document_source import DocumentSource
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.execution import Job, Options
from libdrift.execution.engines import LiveJudge
from libdrift.records import Split, Suite, Task, Tests, TestStyle
from libdrift.sandbox import Judgement, Program
from libdrift.scoring.verdicts import program_for
from libdrift.suites import prompt_for
from libdrift.suites.benchmarks import Asking
from libdrift.suites.libevolutioneval.documents import PublishedDocument
from libdrift.suites.libevolutioneval.styles import Style
from libdrift.suites.libevolutioneval.truncation import count_tokens


@dataclass(slots=True)
class StrategyContext:
    suite: Suite
    ways: EvalOptions
    settings: Settings
    options: Options
    live: LiveJudge
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
        asking = Asking(
            version=ways.version,
            imports=ways.imports,
            style=style,
            family=ways.family or None,
            context=ways.context,
            right=ways.right,
            documents=documents,
        )
        whole = self._prompt(task, asking)
        if ways.prompt_limit is None or count_tokens(whole.user) <= ways.prompt_limit:
            return whole
        # The limit is for both sides of the gap together.
        cut = self._prompt(task, replace(asking, limit=max(1, ways.prompt_limit // 2)))
        return replace(cut, cut=cut != whole)

    def _prompt(self, task: Task, asking: Asking) -> Prompt:
        shown = prompt_for(self.suite, task, asking)
        if shown.text:
            return Prompt(shown.text, raw=True, stop=shown.stop)
        return Prompt(shown.user, self.ways.system or shown.system)

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
