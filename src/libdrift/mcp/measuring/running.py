"""All questions put to one server, by the official client."""

from __future__ import annotations

import math
import os
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from libdrift.errors import InfrastructureError, UserError
from libdrift.mcp.measuring.adapters import ServerAdapter
from libdrift.mcp.measuring.grading import GradedAnswer, failed_answer, grade
from libdrift.mcp.measuring.sampling import SymbolCase

_TOKEN = 4  # characters of text, about
Progress = Callable[[GradedAnswer], None]


@dataclass(frozen=True, slots=True)
class ServerMeasurement:
    server: str
    adapter: str
    answers: tuple[GradedAnswer, ...]

    def to_json(self) -> dict[str, Any]:
        changed = [item for item in self.answers if item.case.is_changed]
        return {
            "server": self.server,
            "adapter": self.adapter,
            "questions": len(self.answers),
            "changed": len(changed),
            "states_version": _share([item.states_version for item in self.answers]),
            "version_right": _share([item.version_right for item in self.answers]),
            "signature_right": _share(_known([item.signature_right for item in self.answers])),
            "absence_told": _share(_known([item.absence_told for item in self.answers])),
            "right": _share([item.is_right for item in self.answers]),
            "wrong_on_changed": _share([not item.is_right for item in changed]),
            "failed": sum(bool(item.failed) for item in self.answers),
            "seconds_median": _quantile([item.seconds for item in self.answers], 0.5),
            "seconds_p95": _quantile([item.seconds for item in self.answers], 0.95),
            "tokens_median": _quantile([item.characters / _TOKEN for item in self.answers], 0.5),
        }


def _known(values: Sequence[bool | None]) -> list[bool]:
    return [value for value in values if value is not None]


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _quantile(values: Sequence[float], at: float) -> float | None:
    if not values:
        return None
    return sorted(values)[min(len(values) - 1, math.ceil(at * len(values)) - 1)]


async def measure(
    command: str,
    adapter: ServerAdapter,
    cases: Sequence[SymbolCase],
    progress: Progress | None = None,
    patience: float = 120.0,
) -> ServerMeasurement:
    """Ask a server, a command or an address, all cases one after the other."""
    answers: list[GradedAnswer] = []
    try:
        async with Client(_server(command), read_timeout_seconds=patience) as client:
            for case in cases:
                answers.append(await _asked(client, adapter, case))
                if progress is not None:
                    progress(answers[-1])
    except (OSError, MCPError, ExceptionGroup) as error:
        if not answers:
            raise InfrastructureError(
                f"{command} does not answer as a server: {_first(error)}",
                "Run it by hand and read its output",
            ) from error
        answers += [failed_answer(case, "the server ended", 0.0) for case in cases[len(answers) :]]
    return ServerMeasurement(command, adapter.name, tuple(answers))


def _server(command: str) -> Any:  # noqa: ANN401  (what the client takes)
    if command.startswith(("http://", "https://")):
        return command
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(f"{command!r} is not a command: {error}", "Check its quotes") from error
    if not words:
        raise UserError("the server's command is empty", "Give it as one argument, in quotes")
    return StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))


async def _asked(client: Client, adapter: ServerAdapter, case: SymbolCase) -> GradedAnswer:
    values = {"package": case.package, "version": case.version, "symbol": case.symbol}
    text, refused, started = "", False, time.perf_counter()
    try:
        for step in adapter.steps:
            result = await client.call_tool(step.tool, step.filled(values))
            text = "\n".join(
                item.text for item in result.content if isinstance(item, types.TextContent)
            )
            refused = result.is_error
            if refused:
                break
            values |= step.taken(text)
    except MCPError as error:
        return failed_answer(case, str(error), time.perf_counter() - started)
    return grade(case, text, seconds=time.perf_counter() - started, refused=refused)


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__
