"""A system prompt that the model betters itself, before the first task is asked.

As GitChameleon 2.0 does (after Ye and others, "Prompt Alchemy", arXiv 2503.11085): from the system
prompt of ``greedy``, in at most five rounds, on a fixed fifth of the tasks, until a round gains
less than 1.5 points. In each, the model reads the best prompt so far and what failed with it, and
writes another. Its measure is visible tests, or the exact match of tasks that are judged by their
text; hidden tests and references are shown to nobody. Answers to tasks of the fifth are noted
(``optimised_on``): they are to be reported apart where their own text was the measure.

``-S rounds`` caps the rounds, and ``-S optimizer`` names another model that writes the prompts.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from inspect_ai.model import ModelOutput

from libdrift.errors import InfrastructureError, UserError, write_failure
from libdrift.evals import prompts, traces
from libdrift.evals.asking import Asker
from libdrift.evals.ledger import digest
from libdrift.evals.models import opened
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import StrategyAnswer, is_program
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.strategy_context import StrategyContext, visible
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.metrics.modes import Mode
from libdrift.records import Outcome, Split, Task
from libdrift.retrieval.documents import shortened
from libdrift.scoring.answers import code_of, refusal
from libdrift.scoring.text_scores import TextJudge

FILE = "system.txt"
_ROUNDS = 5
_GAIN = 1.5  # points: a round that gains less is the last
_SHARE = 5  # one task in so many
_FAILURES = 5  # that are shown, each with texts of so many characters
_LONGEST = 1500
_TAGGED = re.compile(r"<prompt>(.*?)(?:</prompt>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OptimizedPrompt:
    """A system prompt, and how the fifth fared with it. Without one, each task has greedy's."""

    system: str | None
    score: float  # in points of a hundred
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Result:
    right: bool | None  # None: nobody could tell
    told: str


class Optimize(Greedy):
    about = "The model first improves its system prompt on a fifth of the tasks."
    options = ("rounds", "optimizer")
    default_rounds = _ROUNDS

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        self._chosen = chosen(room.suite.tasks.values())
        self._ids = {task.id for task in self._chosen}
        self._best: OptimizedPrompt | None = None  # until it was prepared
        self._rounds: list[float] = []
        self._best_round = 0

    # --- before the first task

    async def prepare(self, asker: Asker) -> None:
        await super().prepare(asker)
        if not self._chosen:
            raise UserError(
                f"no task of {self.room.suite.name} has visible tests to optimise a prompt by",
                "Choose another --strategy: see docs/strategies.md",
            )
        with self._writer(asker) as writer:
            best, scores = await self._bettered(asker, writer)
        self._keep(self._text(best))
        self._best, self._rounds = best, scores

    @contextmanager
    def _writer(self, asker: Asker) -> Iterator[Asker]:
        """Who writes prompts: the model that is asked, or the one that was named for it."""
        name = self.ways.optimizer
        if not name:
            yield asker
            return
        with opened(name, self.room.settings) as model:
            yield asker.of_another(model.name, model.make())

    async def _bettered(self, asker: Asker, writer: Asker) -> tuple[OptimizedPrompt, list[float]]:
        """The best prompt of all rounds, and the score of each."""
        best = await self._try(0, None, asker)
        scores = [best.score]
        rounds = self.ways.rounds
        limit = _ROUNDS if rounds is None else min(rounds, _ROUNDS)
        while len(scores) <= limit and best.failures:
            number = len(scores)
            system = await self._rewritten(best, writer.at(f"optimize/{number}"))
            if not system:
                break
            tried = await self._try(number, system, asker)
            scores.append(tried.score)
            gain = tried.score - best.score
            if gain > 0:
                best, self._best_round = tried, number
            if gain < _GAIN:
                break
        return best, scores

    def _keep(self, text: str) -> None:
        folder = self.room.folder
        if folder is None:
            return
        try:
            (folder / FILE).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise write_failure(folder, error, kept="answers so far are kept") from error

    def _text(self, tried: OptimizedPrompt) -> str:
        """The words of a system prompt; greedy's without any one task's versions."""
        if tried.system is not None or self.ways.system:
            return tried.system or self.ways.system
        first = self._chosen[0]
        if is_program(first):
            return prompts.text("system", pins="those of the task.").strip()
        return super().opening(first).system

    async def _rewritten(self, best: OptimizedPrompt, asker: Asker) -> str:
        shown = prompts.text(
            "optimize",
            score=f"{best.score:.1f}",
            system=self._text(best) or "(none)",
            failures="\n\n".join(best.failures[:_FAILURES]),
        )
        said = (await asker.ask(Prompt(shown))).completion
        tagged = _TAGGED.search(said)
        return (tagged[1] if tagged else said).strip()

    async def _try(self, number: int, system: str | None, asker: Asker) -> OptimizedPrompt:
        places = [(task, asker.at(f"optimize/{number}/{task.id}")) for task in self._chosen]
        found = await asyncio.gather(
            *(self._result(task, system, place) for task, place in places), return_exceptions=True
        )
        # Only now: what the others were answered is kept for the next session.
        results: list[_Result] = []
        for one in found:
            if isinstance(one, BaseException):
                raise one
            results.append(one)
        judged = [one for one in results if one.right is not None]
        if not judged:
            raise InfrastructureError(
                f"no answer could be judged, so no prompt can be chosen: {results[0].told}",
                "Run the same command again",
            )
        right = sum(bool(one.right) for one in judged)
        failures = tuple(one.told for one in judged if not one.right)
        return OptimizedPrompt(system, round(100 * right / len(judged), 2), failures)

    async def _result(self, task: Task, system: str | None, asker: Asker) -> _Result:
        prompt = self._asked(task, system)
        output = await asker.ask(prompt, schema=self.structured(task))
        text = super().read(task, prompt, output).text
        right, outcome = await self._judged(task, text)
        if right or right is None:
            return _Result(right, outcome)
        return _Result(
            right,
            prompts.text(
                "optimize_failure",
                task=shortened(prompt.user.strip(), _LONGEST),
                answer=shortened(text.strip(), _LONGEST),
                outcome=outcome,
            ).strip(),
        )

    async def _judged(self, task: Task, text: str) -> tuple[bool | None, str]:
        if not is_program(task):
            grade = await asyncio.to_thread(TextJudge(task, Mode.FIXED).grade, text)
            return grade.em, "It is not what belongs there."
        code = code_of(self.room.suite, task.id, text)
        refused = refusal(text) or refusal(code)
        if refused:
            return False, refused
        judgement = await self.room.tested(task, code, Split.VISIBLE)
        if not judgement.outcome.graded:
            return None, judgement.reason
        told = traces.told(judgement, self.room.settings, _LONGEST)
        return judgement.outcome is Outcome.PASSED, told

    # --- each task

    def opening(self, task: Task) -> Prompt:
        if self._best is None:
            raise Trouble(ProviderTrouble.SERVER, "no system prompt could be chosen")
        return self._asked(task, self._best.system)

    def _asked(self, task: Task, system: str | None) -> Prompt:
        plain = super().opening(task)
        return plain if system is None else replace(plain, system=system)

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        answer = super().read(task, prompt, output)
        told: dict[str, Any] = {
            "system": digest(prompt.system),
            "best_round": self._best_round,
            "scores": self._rounds,
        }
        mine = {"optimised_on": True} if task.id in self._ids else {}
        return replace(answer, notes={**answer.notes, **told, **mine})


def chosen(tasks: Iterable[Task]) -> Sequence[Task]:
    """A fifth of the tasks that a prompt can be tried on, the same one each time."""
    able = [task for task in tasks if task.gap is not None or visible(task)]
    able.sort(key=lambda task: hashlib.sha256(task.id.encode("utf-8", "replace")).digest())
    return able[: max(1, round(len(able) / _SHARE))]
