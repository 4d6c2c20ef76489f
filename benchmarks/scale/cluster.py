"""A Ray cluster of three nodes on this machine, and what is found on it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from benchmarks.meters import Meter
from benchmarks.scale import scripted
from libdrift import suites
from libdrift.execution.engines.distributed import DistributedEngine, MakeWorker
from libdrift.execution.engines.node_work import NodeWorker
from libdrift.execution.engines.ray_cluster import RayCluster, connect

SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}


class Bench:
    """A cluster, and what is found."""

    def __init__(self, arguments: argparse.Namespace, scratch: Path, used: Meter) -> None:
        from ray import cloudpickle
        from ray.cluster_utils import Cluster

        self.arguments = arguments
        self.scratch = scratch
        self.used = used
        self.failures: list[str] = []
        self.figures: dict[str, Any] = {}
        self.idle = 0.0
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        source = str(Path(suites.__file__).parents[2])
        os.environ["PYTHONPATH"] = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
        self.cluster = Cluster()
        for _ in range(3):
            self.add_node()
        connect(self.cluster.address)
        cloudpickle.register_pickle_by_value(scripted)  # which no node can import

    def add_node(self) -> Any:  # noqa: ANN401  (of Ray, without a type)
        """Ray gives a node 30 s to start, which is little on a machine that does much else."""
        for last in (False, False, True):
            try:
                return self.cluster.add_node(**SMALL)
            except Exception as error:
                if last or "timed out during startup" not in str(error):
                    raise
        return None

    def close(self) -> None:
        import ray

        ray.shutdown()
        self.cluster.shutdown()

    def check(self, *, holds: bool, what: str) -> None:
        print(f"  {'ok  ' if holds else 'FAIL'} {what}", flush=True)
        if not holds:
            self.failures.append(what)

    def engine(self, worker: MakeWorker = NodeWorker) -> DistributedEngine:
        warn = lambda text: print(f"  {text[:300]}")  # noqa: E731
        return DistributedEngine(RayCluster(), warn, worker=worker)

    def kill_node(self, node: Any = None) -> None:  # noqa: ANN401  (of Ray, without a type)
        """Any but the first, the head, which holds what the cluster knows."""
        chosen = node or self.cluster.list_all_nodes()[-1]
        self.cluster.remove_node(chosen, allow_graceful=False)
