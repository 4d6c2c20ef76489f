"""Environments are made ready on the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from libdrift import config
from libdrift.errors import InfrastructureError
from libdrift.execution import Options
from libdrift.execution.engines import EngineChoice, choose_engine
from libdrift.records import Environment
from libdrift.sandbox import choose

if TYPE_CHECKING:
    from libdrift.execution.engines.distributed import NodeBuilt


def build_on_nodes(
    environments: Sequence[Environment], choice: EngineChoice, warn: Callable[[str], None]
) -> Iterator[NodeBuilt]:
    """Build each environment on every node; what already exists is told as well."""
    from libdrift.execution.engines.distributed import DistributedEngine

    settings = config.load()
    engine = choose_engine(choice, warn)
    if not isinstance(engine, DistributedEngine):
        raise InfrastructureError(f"the engine {choice.name} has no nodes", "Use --engine ray")
    yield from engine.build(environments, Options(settings, choose("bubblewrap", settings)))
