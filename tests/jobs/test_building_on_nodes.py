"""Tasks that are proven on the nodes of a cluster are those that this machine proves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import libdrift
from libdrift.execution.engines import Engine, EngineChoice
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.scoring import RunOptions, running
from tests.execution.engines.clusters import FakeCluster
from tests.jobs import test_building_live as small

world = small.world  # what this machine proves


def test_tasks_are_proven_on_nodes(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = FakeCluster.of(one=1, two=1)
    asked: list[str] = []

    def chosen(choice: EngineChoice, *_: object) -> Engine:
        asked.append(choice.name)
        return DistributedEngine(cluster, print)

    monkeypatch.setattr(running, "choose_engine", chosen)
    options = small.options(world, "far")
    far = RunOptions(workers=1, engine=EngineChoice("ray"))
    libdrift.build_live(replace(options, running=far))
    assert asked == ["ray"]
    assert sum(map(len, cluster.batches())) > 0
    assert small.hashes(world / "far.jsonl") == small.hashes(world / "live.jsonl")
