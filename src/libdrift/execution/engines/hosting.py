"""What the dispatcher needs of a cluster, in whatever way that is had.

A cluster hosts objects on its nodes: one process each, made there by a function that is sent. Their
methods are called from here. Nothing else is known of a cluster, so that tests can stand in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ClusterNode:
    id: str
    name: str  # as a person knows it
    cpus: int


class HostLostError(Exception):
    """A hosted object is gone: its process or its node died, or a call of it failed."""


class Stream(Protocol):
    """What a method yields on its node, as it comes."""

    def take(self) -> Any:  # noqa: ANN401  (whatever the method yields)
        """The next item.

        Raises ``StopIteration`` at the end, and ``HostLostError``, after which there is no more.
        """
        ...


class Hosted(Protocol):
    """An object on a node."""

    def call(self, method: str, *arguments: Any, seconds: float) -> Any:  # noqa: ANN401
        """What a method returns.

        Raises ``TimeoutError`` after so many seconds, and ``HostLostError``.
        """
        ...

    def stream(self, method: str, *arguments: Any) -> Stream:  # noqa: ANN401
        """Start a method that yields."""
        ...

    def end(self) -> None:
        """End its process, and all that it has started, at once."""
        ...


class Cluster(Protocol):
    """Nodes that come and go."""

    def nodes(self) -> list[ClusterNode]:
        """Those that live, as far as is known."""
        ...

    def host(self, node: ClusterNode, make: Callable[[], Any]) -> Hosted:
        """Have an object made on a node; it takes one of the node's CPUs."""
        ...

    def ready(self, streams: Sequence[Stream], seconds: float) -> list[Stream]:
        """Those of the streams that have something to take; after so many seconds, none."""
        ...
