"""The server over HTTP: who may ask."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
import uvicorn
from mcp import Client

from libdrift.errors import UserError
from libdrift.mcp.http import HttpPlace, http_app
from libdrift.mcp.server import ServerOptions

TOKEN = "a-token-of-enough-letters"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@asynccontextmanager
async def served(store: Path, project: Path, token: str = "") -> AsyncIterator[str]:
    port = free_port()
    place = HttpPlace(port=port, token=token)
    app = http_app(ServerOptions((project,), store, mines=False), place)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  (uvicorn sets a flag)
        await anyio.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        await running


def test_a_client_on_this_machine_is_answered(store: Path, project: Path) -> None:
    async def run() -> str:
        async with served(store, project) as url, Client(url) as client:
            found = await client.call_tool("symbol_at", {"symbol": "pkg.h"})
            return str(found.structured_content["release"]["version"])

    assert asyncio.run(run()) == "1.5"


@pytest.mark.parametrize(
    ("headers", "token", "status"),
    [
        ({}, "", 200),
        ({"Origin": "http://evil.example"}, "", 403),
        ({"Host": "evil.example"}, "", 421),
        ({}, TOKEN, 401),
        ({"Authorization": "Bearer wrong"}, TOKEN, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, TOKEN, 200),
    ],
)
def test_who_may_ask(
    store: Path, project: Path, headers: dict[str, str], token: str, status: int
) -> None:
    async def run() -> int:
        async with served(store, project, token) as url, httpx.AsyncClient() as client:
            answer = await client.post(url, json=HELLO, headers={**HEADERS, **headers})
            return answer.status_code

    assert asyncio.run(run()) == status


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (HttpPlace(host="0.0.0.0"), "no token is set"),
        (HttpPlace(host="example.org"), "no token is set"),
        (HttpPlace(host="0.0.0.0", token="short"), "fewer than 16"),
    ],
)
def test_other_machines_need_a_token(place: HttpPlace, words: str) -> None:
    with pytest.raises(UserError, match=words):
        place.check()
