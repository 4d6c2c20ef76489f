"""What a node does is what this machine does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError
from libdrift.execution import Job, Options, run_jobs
from libdrift.execution.engines.distributed import DistributedEngine
from libdrift.execution.engines.node_work import (
    JudgedChunk,
    NodeReport,
    NodeWorker,
    PlacedEnvironment,
    WorkOrder,
    _Chunk,
)
from libdrift.records import Attempt, Environment, Outcome, Suite
from libdrift.sandbox import Backend, Judgement, Limits
from libdrift.scoring.verdicts import job_for
from tests.execution.engines.clusters import FakeCluster


@pytest.fixture
def options(settings: Settings, bubblewrap: Backend) -> Options:
    return Options(settings, bubblewrap)


def jobs(suite: Suite, *codes: str) -> list[Job]:
    return [
        job_for(task, tests, Attempt(task.id, number, "", code.format(task.id[1:])))
        for task in suite.tasks.values()
        for tests in task.tests
        for number, code in enumerate(codes)
    ]


def told(judgement: Judgement) -> tuple[object, ...]:
    return judgement.outcome, judgement.reason, judgement.cases, judgement.proof


RIGHT = "def number():\n    return {}\n"
WRONG = "def number():\n    return -1\n"
ENDLESS = "def number():\n    while True: pass\n"


def test_verdicts_are_those_of_this_machine(small_suite: Suite, options: Options) -> None:
    wanted = jobs(small_suite, RIGHT, WRONG)
    here = {job: told(one) for job, one in run_jobs(wanted, options)}
    far = replace(options, engine=DistributedEngine(FakeCluster.of(a=1), pytest.fail))
    there = {job: told(one) for job, one in run_jobs(wanted, far)}
    assert there == here


def test_a_late_answer_is_judged_again_alone(small_suite: Suite, options: Options) -> None:
    hurried = replace(options, limits=Limits().with_time(1.0), time_factor=1.0)
    slow = jobs(small_suite, ENDLESS)[:1]
    cluster = FakeCluster.of(a=1)
    engine = DistributedEngine(cluster, pytest.fail)
    ((_, judgement),) = engine.judge(slow, hurried)
    assert judgement.outcome is Outcome.TIMEOUT


def test_nothing_that_is_judged_is_kept_in_mind(small_suite: Suite, options: Options) -> None:
    worker = NodeWorker(WorkOrder.of(options))
    assert isinstance(next(worker.check()), NodeReport)
    for place in small_suite.environments:
        mine = [job for job in jobs(small_suite, RIGHT) if job.environment == place]
        for report in worker.judge(mine):
            assert not isinstance(report, NodeReport)
    assert worker._bench is not None
    assert not worker._bench.plans
    list(worker.close())


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        ({"sources": "others"}, "it has another libdrift"),
        ({"sandbox": "jail"}, "unknown sandbox 'jail'"),
    ],
)
def test_a_node_that_cannot_judge_says_why(
    change: dict[str, str], trouble: str, options: Options
) -> None:
    order = replace(WorkOrder.of(options), **change)  # type: ignore[arg-type]
    (report,) = NodeWorker(order).check()
    assert isinstance(report, NodeReport)
    assert trouble in report.trouble


def test_a_node_without_bubblewrap_says_so(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBDRIFT_BWRAP", "/nowhere/bwrap")
    (report,) = NodeWorker(WorkOrder.of(options)).check()
    assert isinstance(report, NodeReport)
    assert "bubblewrap does not start here" in report.trouble


def test_a_node_without_the_interpreter_says_so(
    small_suite: Suite, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(runtime: str) -> None:
        raise InfrastructureError(f"Python {runtime} is not on this machine", "Install it")

    monkeypatch.setattr("libdrift.environments.interpreters.find", find)
    (report,) = NodeWorker(WorkOrder.of(options)).judge(jobs(small_suite, RIGHT)[:1])
    assert isinstance(report, PlacedEnvironment)
    assert report.runtime
    assert "is not on this machine" in getattr(report.built, "reason", "")


def test_environments_are_made_ready_on_every_node(options: Options) -> None:
    place = Environment("python", "3.11", ())
    engine = DistributedEngine(FakeCluster.of(a=1, b=4), pytest.fail)
    found = list(engine.build([place], options))
    assert {(one.node, one.built.environment) for one in found} == {("a", place), ("b", place)}


def test_judgements_are_sent_when_time_is_up_or_there_are_many() -> None:
    now = [0.0]
    chunk = _Chunk(lambda: now[0])
    fine = Judgement(Outcome.PASSED, "", 0.0)
    chunk.add(0, fine)
    assert not chunk.is_due
    now[0] = 1.0
    assert chunk.is_due
    chunk.add(1, None)
    assert chunk.cut() == JudgedChunk(((0, fine),), (1,))
    assert not chunk.is_due
    for number in range(64):
        chunk.add(number, fine)
    assert chunk.is_due
