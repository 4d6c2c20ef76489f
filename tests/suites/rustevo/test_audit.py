from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.execution import Job, Options
from libdrift.records import ChangeKind, Environment, Outcome, Split, Task
from libdrift.sandbox import Judgement, choose
from libdrift.scoring import AuditResult
from libdrift.suites import rustevo
from libdrift.suites.rustevo import audit as auditing
from tests.suites.rustevo.small import CRATE, CRATE_API, REFERENCE, STD, STD_API, packed

PASSED = Judgement(Outcome.PASSED, "", 0.1, uses=True)
FAILED = Judgement(Outcome.FAILED, "tests::too_short: panicked", 0.1)
BROKEN = Judgement(Outcome.INFRASTRUCTURE, "no toolchain", 0.0)


@pytest.fixture
def task(tmp_path: Path, settings: Settings) -> Task:
    data = packed(tmp_path, [(STD, STD_API)])
    return rustevo.load(replace(settings, data=data)).tasks["4"]


Prove = Callable[..., tuple[AuditResult, list[Job]]]


@pytest.fixture
def prove(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Prove:
    """Audit one task, with a verdict for each role; what has none fails."""

    def audited(task: Task, **roles: Judgement) -> tuple[AuditResult, list[Job]]:
        seen: list[Job] = []

        def judged(jobs: Sequence[Job], options: Options) -> Iterator[tuple[Job, Judgement]]:
            assert options.workers
            for job in jobs:
                seen.append(job)
                yield job, roles.get(job.key[1], FAILED)

        monkeypatch.setattr(auditing, "run_jobs", judged)
        (result,) = auditing.audit([task], Options(settings, choose("none", settings)))
        return result, seen

    return audited


def test_a_task_is_verified(task: Task, prove: Prove) -> None:
    result, jobs = prove(task, reference=PASSED)
    assert result.verified
    assert result.reason == "the reference passes, and uses slice::first_chunk; not at std 1.76.0"
    assert [(item.split, item.outcome, item.reason) for item in result.splits] == [
        (Split.HIDDEN, Outcome.PASSED, "")
    ]
    assert {job.key[1]: job.environment.runtime for job in jobs} == {
        "reference": "1.77.0",
        "nothing": "1.77.0",
        "stub": "1.77.0",
        "before": "1.76.0",
    }


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        ({}, "the reference does not pass: tests::too_short: panicked"),
        (
            {"reference": Judgement(Outcome.TIMEOUT, "", 1.0)},
            "the reference does not pass: timeout",
        ),
        ({"reference": BROKEN}, "not proven: no toolchain"),
        (
            {"reference": PASSED, "nothing": PASSED},
            "vacuous tests: they pass without an answer; not at std 1.76.0",
        ),
        (
            {"reference": PASSED, "stub": PASSED, "before": BROKEN},
            "vacuous tests: they pass on functions without bodies",
        ),
        ({"reference": PASSED, "stub": BROKEN, "before": BROKEN}, "not proven: no toolchain"),
        (
            {"reference": replace(PASSED, uses=False), "before": PASSED},
            "the reference passes, and does not use slice::first_chunk; valid at std 1.76.0 too",
        ),
        (
            {"reference": replace(PASSED, uses=None), "before": BROKEN},
            "nobody can tell whether the reference uses slice::first_chunk",
        ),
    ],
)
def test_why_a_task_is_not(
    roles: dict[str, Judgement], reason: str, task: Task, prove: Prove
) -> None:
    result, _ = prove(task, **roles)
    assert (result.verified, result.reason) == (False, reason)


def test_what_is_wrong_with_an_environment_comes_first(task: Task, prove: Prove) -> None:
    words = f"no environment for {task.environment}: small does not compile"
    result, _ = prove(task, reference=Judgement(Outcome.INFRASTRUCTURE, words, 0.0))
    assert result.reason == "not proven: small does not compile"


def test_a_task_that_needs_no_new_release_is_said_to(task: Task, prove: Prove) -> None:
    result, _ = prove(task, reference=PASSED, before=PASSED)
    assert result.verified
    assert result.reason.endswith("; valid at std 1.76.0 too")


def test_tasks_without_tests_or_reference(task: Task, prove: Prove) -> None:
    assert prove(replace(task, tests=()))[0].reason == "has no tests"
    assert prove(replace(task, reference=" "))[0].reason == "has no reference"
    words = replace(task, facts=replace(task.facts, tags=("no-tests",)))
    assert prove(words)[0].reason == "has no tests: only words that say so"


def test_nothing_more_is_run_of_what_does_not_pass(task: Task, prove: Prove) -> None:
    assert [job.key for job in prove(task)[1]] == [("4", "reference")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (REFERENCE, REFERENCE.replace("{\n    items.first_chunk()\n}", "{ unimplemented!() }")),
        (
            "impl A {\n    fn a() { fn b() {} }\n    fn c(&self) -> u8 { 1 }\n}\n",
            "impl A {\n    fn a() { unimplemented!() }\n"
            "    fn c(&self) -> u8 { unimplemented!() }\n}\n",
        ),
        (
            'trait T { fn a(); }\nconst A: &str = "é";\n',
            'trait T { fn a(); }\nconst A: &str = "é";\n',
        ),
        ("fn broken( {", "fn broken( {"),
    ],
)
def test_bodies_are_taken_out(code: str, expected: str) -> None:
    assert auditing.stub(code) == expected


def test_the_release_before(tmp_path: Path, settings: Settings) -> None:
    pair = (CRATE, {**CRATE_API, "change_type": "stabilized"})
    data = packed(tmp_path, [(STD, {**STD_API, "change_type": "signature"}), pair])
    tasks = rustevo.load(replace(settings, data=data)).tasks
    assert auditing.before(tasks["4"]) is None, "only what was introduced has no earlier release"
    assert tasks["9"].facts.change is ChangeKind.INTRODUCED
    earlier = auditing.before(tasks["9"])
    assert earlier is not None
    assert earlier.requirements[0] == "bitflags=2.3.3"
    assert earlier.requirements[1:] == tasks["9"].environment.requirements[1:]
    with_features = Environment("rust", "1.84.0", ("bitflags=2.4.0[serde]", "bitflags=2.4.01"))
    changed = auditing.before(replace(tasks["9"], environment=with_features))
    assert changed is not None
    assert set(changed.requirements) == {"bitflags=2.3.3[serde]", "bitflags=2.4.01"}
