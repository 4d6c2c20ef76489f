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
from libdrift.evals.options import EvalOptions, Planning
from libdrift.evals.outside_tools import checked, outside_tools
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
    about = "The model plans, looks up documentation and runs programs, then submits one."
    options = ("steps", "tokens", "seconds", "execute", "planning", "mcp", "search")

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        checked(ways.mcp, ways.search)  # said once, and now
        if not is_program(task):
            return "an answer is no program that could be run"
        return "" if task.language == "python" else f"no tool here runs {task.language}"

    async def prepare(self, asker: Asker) -> None:
        await self.room.shelf.mine(self.room.suite.tasks.values())
        await super().prepare(asker)

    def opening(self, task: Task) -> Prompt:
        return self._opening(task, Kit(self.room, task))

    def _opening(self, task: Task, kit: Kit) -> Prompt:
        return plain_prompt(task, self.room, template="agent", tools="\n".join(kit.described))

    def shown(self, task: Task) -> Prompt:
        return self.opening(task)

    async def answer(self, task: Task, asker: Asker) -> StrategyAnswer:
        key = self.room.settings.search_key
        async with outside_tools(self.ways.mcp, self.ways.search, key) as others:
            return await self._work(task, Kit(self.room, task, others), asker)

    async def _work(self, task: Task, kit: Kit, asker: Asker) -> StrategyAnswer:
        budget = Budget(self.ways)
        talk = opening(self._opening(task, kit))
        plan = await asker.ask(talk)
        budget.count(plan)
        talk += [_message(plan), ChatMessageUser(content=prompts.text("agent_go"))]
        planned = len(talk)
        ended = budget.over
        text = ""
        while not ended:
            try:
                ended, text = await self._planned_step(talk, kit, budget, asker)
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

    async def _planned_step(
        self, talk: list[ChatMessage], kit: Kit, budget: Budget, asker: Asker
    ) -> tuple[str, str]:
        """A step, with a look at the plan before it where planning and acting alternate."""
        if self.ways.planning != Planning.ALTERNATE or not budget.steps:
            return await self._step(talk, kit, budget, asker)
        talk.append(ChatMessageUser(content=prompts.text("agent_replan")))
        # With tools: some providers refuse a talk with calls in it that comes without them.
        output = await asker.ask(talk, tools=kit.definitions)
        budget.count(output)
        message = _message(output)
        if message.tool_calls:
            return await self._acted(talk, message, kit, budget)  # it goes on without a plan
        talk += [message, ChatMessageUser(content=prompts.text("agent_go_on"))]
        return await self._step(talk, kit, budget, asker)

    async def _step(
        self, talk: list[ChatMessage], kit: Kit, budget: Budget, asker: Asker
    ) -> tuple[str, str]:
        """One turn; how it ended the work and the answer, or two empty texts."""
        output = await asker.ask(talk, tools=kit.definitions)
        budget.count(output)
        return await self._acted(talk, _message(output), kit, budget)

    async def _acted(
        self, talk: list[ChatMessage], message: ChatMessageAssistant, kit: Kit, budget: Budget
    ) -> tuple[str, str]:
        """What a turn calls for is done."""
        budget.steps += 1
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
