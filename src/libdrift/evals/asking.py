"""Asking a model: what was answered already is not asked again, and trouble is told apart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.tool import ToolDef
from inspect_ai.util import json_schema
from pydantic import BaseModel

from libdrift.errors import UserError
from libdrift.evals.costs import Price, price_of, tokens
from libdrift.evals.ledger import Ledger, Line, digest
from libdrift.evals.prompts import Prompt
from libdrift.evals.troubles import ProviderTrouble, Trouble, classified


@dataclass(frozen=True, slots=True)
class AskedSample:
    """What is being asked about: recorded and scripted models go by it."""

    task_id: str
    sample: int


_TICK = 0.05  # seconds
PLACE: ContextVar[AskedSample | None] = ContextVar("PLACE", default=None)


class Structured(BaseModel):
    """What a model is asked for where its provider can hold it to a schema."""

    answer: str
    explanation: str


_SCHEMA = ResponseSchema(name="answer", json_schema=json_schema(Structured), strict=True)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model draws. ``seed`` is the first sample's; each further one has the next."""

    temperature: float
    top_p: float
    max_tokens: int
    seed: int

    def config(self, stop: Sequence[str], *, schema: bool) -> GenerateConfig:
        return GenerateConfig(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            stop_seqs=list(stop) or None,
            response_schema=_SCHEMA if schema else None,
        )


class Channel:
    """The way to one model for a whole run: its ledger, its price, and what is left to spend."""

    def __init__(self, name: str, ledger: Ledger, price: Price, max_cost: float | None) -> None:
        self.name = name
        self.ledger = ledger
        self.price = price
        self.max_cost = max_cost
        self.model: Model | None = None  # of the event loop that runs
        self.several = True  # whether the provider has given several choices when asked to
        self.schema = True  # whether it has taken schemas, when given
        self.over: Trouble | None = None  # what makes every further question vain
        self.overridden = False  # whether settings of Inspect's own command come before ours
        self._under_way = 0

    def use(self, model: Model | None) -> None:
        """Ask this model from now on; ``None`` is the one that Inspect has open."""
        self.model = model or get_model()
        self.name = self.name or str(self.model)

    async def ask(
        self,
        key: str,
        place: AskedSample,
        messages: list[ChatMessage],
        config: GenerateConfig,
        tools: Sequence[ToolDef] = (),
    ) -> ModelOutput:
        """One request, recorded with what it got; ``Trouble`` if it got nothing."""
        known = self.ledger.find(key)
        if known is not None:
            return ModelOutput.model_validate(known)
        self._check()
        await self._affordable()
        plain = [_plain(message) for message in messages]
        prompt = digest(plain)
        self.ledger.add_prompt(prompt, plain)
        started = time.monotonic()
        self._under_way += 1
        mark = PLACE.set(place)
        try:
            output = await self._generate(messages, config, tools)
        except Exception as error:
            trouble = error if isinstance(error, Trouble) else classified(error)
            self.ledger.trouble(place.task_id, place.sample, prompt, trouble)
            if trouble.kind.final:
                self.over = self.over or trouble
            raise trouble from error
        finally:
            self._under_way -= 1
            PLACE.reset(mark)
        spent = _spent(output, messages)
        self._record(key, place, prompt, config, output, spent, time.monotonic() - started)
        return output

    async def _generate(
        self, messages: list[ChatMessage], config: GenerateConfig, tools: Sequence[ToolDef]
    ) -> ModelOutput:
        if self.model is None:
            raise RuntimeError("no model is open")
        output = await self.model.generate(messages, tools=list(tools), config=config)
        if output.error and output.stop_reason != "content_filter":
            raise RuntimeError(output.error)
        if not output.choices:
            raise Trouble(ProviderTrouble.SERVER, "a reply without an answer in it")
        said = output.choices[0]
        empty = not said.message.text.strip() and not said.message.tool_calls
        if empty and said.stop_reason == "unknown":
            raise Trouble(ProviderTrouble.SERVER, "an empty reply that gives no reason")
        return _whole(output)

    def _check(self) -> None:
        if self.max_cost is not None and self.ledger.totals.cost >= self.max_cost:
            self.over = self.over or Trouble(
                ProviderTrouble.BUDGET, f"--max-cost {self.max_cost:g} is reached"
            )
        if self.over is not None:
            # A new one each time: the trace of one that is raised again grows and grows.
            raise Trouble(self.over.kind, self.over.message)

    async def _affordable(self) -> None:
        """Wait while what is under way may cost all that is left, going by what calls cost."""
        totals = self.ledger.totals
        while self.max_cost is not None and self._under_way:
            each = totals.cost / totals.calls if totals.calls else self.max_cost
            if totals.cost + each * (self._under_way + 1) <= self.max_cost:
                break
            await asyncio.sleep(_TICK)
        self._check()

    def _record(
        self,
        key: str,
        place: AskedSample,
        prompt: str,
        config: GenerateConfig,
        output: ModelOutput,
        spent: tuple[int, int],
        seconds: float,
    ) -> None:
        self.ledger.add(
            Line(
                prompt=prompt,
                key=key,
                task_id=place.task_id,
                sample=place.sample,
                model=self.name,
                config=_settings(config),
                output=output.model_dump(mode="json", exclude_none=True),
                tokens_in=spent[0],
                tokens_out=spent[1],
                cost=self.price(*spent) or 0.0,
                seconds=round(seconds, 3),
                time=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )


class Asker:
    """Questions about one sample of one task."""

    def __init__(self, channel: Channel, place: AskedSample, sampling: Sampling) -> None:
        self._channel = channel
        self.place = place
        self.sampling = sampling

    def at(self, task_id: str) -> Asker:
        """The same for another place, where answers are never taken for a task's own."""
        return Asker(self._channel, AskedSample(task_id, self.place.sample), self.sampling)

    def of_another(self, name: str, model: Model) -> Asker:
        """The same of another model, at its own price; what it is paid counts with the rest.

        It is waited for as long as the first one is.
        """
        mine = self._channel
        price = price_of(name)
        if mine.max_cost is not None and price(1, 1) is None:
            raise UserError(
                f"the price of {name} is unknown, so --max-cost cannot work",
                "Leave out --max-cost, or choose a model with a known price",
            )
        if mine.model is not None:
            limits = mine.model.config
            model.config = model.config.merge(
                GenerateConfig(
                    max_retries=limits.max_retries, attempt_timeout=limits.attempt_timeout
                )
            )
        channel = Channel(name, mine.ledger, price, mine.max_cost)
        channel.use(model)
        return Asker(channel, self.place, self.sampling)

    async def ask(
        self,
        asked: Prompt | Sequence[ChatMessage],
        *,
        schema: bool = False,
        tools: Sequence[ToolDef] = (),
        temperature: float | None = None,
    ) -> ModelOutput:
        """The model's answer to a prompt, or to a conversation so far."""
        messages = opening(asked) if isinstance(asked, Prompt) else list(asked)
        config = self._config(asked, schema=schema)
        if temperature is not None:
            config.temperature = temperature
        try:
            return await self._send(messages, config, tools)
        except Trouble as trouble:
            if trouble.kind is not ProviderTrouble.REQUEST or config.response_schema is None:
                raise
            # A server that knows no schemas: the prompt asks for the same in words.
            self._channel.schema = False
            config.response_schema = None
            return await self._send(messages, config, tools)

    async def choices(self, prompt: Prompt, count: int, *, schema: bool = False) -> ModelOutput:
        """Several answers to a prompt by one request, for this sample and those that follow.

        Some providers give one, whatever they are asked for.
        """
        config = self._config(prompt, schema=schema)
        config.num_choices = count
        return await self._send(opening(prompt), config, ())

    def _config(self, asked: Prompt | Sequence[ChatMessage], *, schema: bool) -> GenerateConfig:
        stop = asked.stop if isinstance(asked, Prompt) else ()
        config = self.sampling.config(stop, schema=schema and self._channel.schema)
        config.seed = self.sampling.seed + self.place.sample
        return config.merge(active_generate_config()) if self._channel.overridden else config

    async def _send(
        self, messages: list[ChatMessage], config: GenerateConfig, tools: Sequence[ToolDef]
    ) -> ModelOutput:
        # Prompt, parameters, model and sample: what makes one question another.
        names = [tool.name for tool in tools]
        plain = [_plain(message) for message in messages]
        place = [self.place.task_id, self.place.sample]
        key = digest([self._channel.name, plain, _settings(config), names, place])
        return await self._channel.ask(key, self.place, messages, config, tools)

    def note(self, trouble: Trouble) -> None:
        """Count a trouble that was no model's."""
        self._channel.ledger.trouble(self.place.task_id, self.place.sample, "", trouble)

    @property
    def takes_several(self) -> bool:
        return self._channel.several

    def gave(self, count: int) -> None:
        """Remember that this provider gives no more than one choice."""
        self._channel.several = count > 1


async def ask_all(
    askers: Sequence[Asker], prompt: Prompt, *, schema: bool = False
) -> list[ModelOutput | Trouble]:
    """One answer for each asker, in as few requests as the provider makes of it."""
    found: list[ModelOutput | Trouble] = []
    rows = [asker.place.sample for asker in askers]
    if len(askers) > 1 and askers[0].takes_several and rows == list(range(rows[0], rows[-1] + 1)):
        try:
            output = await askers[0].choices(prompt, len(askers), schema=schema)
        except Trouble as trouble:
            if trouble.kind is not ProviderTrouble.REQUEST:
                return [trouble] * len(askers)
            askers[0].gave(0)  # it may be the number of choices that is refused
        else:
            # Made anew: a copy would keep the first choice's text.
            found += [ModelOutput(model=output.model, choices=[one]) for one in output.choices]
            askers[0].gave(len(output.choices))
    for asker in askers[len(found) :]:
        try:
            found.append(await asker.ask(prompt, schema=schema))
        except Trouble as trouble:
            found.append(trouble)
    return found[: len(askers)]


def opening(prompt: Prompt) -> list[ChatMessage]:
    system = [ChatMessageSystem(content=prompt.system)] if prompt.system else []
    return [*system, ChatMessageUser(content=prompt.user)]


def _plain(message: ChatMessage) -> dict[str, Any]:
    """A message without what differs each time that it is made."""
    return message.model_dump(exclude_none=True, exclude={"id", "source", "model", "metadata"})


def _whole(output: ModelOutput) -> ModelOutput:
    """An output without halves of surrogate pairs, which no file takes."""
    for choice in output.choices:
        content = choice.message.content
        if isinstance(content, str) and not content.isascii():
            choice.message.content = content.encode("utf-8", "replace").decode()
            output.completion = output.choices[0].message.text
    return output


def _settings(config: GenerateConfig) -> dict[str, Any]:
    return config.model_dump(exclude_none=True, exclude={"response_schema"})


def _spent(output: ModelOutput, messages: Sequence[ChatMessage]) -> tuple[int, int]:
    """Tokens in and out. What a provider had in its cache was sent too, and costs at most that.

    Where it does not tell, they are estimated.
    """
    usage = output.usage
    if usage is None or not usage.input_tokens + usage.output_tokens:
        asked = sum(tokens(message.text) for message in messages)
        return asked, sum(tokens(choice.message.text) for choice in output.choices)
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens
