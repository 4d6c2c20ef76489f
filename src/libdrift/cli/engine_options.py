"""Options of commands that can work on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from libdrift.execution.engines import EngineChoice

DEFAULT_WORKERS = 2
EngineOption = Annotated[
    str,
    typer.Option("--engine", help="Where to run: local, or ray (a cluster; see docs/scale.md)."),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        "--address",
        help="Ray cluster: auto (the cluster that this machine belongs to) or HOST:PORT.",
        show_default="auto",
    ),
]
NodeWorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        min=1,
        help="Parallel workers; with --engine ray, on each node.",
        show_default="2; with --engine ray, a node's CPUs",
    ),
]


def engine_choice(engine: str, address: str | None, workers: int | None) -> EngineChoice:
    from libdrift.errors import UserError
    from libdrift.execution.engines import ENGINES, EngineChoice

    if engine not in ENGINES:
        raise UserError(f"unknown engine {engine!r}", f"One of: {', '.join(ENGINES)}")
    if address is not None and engine == "local":
        raise UserError("--address needs a cluster, but the engine is local", "Add --engine ray")
    return EngineChoice(engine, address or "auto", workers)
