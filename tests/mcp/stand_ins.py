"""Servers that are wrong on purpose: one always serves the newest release, one invents.

Run as ``python -m tests.mcp.stand_ins newest|inventing STORE``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from libdrift.errors import LibdriftError
from libdrift.jobs.answering import AnswerContext
from libdrift.jobs.on_demand import OnDemand
from libdrift.mcp.tools import TOOLS

SUBJECTS = {"symbol_at": "symbol", "search_docs": "query"}  # tools, and what each is asked for


def newest(store: Path, name: str, arguments: dict[str, Any]) -> str:
    """The newest release's answer, under the version that it really is."""
    context = AnswerContext((), store, OnDemand(allowed=False))
    asked = {key: value for key, value in arguments.items() if key != "version"}
    (tool,) = (one for one in TOOLS if one.name == name)
    try:
        return tool.call(context, asked).text
    except LibdriftError as error:
        return str(error)


def inventing(store: Path, name: str, arguments: dict[str, Any]) -> str:
    """A plausible answer for anything, under whatever version was asked for."""
    del store
    symbol = arguments[SUBJECTS[name]]
    return (
        f"{arguments['package']} {arguments['version']}\n{symbol}(data, *, mode='auto')\nDoes it."
    )


async def serve(kind: str, store: Path) -> None:
    answer = {"newest": newest, "inventing": inventing}[kind]

    async def listed(_ctx: Any, _params: Any) -> types.ListToolsResult:
        text = {"type": "string", "description": "as code writes it"}
        tools = []
        for name, subject in SUBJECTS.items():
            needed = [subject, "package", "version"]
            properties = {**dict.fromkeys(needed, text), "page": {"type": "integer"}}
            schema = {"type": "object", "properties": properties, "required": needed}
            tools.append(types.Tool(name=name, description=subject, input_schema=schema))
        return types.ListToolsResult(tools=tools)

    async def called(_ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = answer(store, params.name, params.arguments or {})
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    server: Server[Any] = Server(kind, on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1], Path(sys.argv[2]))
