from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from libdrift import config, records
from libdrift.build.live.gates import proving
from libdrift.build.live.gates.proving import GateKeeper, neighbours, uses
from libdrift.build.live.gates.scripts import ScriptJob, ScriptOutcome
from libdrift.execution import Options
from libdrift.records import Outcome, Split, Task, TestStyle
from libdrift.sandbox import Backend, Judgement
from tests.build.live.gates.test_reading import NEW, OLD, task


def numbered(number: int, library: str = "pkg", symbol: str = "") -> Task:
    one = task(OLD, NEW)
    return replace(
        one,
        id=f"t{number}",
        reference=f"{NEW}# {number}\n",
        tests=(records.Tests(Split.HIDDEN, TestStyle.SCRIPT, f"assert solution() == {number}\n"),),
        facts=replace(one.facts, library=library, symbol=symbol or f"{library}.f{number}"),
    )


def test_the_nearest_come_first_and_they_are_few() -> None:
    far = [numbered(number, "other") for number in range(3)]
    near = [numbered(number) for number in range(3, 10)]
    found = neighbours(near[0], [*far, *near], 3)
    assert found == [one.reference for one in near[1:6]]
    few = neighbours(near[0], [*far, *near[:3]], 3)
    assert few == [one.reference for one in (*near[1:3], *far)]


def test_what_asks_for_the_same_is_no_neighbour() -> None:
    one, same = numbered(1), numbered(2, symbol="pkg.f1")
    twin = replace(numbered(3), tests=one.tests)
    assert neighbours(one, [one, same, twin], 0) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from pkg import total\n\nprint(total(1))\n", True),
        ("from pkg import total as t\n\nprint(t(1))\n", True),
        ("import pkg\n\nprint(pkg.total(1))\n", True),
        ("import pkg\n\nprint(pkg.summed(1, total=2))\n", True),
        ("from pkg import total\n\nprint(1)\n", False),
        ("print('total', totals)\n", False),
        ("def f(:\n    <missing> total\n", True),
        ("def f(:\n    <missing>\n", False),
    ],
)
def test_a_name_is_used(code: str, *, expected: bool) -> None:
    assert uses(code, "total") is expected


@pytest.mark.parametrize(
    ("outcome", "gate", "transient"),
    [
        (Outcome.FAILED, "reference", False),
        (Outcome.TIMEOUT, "machine", True),
        (Outcome.INFRASTRUCTURE, "machine", True),
    ],
)
def test_a_reference_that_is_late_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, outcome: Outcome, gate: str, *, transient: bool
) -> None:
    judged = {("t1", "reference", Split.HIDDEN): Judgement(outcome, "it took too long", 9.0)}
    monkeypatch.setattr(proving, "_judged", lambda jobs, _: judged if jobs else {})
    monkeypatch.setattr(proving, "run_scripts", lambda _jobs, _options: {})
    options = Options(config.load(), cast("Backend", None))  # nothing is run
    keeper = GateKeeper(options, lambda _: "a prompt")
    (verdict,) = keeper.judge([numbered(1)])
    assert (verdict.gate, verdict.transient) == (gate, transient)


def test_a_file_has_no_task_that_the_answer_to_another_one_solves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is dropped gives others new neighbours: they are tried as well, and none twice."""
    tasks = [numbered(number) for number in range(8)]
    solved = {("t0", tasks[1].reference), ("t6", tasks[4].reference)}  # four is no neighbour yet
    tried: list[tuple[str, str]] = []

    def run(jobs: Sequence[ScriptJob], _options: Options) -> dict[tuple[str, ...], ScriptOutcome]:
        found = {}
        for job in jobs:
            tried.append((job.key[0], job.answer))
            passes = (job.key[0], job.answer) in solved
            outcome = Outcome.PASSED if passes else Outcome.FAILED
            found[job.key] = ScriptOutcome(outcome, "")
        return found

    monkeypatch.setattr(proving, "run_scripts", run)
    options = Options(config.load(), cast("Backend", None))  # nothing is run
    kept = GateKeeper(options, lambda _: "a prompt").told_apart(tasks)
    assert [one.id for one in kept] == ["t1", "t2", "t3", "t4", "t5", "t7"]
    assert len(tried) == len(set(tried))
