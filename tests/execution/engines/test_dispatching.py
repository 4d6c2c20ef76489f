"""Every job is judged once, whatever becomes of workers and nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import ClassVar

import pytest

from libdrift.config import Settings
from libdrift.environments import Failed
from libdrift.errors import InfrastructureError
from libdrift.execution import Job, Options
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    PlacedEnvironment,
    WorkReport,
)
from libdrift.execution.engines.queues import BATCH
from libdrift.records import Environment, Outcome, TestStyle
from libdrift.sandbox import Judgement, Program, Unprotected
from tests.execution.engines.clusters import DeathError, FakeCluster, ScriptedWorker

PLACES = [Environment("python", "3.11", (f"numpy==1.{n}.0",)) for n in range(6)]


def job(number: int, answer: str = "x", place: int = 0, style: TestStyle = TestStyle.PYTEST) -> Job:
    return Job((str(number), "0", "hidden"), PLACES[place], Program(answer, "", style, "m"))


@pytest.fixture
def options(settings: Settings) -> Options:
    return Options(settings, Unprotected())


def judged(
    cluster: FakeCluster,
    jobs: Sequence[Job],
    options: Options,
    worker: type[ScriptedWorker] = ScriptedWorker,
) -> tuple[dict[str, Judgement], list[str]]:
    told: list[str] = []
    engine = DistributedEngine(cluster, told.append, worker=worker)
    found = [(one.key[0], judgement) for one, judgement in engine.judge(jobs, options)]
    counts = Counter(key for key, _ in found)
    assert counts == Counter(one.key[0] for one in jobs), "each once, and none twice"
    assert cluster.ended == cluster.started, "no worker is left"
    return dict(found), told


def test_jobs_of_many_environments_are_spread(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=2)
    jobs = [job(n, place=n % 6) for n in range(300)]
    found, told = judged(cluster, jobs, options)
    assert {one.outcome for one in found.values()} == {Outcome.PASSED}
    assert {one.reason for one in found.values()} == {"a", "b"}
    assert not told
    assert all(len({one.environment for one in batch}) == 1 for batch in cluster.batches())


def test_a_million_is_sent_in_batches(options: Options) -> None:
    cluster = FakeCluster.of(a=1)
    judged(cluster, [job(n) for n in range(3000)], options)
    sizes = [len(batch) for batch in cluster.batches()]
    assert max(sizes) == BATCH
    assert len(sizes) < 30


@pytest.mark.parametrize("size", [1, 3, 40, 700])
def test_what_kills_a_worker_is_infrastructure_and_harms_no_other(
    size: int, options: Options
) -> None:
    jobs = [job(n, "dies" if n == size // 2 else "x") for n in range(size)]
    cluster = FakeCluster.of(a=1, b=1, c=1)
    found, _ = judged(cluster, jobs, options)
    bad = found.pop(str(size // 2))
    assert bad.outcome is Outcome.INFRASTRUCTURE
    assert "its worker was lost 4 times" in bad.reason
    assert "out of memory" in bad.reason
    assert {one.outcome for one in found.values()} <= {Outcome.PASSED}
    assert cluster.started <= 3 + 4, "as many as died, beside one for each node"


def test_what_dies_on_one_node_is_done_on_another(options: Options) -> None:
    jobs = [job(n, "dies on a" if n == 3 else "x") for n in range(20)]
    found, _ = judged(FakeCluster.of(a=1, b=1), jobs, options)
    assert found["3"] == Judgement(Outcome.PASSED, "b", 0.0)


@pytest.mark.parametrize(
    ("answer", "nodes", "outcome", "tries"),
    [
        ("fails on a", {"a": 1, "b": 1}, Outcome.PASSED, 2),
        ("fails", {"a": 1, "b": 1}, Outcome.INFRASTRUCTURE, 2),
        ("fails", {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, Outcome.INFRASTRUCTURE, 3),
        ("fails", {"a": 4}, Outcome.INFRASTRUCTURE, 1),
    ],
)
def test_trouble_of_a_node_is_tried_elsewhere(
    answer: str, nodes: dict[str, int], outcome: Outcome, tries: int, options: Options
) -> None:
    cluster = FakeCluster.of(**nodes)
    found, _ = judged(cluster, [job(0, answer)], options)
    assert found["0"].outcome is outcome
    assert 1 <= len(cluster.batches()) <= tries


def test_a_node_that_dies_in_the_middle_loses_nothing(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=1, c=1)
    engine = DistributedEngine(cluster, pytest.fail, worker=ScriptedWorker)
    jobs = [job(n, place=n % 2) for n in range(400)]
    found = []
    for number, (one, _) in enumerate(engine.judge(jobs, options)):
        found.append(one.key[0])
        if number == 50:
            cluster.alive.remove("a")
        if number == 150:
            cluster.alive.remove("c")
    assert sorted(found) == sorted(one.key[0] for one in jobs)


class NoSandboxOnA(ScriptedWorker):
    def check(self) -> Iterator[WorkReport]:
        yield NodeReport(self.node.name, trouble="no bwrap" if self.node.name == "a" else "")


class NoPythonOnA(ScriptedWorker):
    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        if self.node.name == "a":
            yield PlacedEnvironment(Failed(jobs[0].environment, "no Python 3.11"), runtime=True)
        else:
            yield from super().judge(jobs)


class NothingBuilds(ScriptedWorker):
    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        if jobs[0].environment == PLACES[0]:
            yield PlacedEnvironment(Failed(jobs[0].environment, f"no index on {self.node.name}"))
        else:
            yield from super().judge(jobs)


def test_a_node_without_a_sandbox_says_so_and_gets_nothing(options: Options) -> None:
    cluster = FakeCluster.of(a=2, b=1)
    found, told = judged(cluster, [job(n) for n in range(50)], options, NoSandboxOnA)
    assert {one.reason for one in found.values()} == {"b"}
    assert told == ["node a gets no work: no bwrap"]
    assert not cluster.batches("a")


def test_without_any_node_that_can_judge_the_run_ends(options: Options) -> None:
    engine = DistributedEngine(FakeCluster.of(a=1), lambda _: None, worker=NoSandboxOnA)
    with pytest.raises(InfrastructureError, match=r"node a: no bwrap.*run the same command again"):
        list(engine.judge([job(0)], options))


def test_a_node_without_an_interpreter_gets_nothing_of_that_kind(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=1)
    jobs = [job(n, place=n % 6) for n in range(60)]
    found, told = judged(cluster, jobs, options, NoPythonOnA)
    assert {one.reason for one in found.values()} == {"b"}
    assert told == ["node a gets no work for python 3.11: no Python 3.11"]
    assert len(cluster.batches("a")) == 1


def test_what_no_node_can_have_is_infrastructure_by_name(options: Options) -> None:
    jobs = [job(n, place=n % 2) for n in range(40)]
    found, told = judged(FakeCluster.of(a=1, b=1), jobs, options, NothingBuilds)
    for key, one in found.items():
        wanted = Outcome.PASSED if int(key) % 2 else Outcome.INFRASTRUCTURE
        assert one.outcome is wanted
        assert int(key) % 2 or "no index on" in one.reason
    assert len(told) == 2


class Timed(ScriptedWorker):
    """Counts who works beside a job that has to be alone."""

    active: ClassVar[Counter[str]] = Counter()
    beside: ClassVar[list[int]] = []
    by: ClassVar[dict[str, int]] = {}

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        Timed.active["all"] += 1
        Timed.by |= {one.key[0]: id(self) for one in jobs}
        yield from super().judge(jobs)
        Timed.active["all"] -= 1

    def alone(self, job: Job) -> Iterator[WorkReport]:
        Timed.beside.append(Timed.active["all"])
        assert Timed.by[job.key[0]] == id(self), "who has drawn its tests"
        yield from super().alone(job)


def test_late_jobs_are_judged_again_alone_at_the_end_by_the_same_worker(options: Options) -> None:
    jobs = [job(n, "late" if n % 10 == 0 else "x", n % 6) for n in range(100)]
    found, _ = judged(FakeCluster.of(a=2, b=2), jobs, options, Timed)
    late = {key for key, one in found.items() if one.outcome is Outcome.TIMEOUT}
    assert late == {str(n) for n in range(0, 100, 10)}
    assert Timed.beside == [0] * 10


class Wide(ScriptedWorker):
    at: ClassVar[Counter[str]] = Counter()

    def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
        Wide.at[self.node.name] += 1
        yield from super().judge(jobs)
        Wide.at[self.node.name] -= 1

    def judge_by_style(self, jobs: Sequence[Job], workers: int) -> Iterator[WorkReport]:
        assert workers == self.node.cpus
        assert Wide.at[self.node.name] == 0, "a judge that works in parallel has its node alone"
        yield from self.judge(jobs)


def test_judges_of_other_styles_have_a_node_to_themselves(options: Options) -> None:
    styles = [TestStyle.PYTEST, TestStyle.OUTPUT, TestStyle.LABELS]
    jobs = [job(n, place=n % 6, style=styles[n % 3]) for n in range(200)]
    found, _ = judged(FakeCluster.of(a=2, b=3), jobs, options, Wide)
    assert {one.outcome for one in found.values()} == {Outcome.PASSED}


class HasOne(ScriptedWorker):
    def check(self) -> Iterator[WorkReport]:
        from libdrift.environments import recipe_for

        mine = {"a": PLACES[3], "b": PLACES[1]}[self.node.name]
        yield NodeReport(self.node.name, frozenset({recipe_for(mine).key}))


def test_a_node_is_first_given_what_it_has_the_environment_of(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=1)
    judged(cluster, [job(n, place=n % 6) for n in range(60)], options, HasOne)
    assert cluster.batches("a")[0][0].environment == PLACES[3]
    assert cluster.batches("b")[0][0].environment == PLACES[1]


def test_an_idle_node_helps_with_what_is_left(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=1)
    judged(cluster, [job(n) for n in range(200)], options)
    assert sum(map(len, cluster.batches("a"))) > 50
    assert sum(map(len, cluster.batches("b"))) > 50


def test_only_a_window_of_jobs_is_taken_ahead(options: Options) -> None:
    class Endless(list[Job]):
        made = 0

        def __iter__(self) -> Iterator[Job]:
            for number in range(100_000):
                Endless.made += 1
                yield job(number, place=number % 6)

        def __len__(self) -> int:
            return 100_000

    engine = DistributedEngine(FakeCluster.of(a=1, b=1), pytest.fail, worker=ScriptedWorker)
    with closing(engine.judge(Endless(), options)) as results:
        for _, _ in zip(range(1000), results, strict=False):
            pass
    assert Endless.made < 1000 + 12 * BATCH


def test_closing_ends_all_workers(options: Options) -> None:
    cluster = FakeCluster.of(a=2, b=2)
    engine = DistributedEngine(cluster, pytest.fail, worker=ScriptedWorker)
    results = engine.judge([job(n, place=n % 6) for n in range(100)], options)
    next(results)
    results.close()
    assert cluster.ended == cluster.started > 0


def test_a_worker_that_ends_without_a_word_is_lost(options: Options) -> None:
    class Silent(ScriptedWorker):
        def judge(self, jobs: Sequence[Job]) -> Iterator[WorkReport]:
            del jobs
            yield JudgedChunk(())

    found, _ = judged(FakeCluster.of(a=1), [job(0)], options, Silent)
    assert found["0"].outcome is Outcome.INFRASTRUCTURE


def test_nodes_where_nothing_starts_get_no_more(options: Options) -> None:
    class Broken(ScriptedWorker):
        def check(self) -> Iterator[WorkReport]:
            if self.node.name == "a":
                raise DeathError("no libdrift there")
            yield NodeReport(self.node.name)

    cluster = FakeCluster.of(a=1, b=1)
    found, told = judged(cluster, [job(n) for n in range(100)], options, Broken)
    assert {one.reason for one in found.values()} == {"b"}
    assert len([line for line in told if "workers do not start there" in line]) <= 1
    assert not cluster.batches("a")


def test_live_answers_come_to_who_submitted(options: Options) -> None:
    cluster = FakeCluster.of(a=1, b=1)
    engine = DistributedEngine(cluster, pytest.fail, worker=ScriptedWorker)
    same = job(1)
    with engine.live(options) as live:
        futures = [live.submit(one) for one in (same, same, job(2, "dies"), job(3, "late"))]
        outcomes = [future.result(timeout=30).outcome for future in futures]
    passed, bad, late = Outcome.PASSED, Outcome.INFRASTRUCTURE, Outcome.TIMEOUT
    assert outcomes == [passed, passed, bad, late]
    assert cluster.ended == cluster.started


def test_live_says_to_who_waits_that_nobody_can_judge(options: Options) -> None:
    engine = DistributedEngine(FakeCluster.of(a=1), lambda _: None, worker=NoSandboxOnA)
    nobody = pytest.raises(InfrastructureError, match="no node of the cluster can judge")
    with engine.live(options) as live, nobody:
        live.submit(job(0)).result(timeout=30)
