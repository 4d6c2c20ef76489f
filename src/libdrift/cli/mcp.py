from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from libdrift.mcp.server import ServerOptions

_HOST, _PORT = "127.0.0.1", 8848


def mcp_command(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            "--root",
            help="Project folder (repeatable). Its lock files decide which versions "
            "answers are for; "
            "the server reads no files outside it. [default: the current folder]",
        ),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of stdio.")
    ] = False,
    host: Annotated[
        str,
        typer.Option(
            help="Address for --http. An address that other machines can reach needs "
            "LIBDRIFT_MCP_TOKEN."
        ),
    ] = _HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port for --http.")] = _PORT,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", help="Web origin that may send requests over HTTP (repeatable)."),
    ] = None,
    no_mine: Annotated[
        bool,
        typer.Option(
            "--no-mine",
            help="Refuse questions about releases that are not mined, instead of mining them.",
        ),
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="History file. [default: the file in the data folder]"),
    ] = None,
) -> None:
    """Serve version-exact answers to coding agents over the Model Context Protocol (MCP).

    docs/mcp.md shows the set-up for common clients.
    """
    from libdrift.errors import UserError
    from libdrift.mcp.server import ServerOptions

    if not http and (origin or (host, port) != (_HOST, _PORT)):
        raise UserError("--host, --port and --origin need --http", "Add --http, or leave them out")
    roots = tuple(path.expanduser().resolve() for path in root or [Path.cwd()])
    for path in roots:
        if not path.is_dir():
            raise UserError(f"there is no folder {path}", "Give a project's folder as --root DIR")
    options = ServerOptions(roots, store, not no_mine, trusts_client_roots=not http)
    if http:
        _serve_http(options, host, port, tuple(origin or ()))
    else:
        _serve_stdio(options)


def _serve_http(options: ServerOptions, host: str, port: int, origins: tuple[str, ...]) -> None:
    import anyio

    from libdrift import config
    from libdrift.mcp.http import HttpPlace, serve_http

    place = HttpPlace(host, port, config.load().mcp_token, origins)
    place.check()
    print(f"libdrift: serving on http://{host}:{port}/mcp", file=sys.stderr)
    anyio.run(serve_http, options, place)


def _serve_stdio(options: ServerOptions) -> None:
    import anyio

    from libdrift.mcp.server import serve_stdio

    try:
        anyio.run(serve_stdio, options)
    except BaseExceptionGroup as group:
        _leave(group)


def _leave(group: BaseExceptionGroup[Any]) -> NoReturn:
    """End a server that its machine lets down."""
    from libdrift.errors import trouble_of
    from libdrift.mcp.leaving import leave_at_once

    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    trouble = trouble_of(first) if isinstance(first, Exception) else ""
    if not trouble:
        raise group
    leave_at_once(trouble)
