"""Answer, run the visible tests, and where they fail explain the error and correct the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser

from libdrift.evals import prompts, traces
from libdrift.evals.asking import Asker, opening
from libdrift.evals.options import EvalOptions
from libdrift.evals.strategies.base import StrategyAnswer, is_program
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.strategy_context import visible
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.records import Outcome, Split, Task
from libdrift.sandbox import Judgement
from libdrift.scoring.answers import code_of, refusal

_ROUNDS = 1
_PROGRAM = 20_000  # characters that a model is reminded of: more is none that it meant


class SelfDebug(Greedy):
    about = "Greedy's answer, corrected if the visible tests fail."
    options = ("rounds",)
    default_rounds = _ROUNDS

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        if not is_program(task):
            return "an answer is no program that could be run"
        return "" if visible(task) else "there are no visible tests, whose failures it is shown"

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        return await self._debugged(task, await super().answer(task, asker), asker)

    async def answers(self, task: Task, askers: Sequence[Asker]) -> list[StrategyAnswer | Trouble]:
        found = await super().answers(task, askers)
        for at, (first, asker) in enumerate(zip(found, askers, strict=True)):
            if isinstance(first, StrategyAnswer):
                try:
                    found[at] = await self._debugged(task, first, asker)
                except Trouble as trouble:
                    found[at] = trouble
        return found

    async def _debugged(self, task: Task, answer: StrategyAnswer, asker: Asker) -> StrategyAnswer:
        talk = [*opening(self.opening(task)), self._said(task, answer)]
        judgement = await self._tested(task, answer)
        rounds = 0
        most = _ROUNDS if self.ways.rounds is None else self.ways.rounds
        while rounds < most and _says_why(judgement.outcome):
            try:
                better = await self._corrected(task, talk, judgement, asker)
            except Trouble as trouble:
                if trouble.kind is not ProviderTrouble.CONTEXT:
                    raise
                # It would be as long the next time; the answer that is there stands.
                return _noted(answer, rounds, judgement, debugging=trouble.kind.value)
            answer = better
            rounds += 1
            judgement = await self._tested(task, answer)
        return _noted(answer, rounds, judgement)

    async def _corrected(
        self, task: Task, talk: list[ChatMessage], judgement: Judgement, asker: Asker
    ) -> StrategyAnswer:
        """One round: the error, the model's own explanation of it, and what it makes of that."""
        tests = visible(task)
        question = prompts.text(
            "self_debug_explain",
            language=task.language,
            test=tests.code.strip() if tests else "",
            trace=traces.told(judgement, self.room.settings),
        )
        talk.append(ChatMessageUser(content=question))
        explained = await asker.ask(talk)
        talk.append(ChatMessageAssistant(content=explained.completion))
        fix = prompts.text("self_debug_fix", language=task.language)
        talk.append(ChatMessageUser(content=fix))
        output = await asker.ask(talk)
        answer = self.read(task, self.opening(task), output)
        talk.append(self._said(task, answer))
        return answer

    async def _tested(self, task: Task, answer: StrategyAnswer) -> Judgement:
        code = code_of(self.room.suite, task.id, answer.text)
        refused = refusal(answer.text) or refusal(code)
        if refused:
            return Judgement(Outcome.REFUSED, refused, 0.0)
        return await self.room.tested(task, code, Split.VISIBLE)

    def _said(self, task: Task, answer: StrategyAnswer) -> ChatMessage:
        """An answer as the model is reminded of it: the program that was run, and no more."""
        program = code_of(self.room.suite, task.id, answer.text)
        code = traces.head(program.strip(), _PROGRAM)
        return ChatMessageAssistant(content=f"```python\n{code}\n```")


def _says_why(outcome: Outcome) -> bool:
    """Whether a model can learn from it: not from a pass, nor from this machine's trouble."""
    return outcome.graded and outcome is not Outcome.PASSED


def _noted(
    answer: StrategyAnswer,
    rounds: int,
    judgement: Judgement,
    **more: Any,  # noqa: ANN401  (whatever a trace may hold)
) -> StrategyAnswer:
    notes = {"rounds": rounds, "visible": judgement.outcome.value, **more}
    return StrategyAnswer(answer.text, {**answer.notes, **notes})
