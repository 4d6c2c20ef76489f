"""Lines of a client that the SDK cannot read: it says nothing to them, and a client would wait."""

from __future__ import annotations

import json
from types import TracebackType
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

if TYPE_CHECKING:
    # The SDK's own names of what a transport hands to it.
    from typing import Self

    from mcp.shared._stream_protocols import ReadStream, WriteStream

Message = SessionMessage | Exception


class AnsweredLines:
    """A stream of messages, in which those with half of a surrogate pair are mended.

    Whatever cannot be read even so is answered as JSON-RPC has it: by an error without a number.
    """

    def __init__(self, lines: ReadStream[Message], answers: WriteStream[SessionMessage]) -> None:
        self._lines = lines
        self._answers = answers

    async def receive(self) -> Message:
        return await self._read(await self._lines.receive())

    async def _read(self, item: Message) -> Message:
        if not isinstance(item, ValidationError):
            return item
        line = str(item.errors()[0]["input"])
        message = mended(line)
        if message is not None:
            return SessionMessage(message)
        if not line.strip():
            return item
        data = types.ErrorData(code=types.PARSE_ERROR, message="the line is no message of JSON-RPC")
        answer = types.JSONRPCError(jsonrpc="2.0", id=None, error=data)
        await self._answers.send(SessionMessage(answer))
        return item

    async def aclose(self) -> None:
        await self._lines.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        return await self._read(await self._lines.__anext__())

    async def __aenter__(self) -> Self:
        await self._lines.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._lines.__aexit__(kind, error, trace)


def mended(line: str) -> types.JSONRPCMessage | None:
    """The message of a line whose texts may have halves of surrogate pairs, as question marks."""
    try:
        told = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
        return types.jsonrpc_message_adapter.validate_json(told, by_name=False)
    except (ValueError, RecursionError):
        return None
