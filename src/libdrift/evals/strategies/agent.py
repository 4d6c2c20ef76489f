"""ReAct with a plan: the model plans, then looks things up and runs programs, then hands one in."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
)

from libdrift.evals import costs, prompts
from libdrift.evals.asking import Asker, opening
from libdrift.evals.options import EvalOptions
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import Strategy, StrategyAnswer, is_program, plain_prompt
from libdrift.evals.tools import Kit
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.records import Task

_FENCE = "```"


@dataclass(slots=True)
class Budget:
    """What a model may spend on a task. Turns that were answered before cost no time."""

    ways: EvalOptions
    steps: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.monotonic)

    def count(self, output: ModelOutput) -> None:
        usage = output.usage
        self.tokens += usage.total_tokens if usage else costs.tokens(output.completion)

    @property
    def over(self) -> str:
        """The name of the budget that is spent, if one is."""
        if self.steps >= self.ways.steps:
            return "steps"
        if self.tokens >= self.ways.tokens:
            return "tokens"
        return "seconds" if time.monotonic() - self.started >= self.ways.seconds else ""


class Agent(Strategy):
    about = "The model plans, looks things up and runs programs, then hands one in."
    options = ("steps", "tokens", "seconds")

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        if not is_program(task):
            return "an answer is no program that could be run"
        return "" if task.language == "python" else f"no tool here runs {task.language}"

    async def prepare(self, asker: Asker) -> None:
        await self.room.shelf.mine(self.room.suite.tasks.values())
        await super().prepare(asker)

    def opening(self, task: Task) -> Prompt:
        tools = "\n".join(map(str, Kit(self.room, task).tools.values()))
        return plain_prompt(task, self.room, template="agent", tools=tools)

    def shown(self, task: Task) -> Prompt:
        return self.opening(task)

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        kit, budget = Kit(self.room, task), Budget(self.ways)
        talk = opening(self.opening(task))
        plan = await asker.ask(talk)
        budget.count(plan)
        talk += [_message(plan), ChatMessageUser(content=prompts.text("agent_go"))]
        planned = len(talk)
        ended = budget.over
        text = ""
        while not ended:
            try:
                ended, text = await self._step(talk, kit, budget, asker)
            except Trouble as trouble:
                if trouble.kind is not ProviderTrouble.CONTEXT:
                    raise
                # The next turn would be longer still: the last question goes without the steps.
                ended = "context"
                del talk[planned:]
            ended = ended or budget.over
        if not text:
            text = await self._last(talk, kit, budget, asker)
        notes = {
            "ended": ended,
            "steps": budget.steps,
            "tokens": budget.tokens,
            "tools": dict(kit.used),
        }
        return StrategyAnswer(text, notes)

    async def _step(
        self, talk: list[ChatMessage], kit: Kit, budget: Budget, asker: Asker
    ) -> tuple[str, str]:
        """One turn; how it ended the work and the answer, or two empty texts."""
        output = await asker.ask(talk, tools=kit.definitions)
        budget.steps += 1
        budget.count(output)
        message = _message(output)
        talk.append(message)
        for call in message.tool_calls or ():
            talk.append(await kit.call(call))
            if kit.submitted:
                return "submit", kit.submitted
        if not message.tool_calls:
            if _FENCE in message.text:
                return "answer", message.text
            talk.append(ChatMessageUser(content=prompts.text("agent_again")))
        return "", ""

    async def _last(self, talk: list[ChatMessage], kit: Kit, budget: Budget, asker: Asker) -> str:
        """The program that a model gives when it may do no more, else the last that it tried."""
        talk.append(ChatMessageUser(content=prompts.text("agent_last")))
        try:
            # With tools: some providers refuse a talk with calls in it that comes without them.
            output = await asker.ask(talk, tools=kit.definitions)
        except Trouble as trouble:
            if trouble.kind is not ProviderTrouble.CONTEXT or not kit.program:
                raise
            return kit.program
        budget.count(output)
        message = _message(output)
        for call in message.tool_calls or ():
            if call.function == "submit":
                await kit.call(call)
        if kit.submitted:
            return kit.submitted
        return message.text if _FENCE in message.text else kit.program or message.text


def _message(output: ModelOutput) -> ChatMessageAssistant:
    return output.message if output.choices else ChatMessageAssistant(content="")
