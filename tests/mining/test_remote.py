"""Releases that nodes read are those that this machine reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from libdrift.errors import InfrastructureError, MachineTroubleError
from libdrift.execution.engines import EngineChoice
from libdrift.execution.engines.hosting import HostLostError
from libdrift.history.store import Store
from libdrift.mining import FailedRelease, MinedRelease, MiningOptions, remote
from libdrift.mining.workers import Lost
from libdrift.records import Release, Surface
from tests.execution.engines.clusters import FakeCluster, FakeHosted
from tests.mining.sources.test_index import mined, put

RAY = MiningOptions(engine=EngineChoice("ray"))


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    for version in ("1.0", "1.1", "1.2", "2.0"):
        put(folder, version, compiled=version == "2.0")
    (folder / "pkg-1.3-py3-none-any.whl").write_bytes(b"no zip")
    return folder


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCluster:
    """Nodes whose cache is their own."""
    found = FakeCluster.of(a=1, b=2)
    monkeypatch.setattr("libdrift.execution.engines.ray_cluster.connect", lambda _: found)
    monkeypatch.setenv("LIBDRIFT_CACHE", str(tmp_path / "node"))
    return found


def kept(store: Store) -> dict[str, Surface]:
    return {
        item.release.version: store.surface("pkg", item.release.version)
        for item in store.releases("pkg")
    }


def test_nodes_read_what_this_machine_reads(
    wheels: Path, cluster: FakeCluster, tmp_path: Path
) -> None:
    with Store.open(tmp_path / "here.sqlite") as here, Store.open(tmp_path / "there.sqlite") as far:
        mined(wheels, here)
        found = mined(wheels, far, RAY)
        assert sum(isinstance(event, MinedRelease) for event in found) == 4
        assert sum(isinstance(event, FailedRelease) for event in found) == 1
        assert kept(far) == kept(here)
    assert cluster.started == cluster.ended == 3, "a reader for every CPU"


def test_a_reader_that_is_lost_is_replaced(
    wheels: Path, cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    usual = FakeHosted.call

    def call(self: FakeHosted, method: str, *arguments: Any, seconds: float) -> Any:
        if not lost:
            lost.append(self.node.name)
            cluster.alive.discard(self.node.id)
        if self.node.id not in cluster.alive:
            raise HostLostError("its node has died")
        return usual(self, method, *arguments, seconds=seconds)

    monkeypatch.setattr(FakeHosted, "call", call)
    with Store.open(tmp_path / "there.sqlite") as far:
        found = mined(wheels, far, RAY)
        assert sum(isinstance(event, MinedRelease) for event in found) == 4
    assert lost
    assert cluster.started == cluster.ended


def test_who_is_stopped_reads_no_more(cluster: FakeCluster) -> None:
    order = remote.ReadOrder(None, None, ())  # type: ignore[arg-type]
    reader = remote.RemoteReader(cluster, cluster.nodes()[0], order)
    reader.stop()
    assert reader.ask("anything") == Lost()
    assert cluster.started == 0


def test_what_an_import_shows_comes_back_whole(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = Release("pypi", "pkg", "1.0")
    surface = Surface(release, (), {}, {})

    class Prober:
        def __init__(self, *_: object) -> None:
            pass

        def __call__(self, release: Release, surface: Surface) -> Surface | str:
            return surface if release.version == "1.0" else "no Python fits"

    monkeypatch.setattr("libdrift.mining.probing.Prober", Prober)
    order = remote.ReadOrder(None, None, ())  # type: ignore[arg-type]
    reader = remote.RemoteReader(cluster, cluster.nodes()[0], order)
    assert reader.probe(release, surface) == surface
    assert reader.probe(Release("pypi", "pkg", "2.0"), surface) == "no Python fits"
    reader.end()


@pytest.mark.parametrize("kind", [InfrastructureError, MachineTroubleError])
def test_trouble_of_a_node_comes_back_as_what_it_is(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, kind: type[InfrastructureError]
) -> None:
    class Prober:
        def __init__(self, *_: object) -> None:
            pass

        def __call__(self, *_: object) -> str:
            raise kind("not now")

    monkeypatch.setattr("libdrift.mining.probing.Prober", Prober)
    order = remote.ReadOrder(None, None, ())  # type: ignore[arg-type]
    reader = remote.RemoteReader(cluster, cluster.nodes()[0], order)
    release = Release("pypi", "pkg", "1.0")
    with pytest.raises(InfrastructureError, match="not now") as raised:
        reader.probe(release, Surface(release, (), {}, {}))
    assert raised.type is kind
    reader.end()
