"""Models that are none: recorded answers, and a program in a model's place."""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from libdrift.errors import UserError
from libdrift.evals.asking import PLACE, AskedSample
from libdrift.evals.costs import tokens
from libdrift.evals.ledger import FILE, Line, digest
from libdrift.evals.troubles import ProviderTrouble, Trouble
from libdrift.execution.runs import not_a_run, why_not
from libdrift.reading import Lines
from libdrift.scoring.answer_files import FIX, decode

_CONNECTIONS = 100


def path_of(text: str) -> Path:
    """A path as a person writes it."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # of nobody here
        return Path(text)


_SCRIPT_FIX = "Give a Python file with a function reply(messages, task_id, sample)"


def refuse_missing(kind: str, path: Path) -> None:
    """A file that is to stand in a model's place must be there, before anything is done for it."""
    if path.is_dir() and kind == "replay" and not (path / FILE).is_file():
        raise not_a_run(path, f"it has no {FILE}")
    if path.exists():
        return
    if kind == "scripted":
        raise UserError(f"cannot read a script from {path}", _SCRIPT_FIX)
    fix = FIX if kind == "replay" else "Give the path of a model's file"
    raise UserError(f"cannot {'replay' if kind == 'replay' else 'open'} {path}: no such file", fix)


class _Unreal(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,  # noqa: ANN401  (Inspect's own signature)
    ) -> None:
        del model_args
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())

    def max_connections(self) -> int:
        return _CONNECTIONS

    def _place(self) -> AskedSample:
        place = PLACE.get()
        if place is None:
            raise RuntimeError(f"{self.model_name} answers libdrift's strategies only")
        return place

    def _output(self, said: list[ChatMessageAssistant], messages: list[ChatMessage]) -> ModelOutput:
        spent = sum(tokens(message.text) for message in messages)
        out = sum(tokens(message.text) for message in said)
        return ModelOutput(
            model=self.model_name,
            choices=[
                ChatCompletionChoice(
                    message=one, stop_reason="tool_calls" if one.tool_calls else "stop"
                )
                for one in said
            ],
            usage=ModelUsage(input_tokens=spent, output_tokens=out, total_tokens=spent + out),
        )


class Replay(_Unreal):
    """Answers from a file (``task_id``, ``answer``, ``sample``), or from a run's folder.

    A file has one answer a sample, whatever is asked; a folder's recorded calls answer each
    question as it was answered then.
    """

    def __init__(self, model_name: str, *args: Any, **more: Any) -> None:  # noqa: ANN401
        super().__init__(model_name, *args, **more)
        path = path_of(model_name)
        self._calls: dict[tuple[str, str, int], list[dict[str, Any]]] | None = None
        self._answers: dict[tuple[str, int], str] = {}
        if path.is_dir():
            self._calls = _recorded(path / FILE)
        else:
            self._answers = _answers(path)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002  (Inspect's own names)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        del tools, tool_choice
        place = self._place()
        if self._calls is not None:
            plain = [
                one.model_dump(exclude_none=True, exclude={"id", "source", "model", "metadata"})
                for one in input
            ]
            found = self._calls.get((digest(plain), place.task_id, place.sample))
            if not found:
                raise Trouble(ProviderTrouble.RECORDING, "this question is not in the recorded run")
            return ModelOutput.model_validate(found.pop(0) if len(found) > 1 else found[0])
        said: list[ChatMessageAssistant] = []
        for number in range(place.sample, place.sample + (config.num_choices or 1)):
            recorded = self._answers.get((place.task_id, number))
            if recorded is None:
                break  # those that follow are asked for by their own numbers
            said.append(_says(recorded))
        if not said:
            raise Trouble(
                ProviderTrouble.RECORDING,
                f"no recorded answer to {place.task_id}, sample {place.sample}",
            )
        return self._output(said, input)


def _says(text: str) -> ChatMessageAssistant:
    return ChatMessageAssistant(content=text, source="generate")


def _recorded(path: Path) -> dict[tuple[str, str, int], list[dict[str, Any]]]:
    found: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    decoder = msgspec.json.Decoder(Line)
    try:
        with path.open("rb") as file:
            for text in file:
                try:
                    line = decoder.decode(text)
                except (msgspec.MsgspecError, RecursionError):
                    continue  # a torn line, as a kill leaves it
                if line.output is not None:
                    key = (line.prompt, line.task_id, line.sample)
                    found.setdefault(key, []).append(line.output)
    except OSError as error:
        folder = path.parent
        raise not_a_run(folder, why_not(folder, error, path.name)) from error
    return found


def _answers(path: Path) -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    counts: dict[str, int] = {}
    try:
        lines = list(Lines(path))
    except OSError as error:
        raise UserError(f"cannot replay {path}: {error.strerror}", FIX) from error
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = decode(text)
            name, said = line.name, line.outputs()
        except ValueError as error:
            raise UserError(f"{path}:{number}: {error}", FIX) from error
        for one in said:
            sample = counts.get(name, 0) if line.sample is None else line.sample
            counts[name] = max(counts.get(name, 0), sample + 1)
            found.setdefault((name, sample), one)
    return found


class Scripted(_Unreal):
    """A Python file in a model's place: ``reply(messages, task_id, sample)`` says what it says.

    ``messages`` are (role, text) pairs. It returns a text, or ``{"tool": name, "arguments": {…}}``
    to call a tool; what it raises is the provider's error. Its code runs with your rights.
    """

    def __init__(self, model_name: str, *args: Any, **more: Any) -> None:  # noqa: ANN401
        super().__init__(model_name, *args, **more)
        self._reply = _script(path_of(model_name))
        self._calls = 0

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002  (Inspect's own names)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        del tools, tool_choice
        place = self._place()
        messages: list[tuple[str, str]] = [(message.role, message.text) for message in input]
        said = []
        for number in range(config.num_choices or 1):
            try:
                reply = self._reply(messages, place.task_id, place.sample + number)
                said.append(await reply if inspect.isawaitable(reply) else reply)
            except SystemExit as error:  # of this answer; it would end the whole run, unsaid
                raise RuntimeError(f"reply() called sys.exit({error.code!r})") from error
        return self._output([self._message(one) for one in said], input)

    def _message(self, said: Any) -> ChatMessageAssistant:  # noqa: ANN401  (a script's own)
        if isinstance(said, str):
            return _says(said)
        if isinstance(said, dict) and "tool" in said:
            self._calls += 1
            call = ToolCall(
                id=f"call_{self._calls}",
                function=str(said["tool"]),
                arguments=dict(said.get("arguments", {})),
            )
            return ChatMessageAssistant(
                content=str(said.get("text", "")), tool_calls=[call], source="generate"
            )
        raise TypeError(f"reply() must return a text or a dict with a tool, not {said!r:.100}")


def _script(path: Path) -> Callable[[list[tuple[str, str]], str, int], Any]:
    fix = _SCRIPT_FIX
    if not path.is_file():
        raise UserError(f"cannot read a script from {path}", fix)
    try:
        found = runpy.run_path(str(path)).get("reply")
    except (Exception, SystemExit) as error:
        raise UserError(f"{path} does not run: {type(error).__name__}: {error}", fix) from error
    if not callable(found):
        raise UserError(f"{path} has no function reply", fix)
    reply: Callable[[list[tuple[str, str]], str, int], Any] = found
    return reply
