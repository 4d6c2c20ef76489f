"""Releases of Python's index, read and imported on the nodes of a cluster.

On a node an archive is read in a process of its own, with its limits, exactly as on one machine.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from libdrift import config
from libdrift.errors import InfrastructureError, LibdriftError, MachineTroubleError
from libdrift.execution.engines import EngineChoice
from libdrift.execution.engines.hosting import Cluster, ClusterNode, Hosted, HostLostError
from libdrift.languages.python.index import Listing
from libdrift.languages.python.index_config import IndexSources
from libdrift.languages.python.web import HttpTimeouts
from libdrift.mining import reading
from libdrift.mining.crew import LONGEST, CrewMember
from libdrift.mining.reading import Reply
from libdrift.mining.workers import Lost, Worker
from libdrift.records import Release, Surface
from libdrift.sandbox import choose

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Surface)
_SLACK = 60.0  # seconds beyond a reader's own limit, for a node to start


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """What nodes read from, and for which Pythons, as the driver is configured."""

    sources: IndexSources
    patience: HttpTimeouts
    pythons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProbeReply:
    """What an import showed, or why it did not; ``transient``: another try may.

    ``of_machine``: what was in the way was the node's trouble, and says nothing of the release.
    """

    surface: bytes | None
    reason: str = ""
    transient: bool = False
    of_machine: bool = False


class NodeReader:
    """Runs on a node: reads a release, and imports it, one at a time."""

    def __init__(self, order: ReadOrder) -> None:
        self._settings = config.load()
        cache = self._settings.cache / "mining"
        make = functools.partial(
            reading.reader, order.sources, order.patience, cache, order.pythons
        )
        self._worker = Worker(make, LONGEST)

    def read(self, listing: Listing) -> Reply | Lost:
        answer: Reply | Lost = self._worker.ask(listing)
        return answer

    def probe(self, release: Release, surface: bytes) -> ProbeReply:
        from libdrift.mining.probing import Prober

        try:
            prober = Prober(self._settings, choose("bubblewrap", self._settings))
            seen = prober(release, _DECODER.decode(surface))
        except InfrastructureError as error:
            of_machine = isinstance(error, MachineTroubleError)
            return ProbeReply(None, str(error), transient=True, of_machine=of_machine)
        except LibdriftError as error:
            return ProbeReply(None, str(error))
        return (
            ProbeReply(None, seen) if isinstance(seen, str) else ProbeReply(_ENCODER.encode(seen))
        )


class RemoteReader:
    """Here for one that reads there: as ``Worker``, which it may be in place of."""

    def __init__(self, cluster: Cluster, node: ClusterNode, order: ReadOrder) -> None:
        self._cluster = cluster
        self._node = node
        self._make = functools.partial(NodeReader, order)
        self._hosted: Hosted | None = None
        self._stopped = False

    def ask(self, job: object) -> Any | Lost:  # noqa: ANN401  (as of ``Worker``)
        try:
            return self._call("read", job)
        except TimeoutError:
            return Lost(slow=True)
        except HostLostError:
            return Lost()

    def probe(self, release: Release, surface: Surface) -> Surface | str:
        """As ``Prober``, on the node."""
        try:
            told: ProbeReply = self._call("probe", release, _ENCODER.encode(surface))
        except (TimeoutError, HostLostError) as error:
            raise MachineTroubleError(
                f"node {self._node.name} did not import it: {error}", "Mine it again"
            ) from error
        if told.transient:
            kind = MachineTroubleError if told.of_machine else InfrastructureError
            raise kind(told.reason)
        return told.reason if told.surface is None else _DECODER.decode(told.surface)

    def _call(self, method: str, *arguments: object) -> Any:  # noqa: ANN401
        if self._stopped:
            raise HostLostError("stopped")
        try:
            if self._hosted is None:
                self._hosted = self._cluster.host(self._place(), self._make)
            return self._hosted.call(method, *arguments, seconds=LONGEST + _SLACK)
        except (TimeoutError, HostLostError):
            self.end()
            raise

    def _place(self) -> ClusterNode:
        """Its node, or another if that one is gone."""
        alive = self._cluster.nodes()
        if not alive:
            raise HostLostError("the cluster has no node left")
        if self._node not in alive:
            self._node = alive[hash(self._node.id) % len(alive)]
        return self._node

    def stop(self) -> None:
        self._stopped = True
        self.end()

    def end(self) -> None:
        hosted, self._hosted = self._hosted, None
        if hosted is not None:
            hosted.end()


def remote_members(
    choice: EngineChoice, order: ReadOrder, most: int, *, probed: bool
) -> list[CrewMember]:
    """A reader for every CPU of the cluster, if there is as much to read."""
    from libdrift.execution.engines.ray_cluster import connect

    return members_on(connect(choice.address), choice.per_node, order, most, probed=probed)


def members_on(
    cluster: Cluster, per_node: int | None, order: ReadOrder, most: int, *, probed: bool
) -> list[CrewMember]:
    places = _spread(cluster.nodes(), per_node)[:most]
    if not places:
        raise InfrastructureError(
            "the cluster has no node with a CPU", "Add one with: ray start --address=HOST:PORT"
        )
    readers = [RemoteReader(cluster, node, order) for node in places]
    return [CrewMember(reader, reader.probe if probed else None) for reader in readers]


def _spread(nodes: Sequence[ClusterNode], per_node: int | None) -> list[ClusterNode]:
    """Nodes by turns, each as often as it has CPUs."""
    counts = {node: min(node.cpus, per_node or node.cpus) for node in nodes}
    rounds = range(max(counts.values(), default=0))
    return [node for turn in rounds for node, count in counts.items() if turn < count]
