"""What an agent can do: each tool takes one text and gives one back, whatever goes wrong."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolParams
from inspect_ai.util import JSONSchema

from libdrift.evals import prompts, traces
from libdrift.evals.lookups import Lookups
from libdrift.evals.strategy_context import StrategyContext, visible
from libdrift.records import Outcome, Split, Task
from libdrift.scoring import extract_code
from libdrift.scoring.answers import code_of, refusal

LONGEST = 4000  # characters of what a tool gives back
UNKNOWN = "unknown"  # calls of tools that do not exist are counted under this name
_LINE = re.compile(r"(\w+)\((\w+): ([^)]+)\): (.+)")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    parameter: str
    about: str  # the parameter
    does: str
    run: Callable[[str], Awaitable[str]]

    def __str__(self) -> str:
        return f"- {self.name}({self.parameter}): {self.does}"

    @property
    def definition(self) -> ToolDef:
        schema = JSONSchema(type="string", description=self.about)
        parameters = ToolParams(properties={self.parameter: schema}, required=[self.parameter])
        return ToolDef(self.run, self.name, self.does, parameters)


class Kit:
    """The tools for one task, and what was done with them. ``submitted`` ends the work."""

    def __init__(self, room: StrategyContext, task: Task, others: Sequence[ToolDef] = ()) -> None:
        """``others`` are tools that are not ours; one with a name of ours is left out."""
        self._room = room
        self._task = task
        self._ran = self._tested = ""
        self.submitted = ""
        self.used: Counter[str] = Counter()
        look = Lookups(task, room.settings.history, room.settings.indexes)
        runs: dict[str, Callable[[str], Awaitable[str]]] = {
            "documentation": _beside(look.documentation),
            "search_documentation": _beside(look.search),
            "history": _beside(look.history),
            "changes": _beside(look.changes),
            "submit": self._submit,
        }
        if room.ways.execute:
            runs["run_code"] = self._run_code
            if visible(task):
                runs["run_visible_tests"] = self._run_visible_tests
        # In the template's order, which is the order that models read them in.
        self.tools = {
            name: Tool(name, parameter, about, does, runs[name])
            for name, parameter, about, does in _LINE.findall(prompts.text("agent_tools"))
            if name in runs
        }

        self._others = {one.name: one for one in others if one.name not in self.tools}

    @property
    def definitions(self) -> list[ToolDef]:
        return [*(tool.definition for tool in self.tools.values()), *self._others.values()]

    @property
    def described(self) -> list[str]:
        """A line a tool, as a model reads of them."""
        others = (f"- {one.name}: {one.description}" for one in self._others.values())
        return [*map(str, self.tools.values()), *others]

    @property
    def program(self) -> str:
        """The last program that was tried: rather one that was tested than one that was run."""
        return self._tested or self._ran

    async def call(self, call: ToolCall) -> ChatMessageTool:
        """Do what a model asks for. What is wrong with the call is told in place of a result."""
        text = traces.head(await self._result(call), LONGEST)
        return ChatMessageTool(content=text, tool_call_id=call.id, function=call.function)

    async def _result(self, call: ToolCall) -> str:
        tool = self.tools.get(call.function)
        other = self._others.get(call.function)
        if other is not None:
            self.used[other.name] += 1
            return await _called(other, call)
        if tool is None:
            self.used[UNKNOWN] += 1
            names = ", ".join([*self.tools, *self._others])
            return f"There is no tool {call.function!r:.60}. There are: {names}."
        self.used[tool.name] += 1
        given = call.arguments.get(tool.parameter)
        if call.parse_error or not isinstance(given, str):
            why = f" ({call.parse_error[:200]})" if call.parse_error else ""
            return f"{tool.name} takes one text, named {tool.parameter}: {tool.about}.{why}"
        return await tool.run(given)

    # --- programs

    async def _run_code(self, given: str) -> str:
        code = extract_code(given, any_fence=self._room.suite.any_fence)
        refused = refusal(code)
        if refused:
            return f"Not run: {refused}."
        self._ran = code
        judgement = await self._room.executed(self._task, code)
        settings = self._room.settings
        if judgement.outcome is not Outcome.PASSED:
            return traces.told(judgement, settings)
        output = traces.output(judgement, settings)
        return f"It ran to its end. Its output:\n{output}" if output else "It ran, without output."

    async def _run_visible_tests(self, given: str) -> str:
        code = self._code(given)
        refused = refusal(code)
        if refused:
            return f"Not run: {refused}."
        self._tested = code
        judgement = await self._room.tested(self._task, code, Split.VISIBLE)
        if judgement.outcome is Outcome.PASSED:
            return "The visible tests pass."
        return traces.told(judgement, self._room.settings)

    async def _submit(self, given: str) -> str:
        code = self._code(given)
        refused = refusal(code)
        if refused:
            return f"Not submitted: {refused}."
        self.submitted = code
        return "Submitted."

    def _code(self, given: str) -> str:
        """Models put fences even around arguments."""
        return code_of(self._room.suite, self._task.id, given)


async def _called(tool: ToolDef, call: ToolCall) -> str:
    """What a tool that is not ours gives back, or what went wrong with it, as text."""
    if call.parse_error:
        return f"{tool.name}: {call.parse_error[:200]}"
    try:
        found = await tool.tool(**call.arguments)
    except Exception as error:  # noqa: BLE001  (anybody's code: a model is told, and goes on)
        return f"{tool.name} failed: {type(error).__name__}: {error}"
    parts = found if isinstance(found, list) else [found]
    return "\n".join(str(getattr(part, "text", part)) for part in parts)


def _beside(look: Callable[[str], str]) -> Callable[[str], Awaitable[str]]:
    """Other tasks go on meanwhile."""

    async def run(given: str) -> str:
        return await asyncio.to_thread(look, given)

    return run
