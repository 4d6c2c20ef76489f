"""The server over HTTP: on this machine for anyone there, elsewhere by a token only."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings

from libdrift.errors import UserError
from libdrift.mcp.server import AgentServer, ServerOptions

_LEAST_TOKEN = 16  # characters
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class HttpPlace:
    host: str = "127.0.0.1"
    port: int = 8848
    token: str = ""  # that requests must carry; needed beyond this machine
    origins: tuple[str, ...] = ()  # of web pages that may ask

    @property
    def is_local(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check(self) -> None:
        if not self.is_local and not self.token:
            raise UserError(
                f"{self.host} can be reached from other machines, but no token is set",
                "Set LIBDRIFT_MCP_TOKEN, or leave out --host",
            )
        if self.token and len(self.token) < _LEAST_TOKEN:
            raise UserError(
                f"the token has fewer than {_LEAST_TOKEN} characters",
                "Make one: python -c 'import secrets; print(secrets.token_urlsafe())'",
            )


class BearerGate:
    """Lets requests through that carry the token."""

    def __init__(self, app: AsgiApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(given, self._wanted):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a bearer token is needed\n"})


def http_app(options: ServerOptions, place: HttpPlace) -> AsgiApp:
    """The application that a web server runs; it answers at ``/mcp``."""
    place.check()
    hosts = {place.host, "127.0.0.1", "localhost", "[::1]"} if place.is_local else {place.host}
    security = TransportSecuritySettings(
        # Behind a token any name may lead here: a proxy's, for one.
        enable_dns_rebinding_protection=place.is_local or bool(place.origins),
        allowed_hosts=[f"{host}:*" for host in sorted(hosts)] + sorted(hosts),
        allowed_origins=[
            *(f"http://{host}:*" for host in sorted(hosts) if place.is_local),
            *place.origins,
        ],
    )
    app: AsgiApp = (
        AgentServer(options)
        .server()
        .streamable_http_app(transport_security=security, host=place.host, json_response=False)
    )
    return BearerGate(app, place.token) if place.token else app


async def serve_http(options: ServerOptions, place: HttpPlace) -> None:
    import uvicorn

    app = http_app(options, place)
    server = uvicorn.Server(
        uvicorn.Config(app, host=place.host, port=place.port, log_level="warning")
    )
    await server.serve()
