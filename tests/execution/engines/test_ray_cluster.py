"""A real Ray cluster of three nodes on this machine: the same verdicts, whatever dies."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libdrift import suites
from libdrift.cli import app
from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.execution import Job, Options
from libdrift.execution.engines import EngineChoice
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.execution.engines.ray_cluster import RayCluster, connect
from libdrift.history.store import Store
from libdrift.jobs.scoring import ScoreOptions, score
from libdrift.mining import MinedRelease, MiningOptions
from libdrift.records import Environment, Outcome, Suite, TestStyle
from libdrift.sandbox import Judgement, Program, Unprotected
from libdrift.scoring import RunOptions
from tests.mining.sources.test_index import mined, put

# What answers and their libraries print of the time, and of where things are in memory.
CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d+\.\d+ ?m?s\b|0x[0-9a-f]+")
_SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}


def start(cluster: Any) -> None:
    """Ray gives a node 30 s to start, which is little on a machine that does much else."""
    for _ in range(2):
        try:
            cluster.add_node(**_SMALL)
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
        else:
            return
    pytest.skip("this machine is too busy: Ray's node did not start within 30 s, twice")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster, and this process as its driver."""
    pytest.importorskip("ray", reason="needs Ray: pip install 'libdrift[ray]'")
    import ray
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    source = str(Path(suites.__file__).parents[2])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Nodes run this checkout, not what happens to be installed.
    os.environ["PYTHONPATH"] = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
    cluster = Cluster()
    try:
        start(cluster)
        for _ in range(2):
            start(cluster)
        connect(cluster.address)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
        os.environ.clear()
        os.environ.update(before)


def answers(suite: Suite, path: Path, count: int) -> Path:
    """Right and wrong answers to the first tasks."""
    rows = []
    for task in list(suite.tasks.values())[:count]:
        rows.append({"task_id": task.id, "answer": task.reference})
        if task.wrong:
            rows.append({"task_id": task.id, "answer": task.wrong.code})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def verdicts(run: Path) -> dict[tuple[str, ...], dict[str, Any]]:
    """By their keys, each of which is there once; without what chance or a clock decides."""
    found = {}
    for line in (run / "verdicts.jsonl").read_text().splitlines():
        row = json.loads(line)
        key = (row["task_id"], str(row["sample"]), row["split"])
        assert key not in found, "nothing is judged twice"
        proof = re.sub(r"\(\d+\)", "(n)", row["proof"] or "")
        log = CLOCK.sub("…", row["log"])
        found[key] = {**row, "seconds": 0, "proof": proof, "log": log}
    return found


def test_verdicts_are_those_of_one_machine_though_a_node_is_killed(
    nodes: Any,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    suite = suites.load("starter", settings)
    given = answers(suite, tmp_path / "answers.jsonl", 4)
    score(suite, given, ScoreOptions(out=tmp_path / "local"))
    engine = DistributedEngine(RayCluster(), lambda _: None)
    monkeypatch.setattr("libdrift.scoring.running.choose_engine", lambda *_: engine)
    stop = threading.Event()

    def kill() -> None:
        """The node is killed as soon as it has work that it has not done."""
        verdicts = tmp_path / "ray" / "verdicts.jsonl"
        while not stop.is_set():
            if verdicts.is_file() and verdicts.read_bytes().count(b"\n") >= 2:
                nodes.remove_node(nodes.list_all_nodes()[-1], allow_graceful=False)
                return
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        score(suite, given, ScoreOptions(out=tmp_path / "ray", running=RunOptions()))
    finally:
        stop.set()
        killer.join()
    assert len(nodes.list_all_nodes()) == 2, "it was killed"
    assert verdicts(tmp_path / "ray") == verdicts(tmp_path / "local")
    engines = [json.loads((tmp_path / n / "run.json").read_text()) for n in ("local", "ray")]
    assert [one["engine"] for one in engines] == ["local", "ray"]
    assert not capfd.readouterr().out, "stdout is for results"
    assert engines[0]["fingerprint"] == engines[1]["fingerprint"], "one goes on where other stops"


class _Mortal:
    """Dies of some answers, as one that runs out of memory does."""

    def __init__(self, order: object) -> None:
        del order

    def check(self) -> Iterator[WorkReport]:
        yield NodeReport("here")

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)
        for number, job in enumerate(jobs):
            if job.program.answer == "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            yield JudgedChunk(((number, Judgement(Outcome.PASSED, "", 0.0)),))

    def close(self) -> Iterator[WorkReport]:
        yield PlacedEnvironment(None)


def test_workers_that_die_are_infrastructure_and_others_go_on(
    nodes: Any, settings: Settings
) -> None:
    from ray import cloudpickle

    del nodes
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    place = Environment("python", "3.11", ())
    texts = ["fine"] * 30 + ["dies"] + ["fine"] * 30
    jobs = [
        Job((str(n), "0", "hidden"), place, Program(text, "", TestStyle.PYTEST, "m"))
        for n, text in enumerate(texts)
    ]
    engine = DistributedEngine(RayCluster(), lambda _: None, worker=_Mortal)
    found = {}
    for job, judgement in engine.judge(jobs, Options(settings, Unprotected())):
        assert job.key[0] not in found
        found[job.key[0]] = judgement
    bad = found.pop("30")
    assert {one.outcome for one in found.values()} == {Outcome.PASSED}
    assert len(found) == 60
    assert bad.outcome is Outcome.INFRASTRUCTURE
    assert "its worker was lost 4 times" in bad.reason


def test_releases_are_mined_on_nodes(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del nodes
    monkeypatch.setattr("libdrift.execution.engines.ray_cluster.connect", lambda _: RayCluster())
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for version in ("1.0", "1.1"):
        put(wheels, version)
    with Store.open(tmp_path / "history.sqlite") as store:
        found = mined(wheels, store, MiningOptions(engine=EngineChoice("ray")))
        assert sum(isinstance(event, MinedRelease) for event in found) == 2
        assert store.surface("pkg", "1.1").resolve("pkg.f") is not None


def test_without_ray_the_line_to_install_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match=re.escape("pip install 'libdrift[ray]'")):
        connect("auto")


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--engine", "mesos"], 2, "unknown engine 'mesos'"),
        (["--address", "auto"], 2, "Add --engine ray"),
    ],
)
def test_mistaken_options_are_one_line(
    options: list[str], code: int, told: str, tmp_path: Path, settings: Settings
) -> None:
    given = answers(suites.load("starter", settings), tmp_path / "answers.jsonl", 1)
    done = CliRunner().invoke(app.app, ["score", "starter", str(given), *options])
    error = done.exception
    assert getattr(error, "exit_code", done.exit_code) == code
    assert told in str(error) + done.output


@pytest.mark.parametrize(
    ("address", "error", "told"),
    [
        ("localhost:1", InfrastructureError, "no Ray cluster answers at localhost:1"),
        ("nowhere", UserError, "Write auto or HOST:PORT"),
        ("localhost:x", UserError, "Write auto or HOST:PORT"),
    ],
)
def test_addresses_where_no_cluster_is(
    address: str, error: type[Exception], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'libdrift[ray]'")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(error, match=told):
        connect(address)
