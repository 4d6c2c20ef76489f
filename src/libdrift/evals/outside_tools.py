"""Tools that are not libdrift's, for agents: of any MCP server, or a search engine behind HTTP.

None is shipped. ``-S mcp`` names a server by its command, or by its address; ``-S search`` is an
address with ``{query}`` where the words go, whose reply is handed on as it is. What such tools find
may differ from day to day, and nobody keeps the answers from it: whoever reports a run says so.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

from inspect_ai.tool import MCPServer, ToolDef, ToolParams, mcp_server_http, mcp_server_stdio
from inspect_ai.util import JSONSchema

from libdrift.errors import UserError

SEARCH = "web_search"
_QUERY = "{query}"
_SECONDS = 30.0
_LARGEST = 1 << 20  # bytes of a reply
_SCHEMES = ("http://", "https://")


def checked(mcp: str, search: str) -> None:
    """Refuse what cannot work, before anybody is asked."""
    if search and (not search.startswith(_SCHEMES) or _QUERY not in search):
        raise UserError(
            f"-S search={search}: not the address of a search",
            "Write it like https://host/find?q={query}",
        )
    if mcp and not mcp.startswith(_SCHEMES) and not shlex.split(mcp):
        raise UserError(f"-S mcp={mcp}: no command", "Give the command that starts the server")


@asynccontextmanager
async def outside_tools(mcp: str, search: str, key: str = "") -> AsyncIterator[list[ToolDef]]:
    """The tools that were asked for; a server runs as long as they are used."""
    found = [_searching(search, key)] if search else []
    if not mcp:
        yield found
        return
    async with _server(mcp) as server:
        try:
            offered = [ToolDef(tool) for tool in await server.tools()]
        except ValueError as error:  # one without a description, for example
            raise UserError(
                f"a tool of {mcp} cannot be offered to a model: {error}", "Choose another server"
            ) from error
        yield [*found, *offered]


def _server(place: str) -> MCPServer:
    if place.startswith(_SCHEMES):
        return mcp_server_http(url=place)
    command, *arguments = shlex.split(place)
    # As a shell would start it: servers find their own keys, proxies and caches by variables.
    return mcp_server_stdio(command=command, args=arguments, env=dict(os.environ))


def _searching(address: str, key: str) -> ToolDef:
    async def web_search(words: str) -> str:
        return await asyncio.to_thread(fetched, address.replace(_QUERY, quote(words)), key)

    schema = JSONSchema(type="string", description="a few words on what you look for")
    parameters = ToolParams(properties={"words": schema}, required=["words"])
    return ToolDef(web_search, SEARCH, "Search outside of the installed version.", parameters)


def fetched(url: str, key: str = "") -> str:
    """What a search replies, as text; why it does not, in its place."""
    request = urllib.request.Request(url, headers={"User-Agent": "libdrift"})  # noqa: S310  (checked)
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310
            text: str = reply.read(_LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return f"The search failed: {error}"
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except ValueError:
        return text
